// Everything that rests on this page
// The records that stand on a page, the claims that they bear on and the concepts that these are about, at most 100.
// :param page => 'Lung cancer'
// parameters: page (its title)
// columns: record (page, record and claim), claim (cause, claim and effect)
MATCH record = (:Page {name: $page})<-[:ON]-(evidence:Evidence)-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]->(node:Claim)
MATCH claim = (:Concept)-[:CAUSE_IN]->(node)-[:TO_EFFECT]->(:Concept)
RETURN record, claim
ORDER BY evidence.start, evidence.hash
LIMIT 100
