"""Published graphs and dumps, fetched over the network: the only part that downloads, and only when it is asked to."""
