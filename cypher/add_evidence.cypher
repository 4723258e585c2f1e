// Add evidence records that are not there yet to claims and sources that are; what a record does with its claim is the type.
// parameters: claim (its hash), page (the key of its page or source), on (how it is joined to that), type, hash, name, stance, strength, rule, text, section, start, end, context, sketch (lists of one length)
UNWIND range(0, size($hash) - 1) AS i
MATCH (k:Claim {hash: $claim[i]})
OPTIONAL MATCH (page:Page {key: $page[i]})
OPTIONAL MATCH (source:Source {key: $page[i]})
WITH i, k, coalesce(page, source) AS p
CREATE (k)<-[:$($type[i])]-(:Evidence {hash: $hash[i], name: $name[i], stance: $stance[i], strength: $strength[i], rule: $rule[i],
  text: $text[i], section: $section[i], start: $start[i], end: $end[i], context: $context[i], sketch: $sketch[i]})-[:$($on[i])]->(p)
