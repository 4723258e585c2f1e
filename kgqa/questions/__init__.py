"""Questions: cleaning what was typed, its slots and its "if", and the classes of the typology of causal questions."""
