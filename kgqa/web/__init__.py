"""`kgqa serve`: pages that work without JavaScript, and an HTTP API, over one graph."""
