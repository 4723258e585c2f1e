// Evidence records whose sentence holds any of some words, the best sentences first, each with its claim and source.
// parameters: query (for the full-text index), limit (of sentences)
// columns: score, cause, cause_whole, effect, effect_whole, relation, polarity, claim (its hash), hash, stance, strength, rule, text, section, start, end, context, sketch, kind, title, page_id, revision, url
CALL db.index.fulltext.queryNodes('evidence_text', $query) YIELD node, score
WITH node.text AS text, max(score) AS score, collect(node) AS records
ORDER BY score DESC, text
LIMIT $limit
UNWIND records AS e
MATCH (e)-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]->(k:Claim), (a:Concept)-[:CAUSE_IN]->(k)-[:TO_EFFECT]->(b:Concept), (e)-[:ON|FROM]->(p)
RETURN score, a.name AS cause, a.whole AS cause_whole, b.name AS effect, b.whole AS effect_whole,
  k.relation AS relation, k.polarity AS polarity,
  k.hash AS claim, e.hash AS hash, e.stance AS stance, e.strength AS strength, e.rule AS rule, e.text AS text,
  e.section AS section, e.start AS start, e.end AS end, e.context AS context, e.sketch AS sketch,
  p.kind AS kind, p.title AS title, p.page_id AS page_id, p.revision AS revision, p.url AS url
