"""The store that keeps a graph in a Neo4j server, where people explore it with Neo4j Browser."""
