"""The mining rules: tables, their notation, and proposals of new ones."""
