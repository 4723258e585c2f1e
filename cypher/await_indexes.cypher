// Wait until every index can be used.
// parameters: seconds (the longest time to wait)
CALL db.awaitIndexes($seconds)
