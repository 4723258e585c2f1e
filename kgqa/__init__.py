"""Questions and answers over a causal graph."""
