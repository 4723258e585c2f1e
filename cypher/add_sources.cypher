// Add sources that are no pages and not there yet.
// parameters: key, name, kind, title, page_id, revision, url (lists of one length)
UNWIND range(0, size($key) - 1) AS i
MERGE (s:Source {key: $key[i]})
ON CREATE SET s.name = $name[i], s.kind = $kind[i], s.title = $title[i], s.page_id = $page_id[i],
  s.revision = $revision[i], s.url = $url[i]
