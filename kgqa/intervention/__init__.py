"""From the "if" of a question to interventions on the graph."""
