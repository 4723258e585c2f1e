"""Evaluation: data sets, what is asked of them, baselines, scores and reports."""
