"""Calibrated confidence of answers, and refusing at a given risk."""
