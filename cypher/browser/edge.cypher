// What does this edge rest on?
// The arrow of a claim, the claim as a node, the records that bear on it and their pages, at most 100.
// Click the arrow to see its hash.
// :param claim => 'b318b24e3ae05a208abdaeac0be12383'
// parameters: claim (the hash of the arrow)
// columns: edge (cause and effect), ends (cause, claim and effect), sides (claim, a record and its page)
MATCH ends = (cause:Concept)-[:CAUSE_IN]->(node:Claim {hash: $claim})-[:TO_EFFECT]->(effect:Concept)
MATCH edge = (cause)-[{hash: $claim}]->(effect)
OPTIONAL MATCH sides = (node)<-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]-(evidence:Evidence)-[:ON|FROM]->()
RETURN edge, ends, sides
ORDER BY evidence.hash
LIMIT 100
