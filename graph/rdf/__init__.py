"""A graph as RDF: vocabulary, streaming writer and reader, rdflib graphs, JSON-LD and RDF/XML, local SPARQL."""
