// That the server answers.
// columns: answers
RETURN true AS answers
