"""Published graphs and dumps, fetched over the network: the only part that downloads, and only when it is asked to."""

AGENT = "kgqa (causal question answering; fetches what its user names)"
"""What servers are told of us."""
