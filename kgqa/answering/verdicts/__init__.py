"""Answers to yes/no questions: verdicts over both sides of the evidence."""
