"""The network: the HTTP client with its retry policy, downloads, and SPARQL endpoints. Used only by commands that name it."""
