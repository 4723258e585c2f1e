// Add concepts that are not there yet.
// parameters: name, whole, words (lists of one length)
UNWIND range(0, size($name) - 1) AS i
MERGE (c:Concept {name: $name[i]})
ON CREATE SET c.whole = $whole[i], c.words = $words[i]
