"""What a question takes for granted besides causal claims, by its dependency parse: the rows of data/triggers.toml.

A statement stands alone: a question becomes a declarative clause, a question word "somebody" or "something", and a pronoun that
stands for the subject of the question that subject. What cannot be worded in this way is left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.mining.rules.dependency_pattern import DependencyPattern, compile_pattern
from graph.text.inflection import indefinite_article, regular_inflections
from graph.text.stems import base_forms
from kgqa.answer_model import Presupposition
from kgqa.edits.plain_question import presupposed_fact
from kgqa.questions.conditional_parser import ConditionalMood, ConditionalQuestion, parse_conditional
from kgqa.questions.lexicon import verb_topics

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MOST_STATEMENTS = 12
_LONGEST_SUBJECT = 6
"""Words of a subject that are tried where a question is not parsed rightly."""
LONGEST_PARSED = 1_000
"""Characters of a question that are parsed."""
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_AUXILIARIES = frozenset(("aux", "auxpass"))
_LEFT_OUT = frozenset(("punct", "mark", "advcl", "parataxis", "intj", "dep"))
"""The labels of what is no part of a statement: other clauses, and marks."""
_WH = frozenset(("WP", "WP$", "WDT", "WRB"))
_PEOPLE = frozenset(("we", "you", "one"))
_PRONOUNS = frozenset(("it", "they", "he", "she", "him", "her", "them", "this", "that", "these", "those", "i", "me", "us", "my"))
_WH_NOUNS = {"who": "somebody", "whom": "somebody", "what": "something", "which": "something", "that": "something"}
_FORMS_OF_BE = frozenset(("am", "is", "are", "was", "were", "be", "been", "being", "'s", "'re", "'m"))
_BE = {"VB": "be", "VBP": "are", "VBZ": "is", "VBD": "was", "VBN": "been", "VBG": "being"}
_SHORTENED = {"ca": "can", "wo": "will", "'ll": "will", "'ve": "have", "'d": "would", "'m": "am", "'re": "are", "'s": "is"}
_EXPLETIVE = re.compile(r"it (?:is|was) (?:\w+ ){1,3}(?:to|that|for) ", re.IGNORECASE)
"""What begins with an "it" that stands for nothing: "it is dangerous to drink"."""
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|am|has|have|had|can|could|will|would|should|may|might|must|do|does|did)\b(?! not)", re.IGNORECASE
)
_NEGATIVE = re.compile(r"n['’]t\b|\b(?:not|never|no|without|but\s+for|absent|barring|unless)\b", re.IGNORECASE)
_DOING = {"do": "VBP", "does": "VBZ", "did": "VBD"}
_ASKING_WORDS = frozenset(("why", "how", "when", "where", "wh", "if"))
"""The triggers of what a whole question takes for granted."""
_INVERTED = re.compile(
    r"(?P<asking>why|how(?: often| long| well| fast)?|when|where|(?:in|at|on|to|for|with|from|by|of) (?:what|which) \w+) "
    r"(?P<helper>do|does|did|can|could|will|would|should)(?P<denied>n['’]t| not)? (?P<rest>[^?]+)",
    re.IGNORECASE,
)
_IN_PLACE = re.compile(
    r"(?P<before>(?!(?:what|which|who|whom|whose|when|where|why|how|if|is|are|was|were|do|does|did|can|could|will|would|should|has|"
    r"have|had|list|name|tell|give|explain|in|at|on|to|for|with|from|by)\b)[^?;:,]{1,160} )"
    r"(?P<asking>what|which|who|whom)\b(?P<behind>[^?,]{0,160})\?$",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")


class TriggerRow(NamedTuple):
    """A row of data/triggers.toml."""

    id: str
    words: frozenset[str]
    pattern: DependencyPattern
    statement: str
    critical: bool
    loads: bool
    examples: tuple[Mapping[str, str], ...]


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("data").joinpath("triggers.toml").read_text(encoding="utf-8"))


@cache
def trigger_rows() -> tuple[TriggerRow, ...]:
    """Read the triggers, once, in their order."""
    return tuple(
        TriggerRow(
            row["id"],
            frozenset(row["words"].split()),
            compile_pattern(row["pattern"]),
            row["statement"],
            row.get("critical", True),
            row.get("loads", True),
            tuple(row["examples"]),
        )
        for row in _tables()["trigger"]
    )


@cache
def _irregular() -> tuple[Mapping[str, tuple[str, str]], Mapping[str, str]]:
    """Return past and participle by the base forms of irregular verbs, and the base forms by both."""
    verbs = [forms.split() for forms in _tables()["irregular"]["verbs"].replace("\n", " ").split(",")]
    pasts = {base: (past, participle) for base, past, participle in verbs}
    return pasts, {form: base for base, *forms in verbs for form in forms}


def may_take_for_granted(question: str) -> bool:
    """Return whether a question has a cue for which it is worth a parse: what begins with "What causes" has none."""
    words = re.findall(r"[a-z]+|'s", question[:LONGEST_PARSED].lower().replace("’", "'"))
    if not words or (words[0] in ("what", "which") and len(words) > 1 and verb_topics(words[1])):
        words = words[1:]
    return any(row.loads and not row.words.isdisjoint(words) for row in trigger_rows())


def find_statements(question: str) -> tuple[Presupposition, ...]:
    """Return what a question takes for granted, in the order of the triggers; it is parsed if it has any cue.

    An "if" that is contrary to fact takes for granted what it denies; what else stands in the question holds in its world only.
    """
    conditional = parse_conditional(question)
    if conditional is not None and conditional.mood is not ConditionalMood.OPEN:
        return _denied_facts(conditional)
    if not may_take_for_granted(question):
        return ()
    from graph.mining.sentence.spacy_pipeline import load_pipeline

    nlp, statements = load_pipeline(), dict[str, Presupposition]()
    doc = nlp(question[:LONGEST_PARSED])
    for row in trigger_rows():
        for cue in doc:
            if cue.lower_ in row.words:
                for bound in row.pattern.find(cue):
                    text = _statement(row, bound, doc)
                    if text is not None and text not in statements:
                        start, end = cue.idx, cue.idx + len(cue.text)
                        trigger = cue.lower_ if row.id == "wh" else row.id
                        statements[text] = Presupposition(text, trigger, start, end, critical=row.critical)
    if not any(item.trigger in _ASKING_WORDS for item in statements.values()):
        match = _INVERTED.match(question)
        main = _uninverted(match, nlp) if match is not None else _asked_in_place(question)
        text = main and _resolve_pronouns(main, doc)
        if text:
            end = len(question.rstrip("?. "))
            trigger = match["asking"].split()[0].lower() if match is not None else "wh"
            text = f"{text[:1].upper()}{text[1:]}."
            statements.setdefault(text, Presupposition(text, trigger, 0, end))
    return tuple(statements.values())[:MOST_STATEMENTS]


def _uninverted(match: re.Match[str], nlp: Callable[[str], Doc]) -> str:
    """Return the statement of a question whose parse is wrong; it is empty where none of its words can be the verb.

    "How do fawns hunt lions?" is read as "fawns can hunt lions", with the auxiliary at the first place where that is a clause.
    """
    helper, words = match["helper"].lower(), match["rest"].split()
    for place in range(1, min(_LONGEST_SUBJECT, len(words) - 1) + 1):
        doc = nlp(" ".join((*words[:place], "can", *words[place:])))
        verb = next((token for token in doc if token.dep_ == "ROOT"), None)
        auxiliary = next((child for child in verb.children if child.lower_ == "can"), None) if verb is not None else None
        if verb is None or auxiliary is None or verb.tag_ != "VB" or verb.i != auxiliary.i + 1:
            continue
        subject = next((child for child in verb.children if child.dep_ in _SUBJECTS), None)
        before, behind = [token.text for token in doc[: auxiliary.i]], [token.text for token in doc[verb.i + 1 :]]
        if subject is None or len(list(subject.subtree)) != len(before):
            continue
        if not subject.tag_.startswith(("NN", "PRP")) and not subject.text.istitle():
            continue
        if helper in _DOING and not match["denied"]:
            return _joined([*before, inflected(base_of_verb(verb), _DOING[helper]), *behind])
        return _joined([*before, helper, "not" if match["denied"] else "", verb.text, *behind])
    return ""


def _asked_in_place(question: str) -> str:
    """Return the statement of a question that asks where a statement says it: "NSF developed into what?"; or else nothing."""
    match = _IN_PLACE.match(question)
    if match is None or _AUXILIARY.search(match["behind"]) or not match["before"].strip():
        return ""
    word = match["asking"].lower()
    answer = "some" if word == "which" else _WH_NOUNS[word]
    return f"{match['before']}{answer}{match['behind']}".strip(" ?.")


def negated_statement(statement: str) -> str:
    """Return the words of a statement denied: "sharks are not mammals", or "not" before all where it has no auxiliary."""
    negated, count = _AUXILIARY.subn(r"\1 not", statement, count=1)
    return negated if count else f"not {statement}"


def _denied_facts(conditional: ConditionalQuestion) -> tuple[Presupposition, ...]:
    """Return what an "if" contrary to fact denies: of "if the strike had not ended", that it had ended."""
    clause, span = conditional.clause, conditional.split.clause
    opening = clause.partition(" ")[0].lower()
    if conditional.mood is not ConditionalMood.COUNTERFACTUAL or opening in _PRONOUNS:
        return ()
    if _NEGATIVE.search(clause):
        text = presupposed_fact(conditional)
    elif opening in ("had", "were"):
        return ()
    else:
        text = negated_statement(clause)
    sentence = f"{text[:1].upper()}{text[1:]}."
    return (Presupposition(sentence, "counterfactual", span.start, span.end, critical=False),)


def _statement(row: TriggerRow, bound: Mapping[str, Token], doc: Doc) -> str | None:
    """Return the statement of a match; `None` where a part cannot stand alone."""
    parts: dict[str, str] = {}
    for name, form in _FIELD.findall(row.statement):
        words = _FORMS[form or "phrase"](bound[name])
        if not words:
            return None
        parts[f"{{{name}:{form}}}" if form else f"{{{name}}}"] = words
    text = row.statement
    for field, words in parts.items():
        text = text.replace(field, words)
    resolved = _resolve_pronouns(text, doc)
    return f"{resolved[:1].upper()}{resolved[1:]}" if resolved else None


def _resolve_pronouns(text: str, doc: Doc) -> str | None:
    """Return a statement with the subject of the question for a pronoun, and "people" for who is spoken to; else `None`."""
    text = re.sub(r"\b[Mm]y\b", "the", text)
    first, _, rest = text.partition(" ")
    if first.lower() in ("i", "me", "us"):
        return None
    if _EXPLETIVE.match(text):
        return text
    if first.lower() in _PEOPLE and any(token.lower_ == first.lower() and token.dep_ in _SUBJECTS for token in doc):
        return f"people {rest}"
    if first.lower().strip(".,") not in _PRONOUNS:
        return None if re.search(r"\b(?:I|me)\b", text) else text
    plural = first.lower() in ("they", "these", "those")
    for token in doc:
        if token.dep_ in _SUBJECTS and token.tag_.startswith("NN") and (token.tag_ in ("NNS", "NNPS")) == plural:
            return f"{_phrase(token)} {rest}"
    return None


def _phrase(token: Token) -> str:
    """Return the words of a noun phrase; a question word stands for somebody, something, or some of a kind."""
    if token.lower_ in _WH_NOUNS and token.tag_ in _WH:
        return _WH_NOUNS[token.lower_]
    words = []
    for part in token.subtree:
        if part.tag_ in _WH:
            if part.dep_ == "det" and part.head == token:
                words.append("some")
            elif part.dep_ != "advmod":
                words.append(part.text)
        elif not (part.lower_ in ("many", "much") and any(child.tag_ in _WH for child in part.children)):
            words.append(part.text)
    return _joined(words)


def _joined(words: Sequence[str]) -> str:
    text = re.sub(r" (?=[,.;:?!%)]|'s\b|’s\b|n't\b)", "", " ".join(filter(None, words))).replace("( ", "(").replace(" - ", "-")
    return re.sub(r"\bca(?:n't| n't|n not)\b", "cannot", text).strip(" ,;:?.")


def _noun(token: Token) -> str:
    """Return a noun phrase without its determiner and without what restricts the whole of it."""
    skipped = {part.i for child in token.children if child.dep_ in ("det", "poss", "predet", "preconj") for part in child.subtree}
    skipped |= {child.i for child in token.children if child.lower_ in ("only", "just", "both")}
    return _joined([part.text for part in token.subtree if part.i not in skipped])


def _counted(token: Token) -> str:
    """Return a noun phrase without its determiner and its number."""
    skipped = {child.i for child in token.children if child.dep_ in ("det", "predet", "nummod", "dep", "poss", "quantmod")}
    asking = (child.subtree for child in token.children if any(part.tag_ in _WH for part in child.subtree))
    skipped |= {part.i for parts in asking for part in parts}
    return _joined([part.text for part in token.subtree if part.i not in skipped])


def _measured(token: Token) -> str:
    """Return a noun phrase without its determiner and without a measure that stands before it."""
    skipped = {part.i for child in token.children if child.dep_ in ("det", "poss") for part in child.subtree}
    measures = (child for child in token.children if any(part.dep_ == "nummod" for part in child.children))
    skipped |= {part.i for child in measures for part in child.subtree}
    return _joined([part.text for part in token.subtree if part.i not in skipped and part.i <= token.i])


def _article(token: Token) -> str:
    remaining = [part for part in token.subtree if part.dep_ != "relcl"]
    skipped = {part.i for child in token.children if child.dep_ in ("det", "poss") for part in child.subtree}
    compared = (child for child in token.children if child.tag_ in ("JJR", "RBR") or child.lower_ == "than")
    skipped |= {part.i for child in compared for part in child.subtree}
    more = (child for child in token.children if any(part.lower_ == "more" for part in child.children))
    skipped |= {part.i for child in more for part in child.subtree}
    words = _joined([part.text for part in remaining if part.i not in skipped])
    return f"{indefinite_article(words)} {words}" if token.tag_ in ("NN", "NNP") else words


def _existence(token: Token) -> str:
    """Return that there is a thing, or that there are things."""
    thing = _article(token)
    return f"there {'is' if token.tag_ in ('NN', 'NNP') else 'are'} {thing}" if thing else ""


def _head(token: Token) -> str:
    """Return a noun with what stands before it."""
    return _joined([part.text for part in token.subtree if part.i <= token.i and part.tag_ not in _WH])


def base_of_verb(token: Token) -> str:
    """Return the base form of a verb."""
    word = token.lower_
    if word in _FORMS_OF_BE:
        return "be"
    if token.tag_ in ("VB", "VBP"):
        return "have" if word == "'ve" else word
    if (base := _irregular()[1].get(word)) is not None:
        return base
    stem = re.sub(r"([^aeiouls])\1(?:ed|ing)$", r"\1", word)
    candidates = [form for form in (stem, *base_forms(word)) if form != word]
    return next((form for form in candidates if verb_topics(form, base=True)), candidates[-1] if candidates else word)


def inflected(base: str, tag: str) -> str:
    """Return the form of a verb with a tag: VB, VBP, VBZ, VBD or VBN."""
    if base == "be":
        return _BE[tag]
    if tag in ("VB", "VBP"):
        return base
    if tag == "VBZ":
        return {"have": "has", "do": "does", "go": "goes"}.get(base) or re.sub(r"(?<=[^aeiou])y$", "ie", _sibilant(base)) + "s"
    past, participle = _irregular()[0].get(base, ("", ""))
    regular = next(form for form in sorted(regular_inflections(base, "V")) if form.endswith("d") and form != base)
    return (past if tag == "VBD" else participle) or regular


def _sibilant(base: str) -> str:
    return f"{base}e" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else base


def _behind(verb: Token) -> list[str]:
    """Return the words that stand behind a verb, in order; what a question word asks for is "something"."""
    words: list[str] = []
    joined = [child for child in verb.children if child.dep_ == "conj"]
    other_clauses = any(part.dep_ in _SUBJECTS for child in joined for part in child.children)
    for child in verb.children:
        if child.dep_ in ("cc", "conj") and (other_clauses or not joined):
            continue
        remaining = child.dep_ not in _LEFT_OUT | _SUBJECTS | _AUXILIARIES and child.dep_ != "neg"
        if child.i > verb.i and remaining and child.tag_ not in _WH:
            words += [part.text for part in child.subtree]
        elif child.i < verb.i and child.dep_ in ("dobj", "pobj", "dative") and child.subtree:
            words.insert(0, _phrase(child))
        elif child.i < verb.i and child.dep_ == "prt":
            words.append(child.text)
    return words


def _adverbs(verb: Token) -> list[str]:
    return [
        child.text
        for child in verb.children
        if child.i < verb.i and child.dep_ == "advmod" and child.tag_ == "RB" and child.lower_ not in ("still", "longer", "just")
        if not any(part.tag_ in _WH for part in child.children)  # "how often"
    ]


def _auxiliaries(verb: Token) -> list[str]:
    return [child.text for child in verb.children if child.dep_ in (*_AUXILIARIES, "neg") and child.i < verb.i]


def _verb_phrase(verb: Token, tag: str) -> str:
    """Return a verb in a form with what stands behind it; a passive keeps its participle."""
    behind = _behind(verb)
    if any(child.dep_ == "auxpass" for child in verb.children):
        return _joined([_BE[tag], verb.text, *behind])
    again = [word for word in behind if word.lower() not in ("again", "anymore")]
    return _joined([*_adverbs(verb), inflected(base_of_verb(verb), tag), *again])


def _clause(verb: Token) -> str:
    """Return the clause of a verb as a statement: its subject, its auxiliaries, the verb and what stands behind it."""
    being = verb if verb.lower_ in _FORMS_OF_BE else next((child for child in verb.children if child.dep_ == "auxpass"), None)
    if being is not None and being.i <= 2 and (being == verb or verb.tag_.startswith("NN")):
        return _inverted_be(being)
    subjects = [child for child in verb.children if child.dep_ in _SUBJECTS]
    if not subjects or (subjects[-1].lower_ in ("it", "there") and subjects[-1].dep_ == "expl"):
        return ""
    *moved, subject = subjects
    auxiliaries = [child for child in verb.children if child.dep_ in _AUXILIARIES]
    negations = [child for child in verb.children if child.dep_ == "neg"]
    behind = [*_behind(verb), *map(_phrase, moved)]
    if verb.lower_ in _DOING and not behind:
        return ""
    doing = next((child for child in auxiliaries if child.lower_ in _DOING), None)
    if doing is not None and not negations:
        tag = _DOING[doing.lower_]
        base = verb.lower_ if verb.lower_ in _irregular()[0] else _irregular()[1].get(verb.lower_, verb.lower_)
        base = base if verb.tag_ != "VBZ" else base_of_verb(verb)
        return _joined([_phrase(subject), *_adverbs(verb), inflected(base, tag), *behind])
    helpers = [_SHORTENED.get(child.lower_, child.lower_) for child in auxiliaries]
    denials = ["not" if child.lower_ == "n't" else child.text for child in negations]
    if base_of_verb(verb) == "be" and not helpers:
        return _joined([_phrase(subject), verb.text.lower(), *denials, *behind])
    return _joined([_phrase(subject), *helpers[:1], *denials, *helpers[1:], *_adverbs(verb), verb.text, *behind])


def _subject(verb: Token) -> str:
    """Return the subject of a verb, or of what governs it: of "to use" in "began to use", of "which began" what it is said of."""
    for governor in (verb, *verb.ancestors):
        subject = next((child for child in governor.children if child.dep_ in _SUBJECTS), None)
        if subject is not None and not (governor.dep_ == "relcl" and subject.tag_ in _WH):
            return _phrase(subject)
        if governor.dep_ in ("relcl", "acl"):
            return _without_clauses(governor.head)
        if governor.dep_ not in ("xcomp", "conj", "pcomp", "prep", "advcl", "ccomp", "dobj", "pobj"):
            return ""
    return ""


def _without_clauses(noun: Token) -> str:
    """Return a noun phrase without its relative clauses."""
    left_out = {part.i for child in noun.children if child.dep_ in ("relcl", "acl") for part in child.subtree}
    return _joined([part.text for part in noun.subtree if part.i not in left_out])


_NOUN_PHRASE = frozenset("DT PDT PRP$ JJ JJR JJS RBS CD NN NNS NNP NNPS POS HYPH".split())


def _inverted_be(verb: Token) -> str:
    """Return the statement of a question with its subject behind "is": the parser often takes what is said of it for a part.

    The subject ends with the last noun of the noun phrase behind the verb, and of one behind "of".
    """
    doc = verb.doc
    place = end = verb.i + 1 + (doc[verb.i + 1 : verb.i + 2].text.lower() == "it")
    while place < len(doc) and (doc[place].tag_ in _NOUN_PHRASE or (doc[place].lower_ == "of" and end == place)):
        place += 1
        if doc[place - 1].tag_.startswith("NN"):
            end = place
    stop = next((token.i for token in doc[end:] if token.tag_ == "." or token.dep_ == "mark"), len(doc))
    nouns = [token.i for token in doc[verb.i + 1 : end] if token.tag_ in ("NNS", "NNPS")]
    if end == stop and len(nouns) > 1:
        end = nouns[0] + 1  # "Why are sharks mammals?"
    compared = next((token.i for token in doc[verb.i + 2 : end] if token.tag_ == "JJR"), end)
    if doc[compared - 1].tag_.startswith("NN"):
        end = compared  # "Why are men better drivers than women?"
    denied = end < len(doc) and doc[end].lower_ in ("not", "n't")
    subject = _joined([token.text for token in doc[verb.i + 1 : end]])
    rest = _joined([token.text for token in doc[end + denied : stop]])
    return _joined([subject, verb.text.lower(), "not" if denied else "", rest]) if subject and rest else ""


_FORMS: Mapping[str, Callable[[Token], str]] = {
    "phrase": _phrase,
    "noun": _noun,
    "counted": _counted,
    "article": _article,
    "measured": _measured,
    "word": lambda token: token.text,
    "existence": _existence,
    "head": _head,
    "whole": lambda noun: _without_clauses(noun),
    "clause": _clause,
    "subject": _subject,
    "base": lambda verb: _verb_phrase(verb, "VB"),
    "past": lambda verb: _verb_phrase(verb, "VBD"),
    "finite": lambda verb: _joined([*_auxiliaries(verb), verb.text, *_behind(verb)]),
    "bare": lambda verb: _joined([verb.text, *_behind(verb)]),
}


def iterate_examples() -> Iterator[tuple[TriggerRow, str, str]]:
    """Yield the examples of the rows: the question, and the statement that the row finds in it."""
    for row in trigger_rows():
        for example in row.examples:
            yield row, example["question"], example["statement"]
