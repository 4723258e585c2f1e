"""Where claims and articles are read from: one module a format."""
