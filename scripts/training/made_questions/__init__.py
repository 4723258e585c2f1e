"""Questions that are made by rule from sentences, with their answers."""
