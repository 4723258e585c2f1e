// The evidence records of the sources of a kind with a page id or, without one, a URL or a title; each with its claim.
// parameters: kind, identity
// columns: cause, cause_whole, effect, effect_whole, relation, polarity, claim (its hash), hash, stance, strength, rule, text, section, start, end, context, sketch, kind, title, page_id, revision, url
MATCH (p:Page) WHERE coalesce(p.kind, '') = $kind AND coalesce(p.page_id, p.url, p.title) = $identity
MATCH (p)<-[:ON]-(e:Evidence)-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]->(k:Claim),
  (a:Concept)-[:CAUSE_IN]->(k)-[:TO_EFFECT]->(b:Concept)
RETURN a.name AS cause, a.whole AS cause_whole, b.name AS effect, b.whole AS effect_whole,
  k.relation AS relation, k.polarity AS polarity,
  k.hash AS claim, e.hash AS hash, e.stance AS stance, e.strength AS strength, e.rule AS rule, e.text AS text,
  e.section AS section, e.start AS start, e.end AS end, e.context AS context, e.sketch AS sketch,
  p.kind AS kind, p.title AS title, p.page_id AS page_id, p.revision AS revision, p.url AS url
