"""RDF in three syntaxes, written as it comes: N-Triples, Turtle, and TriG with one named graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from graph.export.vocabulary import NAMESPACES, TYPE, Iri, RdfTerm

PredicateObject = tuple[Iri, RdfTerm]
"""What is said of a subject: a predicate and an object."""

# Raw, those of the second line would do; but much that reads lines takes them for ends of lines.
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {chr(code): f"\\u{code:04X}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
)


class RdfSyntax(Protocol):
    """A way to write triples: the text before all, between and after."""

    suffix: str

    def head(self, graph: Iri) -> str:
        """Return what stands before the first triple of `graph`."""
        ...

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return the triples of a subject; `facts` are one or more."""
        ...

    def foot(self) -> str:
        """Return what stands after the last triple."""
        ...


class NTriples:
    """One triple a line, every IRI in full."""

    suffix = "nt"

    def head(self, graph: Iri) -> str:
        """Return nothing."""
        return ""

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return a line for each fact."""
        start = f"<{subject.full}>"
        return "".join([f"{start} {_full_iri(predicate)} {_format_term(value, _full_iri)} .\n" for predicate, value in facts])

    def foot(self) -> str:
        """Return nothing."""
        return ""


class Turtle:
    """Prefixes, and a subject once for all that is said of it."""

    suffix = "ttl"

    def head(self, graph: Iri) -> str:
        """Return the declarations of the prefixes."""
        return "".join(f"@prefix {prefix}: <{space}> .\n" for prefix, space in NAMESPACES.items()) + "\n"

    def node(self, subject: Iri, facts: Sequence[PredicateObject]) -> str:
        """Return the facts, one a line."""
        facts_text = " ;\n    ".join(
            [f"{_prefixed_iri(predicate)} {_format_term(value, _prefixed_iri)}" for predicate, value in facts]
        )
        return f"{subject.prefix}:{subject.local} {facts_text} .\n"

    def foot(self) -> str:
        """Return nothing."""
        return ""


class TriG(Turtle):
    """Turtle between the braces of a named graph, whose name holds the digest of the causal graph."""

    suffix = "trig"

    def head(self, graph: Iri) -> str:
        """Return the declarations of the prefixes and the opening brace."""
        return f"{super().head(graph)}{graph.prefix}:{graph.local} {{\n"

    def foot(self) -> str:
        """Return the closing brace."""
        return "}\n"


SYNTAXES: dict[str, RdfSyntax] = {syntax.suffix: syntax for syntax in (Turtle(), NTriples(), TriG())}
"""The syntaxes by the suffix of their files."""


def _full_iri(iri: Iri) -> str:
    return f"<{NAMESPACES[iri.prefix]}{iri.local}>"


def _prefixed_iri(iri: Iri) -> str:
    return "a" if iri is TYPE else f"{iri.prefix}:{iri.local}"


def _format_term(term: RdfTerm, format_iri: Callable[[Iri], str]) -> str:
    """Return an object; `shown` writes an IRI."""
    if isinstance(term, Iri):
        return format_iri(term)
    text = f'"{term.text.translate(_ESCAPES)}"'
    return text if term.datatype is None else f"{text}^^{format_iri(term.datatype)}"
