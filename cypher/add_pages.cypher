// Add pages that are not there yet.
// parameters: key, name, kind, title, page_id, revision, url (lists of one length)
UNWIND range(0, size($key) - 1) AS i
MERGE (p:Page {key: $key[i]})
ON CREATE SET p.name = $name[i], p.kind = $kind[i], p.title = $title[i], p.page_id = $page_id[i],
  p.revision = $revision[i], p.url = $url[i]
