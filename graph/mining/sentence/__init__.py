"""From a parsed sentence to the arguments of a claim."""
