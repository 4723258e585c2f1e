// Every claim of many causes with each of its evidence records and its source.
// parameters: names (of the causes, a list)
// columns: cause, cause_whole, effect, effect_whole, relation, polarity, claim (its hash), hash, stance, strength, rule, text, section, start, end, context, sketch, kind, title, page_id, revision, url
UNWIND $names AS name
MATCH (a:Concept {name: name})-[:CAUSE_IN]->(k:Claim)-[:TO_EFFECT]->(b:Concept),
  (k)<-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]-(e:Evidence)-[:ON|FROM]->(p)
RETURN a.name AS cause, a.whole AS cause_whole, b.name AS effect, b.whole AS effect_whole,
  k.relation AS relation, k.polarity AS polarity,
  k.hash AS claim, e.hash AS hash, e.stance AS stance, e.strength AS strength, e.rule AS rule, e.text AS text,
  e.section AS section, e.start AS start, e.end AS end, e.context AS context, e.sketch AS sketch,
  p.kind AS kind, p.title AS title, p.page_id AS page_id, p.revision AS revision, p.url AS url
