"""From the "if" of a question to an answer over passages: the fact it touches, the edit, and the edited world."""
