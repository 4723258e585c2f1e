"""From sentences to claims: cue prefilter, spaCy pattern rules, spans and stance."""
