"""An "if" over the facts of a passage: facts, edits of them, and queries over the edited facts."""
