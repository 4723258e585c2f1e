// Both sides of X → Y
// Every claim that X bears on Y, with the records that assert, deny or doubt it and the pages where they stand.
// At most 25 records of a kind are shown for each claim.
// :param cause => 'smoking'
// :param effect => 'lung cancer'
// parameters: cause, effect (names of concepts)
// columns: edges (cause, claim and effect), sides (claim, a record and its page), says (ASSERTS, DENIES, HEDGES, ASKS or SUPPOSES)
MATCH edges = (:Concept {name: $cause})-[:CAUSE_IN]->(claim:Claim)-[:TO_EFFECT]->(:Concept {name: $effect})
OPTIONAL MATCH (claim)<-[saying:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]-(evidence:Evidence)
WITH edges, claim, type(saying) AS says, evidence
ORDER BY evidence.hash
WITH edges, claim, says, collect(evidence)[..25] AS records
UNWIND CASE WHEN records = [] THEN [null] ELSE records END AS evidence
OPTIONAL MATCH sides = (claim)<-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]-(evidence)-[:ON|FROM]->()
RETURN edges, sides, says
ORDER BY claim.hash, says, evidence.hash
