"""Write graph/text/data/nouns.tsv: how the nouns of a graph stand in sentences, for the wording of answers.

    python scripts/build/build_wording.py GRAPH [--add]

With `--add` only spellings are added to the table that there is, for a graph that keeps fewer sentences than that was built from.
GRAPH keeps sentences (it was mined with `kgqa mine`). Counted is how the last words of noun phrases stand: in the plural, behind
"a", behind "the" or bare; which words are capitalised inside sentences; which begin an infinitive ("to build"), which an action
("eating the ..."). A word gets into the table where the counts say it clearly. Plurals and gerunds that the suffix rules of
`graph.text.inflection` get wrong are told by lemminflect's tables.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import closing
from functools import cache
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from claim_labels import JUDGEMENTS, SENTENCES, label_rows
from lemminflect import getInflection

from graph.stores import open_store
from graph.text.inflection import gerund_by_rule, plural_by_rule, spell_word, spell_words
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun
from kgqa.settings import starter_graph

OUT = Path(__file__).parents[2] / "graph" / "text" / "data" / "nouns.tsv"
ARTICLES, THE = frozenset({"a", "an"}), frozenset({"the"})
OTHERS = frozenset("this that these those its their his her our my your some any each every no".split())
PREPOSITIONS = frozenset(
    "of in on at by for from to with without against among between during after before over under into through as".split()
)
BEHIND = PREPOSITIONS | frozenset(
    "and or but is are was were be been has have had can could may might will would should must do does did which who that "
    "when while because if than such causes caused cause causing leads led lead leading results resulted resulting".split()
)
"""What can stand behind a noun phrase: the word before it is then its head."""
UNTELLING = frozenset(
    "another other also all such same many more most few several both only own due actually above former latter next".split()
)
"""Words before a noun that do not tell what kind of thing it is."""
ALSO_VERBS = frozenset({"aids"})
"""Abbreviations that in lower case are forms of verbs, whose names hold no verb: a name is never in the plural."""
COMMON_ENDINGS = ("ing", "ed", "ly", "ness", "ized", "ization", "able")
"""Endings of words that no dictionary may have and that are no names."""
UNIQUE = ("moon",)
"""Nouns that stand behind "the" by themselves and that texts on other worlds count in the plural."""
VAGUE_HEADS = frozenset(
    "use half line place time cause end part form number mass rate value force size type purpose function source".split()
)
"""Heads that are particular by what follows them."""
READER_WEIGHT = 3
"""How often a word in a name that a reader wrote counts: its case is deliberate."""
SPELLINGS = frozenset({"capital", "upper", "spelt"})
_SLASHED = re.compile(r"\b[^\W\d_]+/[^\W\d_]+\b")
_TOKEN = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*|[^\w\s]")


def main() -> None:
    """Count over the sentences of the graph, decide, and write."""
    with closing(open_store(sys.argv[1])) as store:
        texts = list(dict.fromkeys(one.evidence.text for one in store.statements() if one.evidence.text))
        names = {name for one in store.edges() for name in (one.cause, one.effect)}
    with closing(open_store(starter_graph())) as store:
        shipped = {name for one in store.edges() for name in (one.cause, one.effect)}
    names |= shipped
    written = read_names()
    wanted = {word for name in names for word in name.split()}
    plain, proper = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    slashed, beside = Counter[tuple[str, str]](), Counter[tuple[str, bool]]()
    cases, starts, gerunds = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for text in texts:
        tokens = _TOKEN.findall(text)
        if sum(token[0].isupper() for token in tokens) * 2 > len(tokens):
            continue
        slashed.update((one.lower(), one) for one in _SLASHED.findall(text))
        for place, token in enumerate(tokens):
            count_case(tokens, place, cases, beside)
            count_verb(tokens, place, starts, gerunds)
            if token.isalpha() and ends_a_phrase(tokens, place):
                count_head(tokens, place, plain, proper)
    for name in written:
        for word in _TOKEN.findall(name):
            cases[word.lower(), word] += READER_WEIGHT
    if sys.argv[2:] == ["--add"]:
        pairs = {pair for name in shipped for pair in map("_".join, pairwise(name.split()))}
        wanted = {word for name in shipped for word in name.split()}
        return write(added_rows(plain, cases, beside, wanted, pairs), len(texts))
    rows = [
        *sorted(forms(plain, {word for (word, as_what), number in starts.items() if as_what == "verb" and number >= 3})),
        *(("unique", word) for word in sorted(uniques(plain))),
        *(("event", word) for word in sorted(events(plain))),
        *(("the", word) for word in sorted(always_the(proper))),
        *sorted(spellings(cases, beside, wanted)),
        *sorted(restored(cases, slashed, wanted)),
        *sorted(verbs(starts)),
        *(("action", word) for word in sorted(actions(gerunds))),
    ]
    return write(rows, len(texts))


def read_names() -> set[str]:
    """Return the names that readers wrote, in which only what is always capitalised is."""
    rows = (row for path in (JUDGEMENTS / "claim-labels.tsv", SENTENCES) for row in label_rows(path, None))
    return {row[end] for row in rows for end in ("cause_name", "effect_name") if row[end]}


def added_rows(
    plain: Counter[tuple[str, str]],
    cases: Counter[tuple[str, str]],
    beside: Counter[tuple[str, bool]],
    wanted: set[str],
    pairs: set[str],
) -> list[tuple[str, str]]:
    """Return the rows of the table that there is with spellings, plurals, and nouns behind "the" that it lacks."""
    rows = table_rows()
    known = {(kind, bare(word)) for kind, word in rows}
    plurals = {word for kind, word in rows if kind == "plural" and "_" not in word and "=" not in word}
    irregular = preferred_plurals(plurals, cases)
    added = [
        *(row for row in spellings(cases, beside, wanted) if row[0] in SPELLINGS and spell_word(bare(row[1])) == bare(row[1])),
        *(("pair", pair) for pair in pairs if beside[pair, True] >= max(2, 4 * beside[pair, False]) and is_lower(pair)),
        *(("unique", word) for word in [*UNIQUE, *pairs.intersection(unique_pairs(plain))]),
        *(("plural", f"{word}={form}") for word, form in irregular.items()),
    ]
    kept = [row for row in rows if row[0] != "plural" or row[1] not in irregular]
    return [
        *kept,
        *sorted(row for row in set(added) if (row[0], bare(row[1])) not in known or row[1] in irregular or "=" in row[1]),
    ]


def is_lower(pair: str) -> bool:
    """Return whether one of two words is not spelt with a capital so far."""
    return any(word[:1].islower() for word in spell_words(pair.split("_")))


def preferred_plurals(nouns: set[str], cases: Counter[tuple[str, str]]) -> dict[str, str]:
    """Return the plurals that are written more often than the regular ones: "fungi", "mosquitoes"."""
    seen = Counter[str]()
    for (_, token), number in cases.items():
        seen[token] += number
    plurals = {}
    for noun in nouns:
        told = getInflection(noun, "NNS", inflect_oov=False) or (plural_by_rule(noun),)
        best = max(told, key=lambda form: (seen[form] if form != noun else 0, form == plural_by_rule(noun)))
        if best != plural_by_rule(noun):
            plurals[noun] = best
    return plurals


def unique_pairs(counts: Counter[tuple[str, str]]) -> list[str]:
    """Return two words that stand behind "the" since there is one such thing: "the greenhouse effect", "the ozone layer"."""
    found = []
    for word in {word for word, _ in counts if "_" in word}:
        the, plural, article, none = (counts[word, form] for form in ("the", "plural", "a", "bare"))
        modifier, head = word.split("_")
        noun = kind_of_noun(head) and not {head, modifier} & (BEHIND | VAGUE_HEADS)
        least = 5 if kind_of_noun(modifier) else 10
        if noun and the >= least and the >= 5 * max(plural, article, none) and not modifier.endswith(("ing", "ed")):
            found.append(word)
    return found


def bare(word: str) -> str:
    """Return a word of the table without its form."""
    return word.partition("=")[0]


def table_rows() -> list[tuple[str, str]]:
    """Return the rows of the table that there is."""
    lines = (line.split("\t") for line in OUT.read_text(encoding="utf-8").splitlines())
    return [(kind.removesuffix("="), word) for kind, words in lines for word in words.split()]


def write(rows: list[tuple[str, str]], sentences: int) -> None:
    """Write the table, a line a kind, and tell how much it holds."""
    kinds: dict[str, list[str]] = {}
    for kind, word in rows:
        kinds.setdefault(f"{kind}=" if "=" in word else kind, []).append(word)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text("".join(f"{kind}\t{' '.join(words)}\n" for kind, words in kinds.items()), encoding="utf-8")
    print(f"{sentences:,} sentences;", ", ".join(f"{len(words):,} {kind}" for kind, words in kinds.items()))


def ends_a_phrase(tokens: list[str], place: int) -> bool:
    """Return whether the word at a place is the last of a noun phrase, as far as the next word tells."""
    following = tokens[place + 1] if place + 1 < len(tokens) else "."
    return not following[0].isalnum() or following.lower() in BEHIND


def count_head(tokens: list[str], place: int, plain: Counter[tuple[str, str]], proper: Counter[tuple[str, str]]) -> None:
    """Count how a head stands: plural, behind "a", behind "the", or bare."""
    word = tokens[place]
    if word[0].isupper() and not (place and tokens[place - 1][0].isupper()):
        return
    lower = word.lower()
    name = singular(lower)
    begun, capital = "", False
    for back in range(place - 1, max(-1, place - 5), -1):
        before = tokens[back].lower()
        if before in ARTICLES | THE | OTHERS:
            begun = before
            break
        if not before[0].isalnum() or before in BEHIND:
            begun = before
            break
        capital = capital or (tokens[back][0].isupper() and back > 0)
    if begun in OTHERS or not begun or (begun in "’'"):
        return
    into = proper if capital or word[0].isupper() else plain
    form = "plural" if lower != name else "a" if begun in ARTICLES else "the" if begun in THE else "bare"
    into[name, form] += 1
    if tokens[place - 1].lower() == begun and tokens[place + 1 : place + 2] != ["of"]:
        into[f"{name} alone", form] += 1
    if tokens[place + 1 : place + 2] == ["of"] and tokens[place + 2 : place + 3] and tokens[place + 2][0].isupper():
        into[f"{name} of", form] += 1
    if place and is_modifier(tokens[place - 1]) and tokens[place - 1] != begun:
        into[f"{tokens[place - 1]}_{name}", form] += 1


def is_modifier(word: str) -> bool:
    """Return whether a word before a noun tells what kind of thing it is, by its look: "heart" of "heart disease"."""
    return word.islower() and word.isalpha() and not word.endswith("ly") and word not in UNTELLING


def forms(counts: Counter[tuple[str, str]], acts: set[str]) -> list[tuple[str, str]]:
    """Return how nouns stand where nothing particular is meant: in the plural, or behind "a", with forms that no rule tells.

    Nouns with the word before them are told where they stand otherwise than the noun does by itself. What looks like the plural
    of one of `acts`, which are verbs as well, is often a verb.
    """
    nouns = {word for word, _ in counts if " " not in word}
    found = {word: form for word in nouns if (form := usual(word, counts, 1 if word in acts else 3))}
    rows = []
    for word, form in found.items():
        before, _, noun = word.rpartition("_")
        if not before:
            told = getInflection(word, "NNS", inflect_oov=False)
            if form == "bare" or not told:
                continue
            regular = form == "article" or plural_by_rule(word) in told
            rows.append((form, word if regular else f"{word}={told[0]}"))
        elif found.get(noun, "bare") != form and form != "article":
            rows.append((form, word))
    return rows


def usual(word: str, counts: Counter[tuple[str, str]], favour: int) -> str | None:
    """Return how a noun mostly stands, with `favour` for the plural; `None` where too little is known."""
    plural, article, bare = (counts[word, form] for form in ("plural", "a", "bare"))
    if plural + article + bare < 4 or not word.isascii() or len(word) < 3:
        return None
    if plural >= 2 and plural >= max(article / favour, bare):
        return "plural"
    return "article" if article > bare and article + plural > 1.5 * bare else "bare"


def restored(cases: Counter[tuple[str, str]], slashed: Counter[tuple[str, str]], wanted: set[str]) -> list[tuple[str, str]]:
    """Return words that lost an "s" that was no plural's ("tremen"), and words with a slash as they are written ("HIV/AIDS")."""
    seen = Counter[str]()
    for (lower, _), number in cases.items():
        seen[lower] += number
    rows = []
    for word in wanted:
        whole = word + "s"
        if "/" in word:
            written = Counter({one: number for (lower, one), number in slashed.items() if lower in (word, whole)})
            if written and (best := written.most_common(1)[0][0]) != word:
                rows.append(("spelt", f"{word}={best}"))
        elif word.isascii() and word.isalpha() and not seen[word] and seen[whole] >= 2:
            known = getInflection(word, "NNS", inflect_oov=False) or getInflection(word, "VB", inflect_oov=False)
            written = Counter({one: number for (lower, one), number in cases.items() if lower == whole})
            if not known:
                rows.append(("spelt", f"{word}={written.most_common(1)[0][0]}"))
    return rows


def uniques(counts: Counter[tuple[str, str]]) -> list[str]:
    """Return the nouns that stand behind "the" by themselves, since there is one of them: "the environment"."""
    alone = {word.removesuffix(" alone") for word, _ in counts if word.endswith(" alone")}
    return [
        word
        for word in alone
        if (the := counts[f"{word} alone", "the"]) >= 30
        and the > 4 * counts[f"{word} alone", "bare"]
        and the > 5 * counts[word, "a"]
        and the > 2 * counts[word, "plural"]
        and word not in UNTELLING
    ]


def events(counts: Counter[tuple[str, str]]) -> list[str]:
    """Return the nouns that stand behind "the" before the name of what they happened to: "the assassination of Caesar"."""
    words = {word.removesuffix(" of") for word, _ in counts if word.endswith(" of")}
    return [
        word
        for word in words
        if (the := counts[f"{word} of", "the"]) >= 2
        and the >= 2 * max(counts[f"{word} of", form] for form in ("plural", "a", "bare"))
    ]


def always_the(counts: Counter[tuple[str, str]]) -> list[str]:
    """Return the nouns that stand behind "the" where a proper name goes before them: "the French Revolution"."""
    words = {word for word, _ in counts if word.isascii() and word.isalpha()}
    return [
        word
        for word in words
        if (the := counts[word, "the"]) >= 4 and the > 2 * max(counts[word, form] for form in ("plural", "a", "bare"))
    ]


def count_case(tokens: list[str], place: int, cases: Counter[tuple[str, str]], beside: Counter[tuple[str, bool]]) -> None:
    """Count how a word inside a sentence is spelt; behind a full stop, a colon or a quote anything may be capitalised.

    Counted apart is whether it is capitalised beside a word that is.
    """
    token = tokens[place]
    if place > 1 and tokens[place - 1] == '"' and tokens[place - 2][-1].isalnum() and token[0].isalpha():
        cases[token.lower(), token] += 1  # names of species stand in quotes
    if not place or tokens[place - 1] in {".", ":", "“", '"', "!", "?", "”", "(", "'"} or not token[0].isalpha():
        return
    cases[token.lower(), token] += 1
    if any(0 < near < len(tokens) and tokens[near][0].isupper() for near in (place - 1, place + 1)):
        beside[token.lower(), token[0].isupper()] += 1
    if place > 1 and tokens[place - 1].isalpha() and tokens[place - 2] not in {".", ":", "“", '"', "!", "?", "”", "(", "'"}:
        both = token[0].isupper() and tokens[place - 1][0].isupper()
        beside[f"{tokens[place - 1].lower()}_{token.lower()}", both] += 1


def spellings(cases: Counter[tuple[str, str]], beside: Counter[tuple[str, bool]], wanted: set[str]) -> list[tuple[str, str]]:
    """Return the words of names that are seldom spelt in lower case, and those that are so only beside a capitalised word."""
    by_word: dict[str, Counter[str]] = {}
    for (lower, token), number in cases.items():
        by_word.setdefault(lower, Counter())[token] += number
    found = []
    for word in wanted & by_word.keys():
        if "=" in word:
            continue
        if word in ALSO_VERBS:
            found.append(("upper", word))
            continue
        (best, number), *_ = by_word[word].most_common(1)
        least = 3 if is_common(word) else 1 if best == word.capitalize() else 2
        if best != word and number >= least and by_word[word][word] * 20 <= by_word[word].total():
            kind = "capital" if best == word.capitalize() else "upper" if best == word.upper() else "spelt"
            found.append((kind, f"{word}={best}" if kind == "spelt" else word))
        elif word not in BEHIND | ARTICLES | THE | OTHERS and beside[word, True] >= max(4, 2 * beside[word, False]):
            found.append(("beside", word))
    only_beside = {word for kind, word in found if kind == "beside"}
    pairs = (pair for pair, both in beside if both and "_" in pair)
    often = (pair for pair in pairs if beside[pair, True] >= max(4, 4 * beside[pair, False]))
    return [*found, *(("pair", pair) for pair in often if only_beside.issuperset(pair.split("_")))]


@cache
def is_common(word: str) -> bool:
    """Return whether a word may be a common one: a dictionary has it, or its ending is that of one."""
    inflected = any(getInflection(word, tag, inflect_oov=False) for tag in ("NNS", "VBD", "JJR"))
    return inflected or bool(kind_of_noun(word)) or word.endswith(COMMON_ENDINGS) or len(word) < 2


def count_verb(tokens: list[str], place: int, starts: Counter[tuple[str, str]], gerunds: Counter[tuple[str, str]]) -> None:
    """Count how often a word is an infinitive, and how often a form in -ing has an object."""
    word = tokens[place].lower()
    before = tokens[place - 1].lower() if place else ""
    after = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
    particular = before in ARTICLES | THE | OTHERS or before in PREPOSITIONS - {"to"}
    if before == "to":
        starts[word, "verb"] += 1
    elif particular:
        starts[word, "noun"] += 1
    if word.endswith("ing") and len(word) > 4:
        if after in ARTICLES | THE | OTHERS:
            gerunds[word, "action"] += 1
        elif before in ARTICLES | THE | OTHERS:
            gerunds[word, "noun"] += 1


def verbs(counts: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the words that are infinitives ("verb"), and those that are nouns as often ("either"), with irregular gerunds."""
    found = []
    for word in {word for word, _ in counts if word.isascii() and word.isalpha()}:
        verb, noun = counts[word, "verb"], counts[word, "noun"]
        told = getInflection(word, "VBG", inflect_oov=False)
        if verb < 3 or not told or verb < noun or word in BEHIND | ARTICLES | THE:
            continue
        said = next((form for form in told if form == gerund_by_rule(word)), told[0])
        found.append(("verb" if verb > 4 * noun else "either", word if said == gerund_by_rule(word) else f"{word}={said}"))
    return found


def actions(counts: Counter[tuple[str, str]]) -> list[str]:
    """Return the forms in -ing that have objects more often than articles: "eating the egg", not "a burning sensation"."""
    words = {word for word, _ in counts if not word.endswith("thing") and word not in ("bring", "spring", "string", "during")}
    return [word for word in words if (n := counts[word, "action"]) >= 3 and n > counts[word, "noun"]]


if __name__ == "__main__":
    main()
