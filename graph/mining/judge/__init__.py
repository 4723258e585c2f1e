"""The judge of claims: what a sentence says of the two phrases that a rule took for cause and effect."""
