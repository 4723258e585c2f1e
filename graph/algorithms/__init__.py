"""Reasoning over a GraphView: one module an operation."""
