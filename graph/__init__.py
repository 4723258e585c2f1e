"""The causal graph: what it is, how it is made, and where it is kept."""
