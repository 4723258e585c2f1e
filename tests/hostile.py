"""Names that a program may trip over: what goes into a graph must come out of it unchanged, whatever it is."""

from __future__ import annotations

from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength

HOSTILE_TEXTS: dict[str, str] = {
    "single quote": "cushing's syndrome",
    "double quotes": 'the "big bang"',
    "backquotes": "`id`",
    "backslashes": "\\n \\u0041 \\",
    "braces": "{name} {{template}} ${HOME} %s %(name)s",
    "brackets": "[[link]] (x) <y> [z",
    "sql": "'; DROP TABLE concept; --",
    "sql wildcards": "100 % _ of * ?1 :name @name $name",
    "full-text syntax": 'rain* AND "flood" OR NEAR(a b, 2) NOT ^c {name}: -d + e',
    "cypher": "x'}) MATCH (n) DETACH DELETE n //",
    "cypher parameters": "$name `label` :Concept {a: 1}",
    "sparql": '" . } ; DROP ALL ; # <http://example.org/>',
    "turtle": "<a> \"b\\\"\"@en ; 'c'''' .",
    "html": "<script>alert(1)</script> &amp; <b>bold</b> &#0;",
    "xml": "]]> <!-- x --> <![CDATA[ y ]]>",
    "csv": 'a,"b";c\td|e',
    "formula": '=HYPERLINK("http://a.example","x")',
    "formula behind an apostrophe": "'@sum(a1)",
    "formula behind a tab": "\t+1+1",
    "full-width formula": "＝1+1",
    "shell": "$(rm -rf /) `ls` | & > <",
    "url": "http://a.b/c?d=e&f=%00#g",
    "only a number": "1337",
    "words of data": "null",
    "newlines": "line one\nline two\r\nline three\rline four\u2028line five\x85line six",
    "tab and spaces around": "\t  padded  ",
    "a space": " ",
    "controls": "bell\x07 escape\x1b[31m backspace\x08 delete\x7f",
    "nul": "before\0after",
    "only nul": "\0",
    "lone surrogate": "half \ud83d a pair",
    "lone surrogates": "\udcff\udc80\ud800",
    "replacement character": "half \ufffd a pair",
    "beyond the basic plane": "\U0001f600 \U00020000 \U0010ffff",
    "non-characters": "\ufffe \uffff \ufdd0",
    "byte order mark": "\ufeffrain",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "right to left": "\u202ereversed\u202c \u0645\u0637\u0631",
    "zero width": "a\u200bb\u200dc\ufe0f",
    "upper case": "RAIN Rain \u0130 \u00df",
    "ten thousand characters": "very long " * 1000 + "name",
    "ten thousand characters without a space": "\u00fc" * 10_000,
}
"""Texts by what is hostile about them, all different."""

HOSTILE_NAMES: tuple[str, ...] = tuple(HOSTILE_TEXTS.values())
"""The texts of `HOSTILE_TEXTS`, as names of concepts or whatever else takes any text."""


def hostile_statements() -> list[Statement]:
    """Return statements in which every hostile name is a cause, an effect, and each of the texts of a record."""
    statements = []
    for place, name in enumerate(HOSTILE_NAMES):
        after = HOSTILE_NAMES[(place + 1) % len(HOSTILE_NAMES)]
        relation, polarity = list(Relation)[place % len(Relation)], list(Polarity)[place % len(Polarity)]
        claim = Claim(name, after, relation, polarity)
        page = Source("wikipedia", title=name, page_id=str(place), revision=after, url=f"https://example.org/{after}")
        placed = Evidence(
            page,
            list(Stance)[place % len(Stance)],
            list(Strength)[place % len(Strength)],
            rule=name,
            text=after,
            section=name,
            start=place,
            end=place + 7,
            context=(("place", name), ("time", after), ("time", "1912")),
            sketch="00ff7f80",
        )
        unplaced = Evidence(Source(name, title=after, page_id=name), rule=after, text=name)
        without_text = Evidence(Source("text", url=name), rule="r", start=place, end=place)
        statements += [Statement(claim, record) for record in (placed, unplaced, without_text)]
    return statements


def hostile_aliases() -> list[Alias]:
    """Return an alias for every hostile name, as hostile as it."""
    return [Alias(f"also {name}", name) for name in HOSTILE_NAMES]
