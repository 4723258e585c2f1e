// The evidence records of claims, each with its source.
// parameters: hashes (of the claims, a list)
// columns: claim (its hash), hash, stance, strength, rule, text, section, start, end, context, sketch, kind, title, page_id, revision, url
UNWIND $hashes AS hash
MATCH (k:Claim {hash: hash})<-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]-(e:Evidence)-[:ON|FROM]->(p)
RETURN k.hash AS claim, e.hash AS hash, e.stance AS stance, e.strength AS strength, e.rule AS rule, e.text AS text,
  e.section AS section, e.start AS start, e.end AS end, e.context AS context, e.sketch AS sketch,
  p.kind AS kind, p.title AS title, p.page_id AS page_id, p.revision AS revision, p.url AS url
