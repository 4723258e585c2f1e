// Add evidence records that are not there yet to claims and sources that are; what a record does with its claim is the type.
// parameters: claim (its hash), page (its key), type, hash, stance, strength, rule, text, section, start, end, context, sketch (lists of one length)
UNWIND range(0, size($hash) - 1) AS i
MATCH (k:Claim {hash: $claim[i]})
MATCH (p:Page {key: $page[i]})
CREATE (k)<-[:$($type[i])]-(:Evidence {hash: $hash[i], stance: $stance[i], strength: $strength[i], rule: $rule[i],
  text: $text[i], section: $section[i], start: $start[i], end: $end[i], context: $context[i], sketch: $sketch[i]})-[:ON]->(p)
