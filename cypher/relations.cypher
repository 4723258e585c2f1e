// How many claims there are of each relation.
// columns: relation, claims
MATCH ()-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->()
RETURN type(r) AS relation, count(*) AS claims
