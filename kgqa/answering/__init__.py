"""From a typed question and a graph to an answer with its evidence: one module a kind of answer."""
