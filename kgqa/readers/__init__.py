"""Readers: models and rules that answer a question from passages."""
