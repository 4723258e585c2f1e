// Which concepts begin with these letters?
// At most 25, those with most claims first: the other queries want whole names.
// :param letters => 'tsun'
// parameters: letters (a beginning, in lower case)
// columns: concept, claims (how many are about it)
MATCH (concept:Concept)
WHERE concept.name STARTS WITH $letters
RETURN concept, COUNT {(concept)-[:CAUSE_IN]->()} + COUNT {(concept)<-[:TO_EFFECT]-()} AS claims
ORDER BY claims DESC, concept.name
LIMIT 25
