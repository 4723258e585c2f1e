// The indexes that are there, and whether each can be used: state "ONLINE".
// columns: name, state
SHOW INDEXES YIELD name, state
