// Sources by their titles, for people.
CREATE INDEX page_name IF NOT EXISTS FOR (p:Page) ON (p.name)
