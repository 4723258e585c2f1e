"""Rows and network of the model that compares a claim with evidence."""
