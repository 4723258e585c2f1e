"""Interventions on the graph from "if" clauses and `--do`."""
