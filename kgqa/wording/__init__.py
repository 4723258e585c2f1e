"""English for answers: inflection, clauses for claims, and the form that a question's type asks for."""
