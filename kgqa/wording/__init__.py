"""English for answers: clauses for claims, a sentence for each kind of conclusion, lines for steps and gaps, presentation."""
