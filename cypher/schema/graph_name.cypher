// One node for the graph that the database holds.
CREATE CONSTRAINT graph_name IF NOT EXISTS FOR (g:Graph) REQUIRE g.name IS UNIQUE
