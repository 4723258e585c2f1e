"""Queries over edited facts: values, order, extremes."""
