"""Questions and answers over a causal graph."""

__version__ = "0.1.0"
