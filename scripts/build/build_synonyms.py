"""Build the tables that linking reads: other names, forms of words and opposites, from WordNet 3.0 and the leads of Wikipedia.

    python scripts/build/build_synonyms.py /usr/share/wordnet ../shared/data/wikipedia/enwiki-2015-30k.wikiextractor.txt.bz2 \
        kgqa/linking/data

WordNet's database is in Debian's package wordnet-base; the articles are a WikiExtractor file. Each table has one line a key, the
lines in the order of their bytes, so that a line is found without reading the others.

- `synonyms.tsv`: a name, a tab, and the names that say the same, with "|" between them. From WordNet: nouns of one synset, for
  each of which that is the usual sense. From the first sentence of an article: what its subject is "also known as", where
  no other article claims that name, and the letters in brackets behind its title.
- `forms.tsv`: a noun that names an act, an event or a state, an adjective of such a state, or an irregular form of a verb, a tab,
  and the word that all of its family are known by: its verb, or else the noun.
- `opposites.tsv`: a word, a tab, and its antonyms.
- `verbs.tsv`: a verb, or its form in -ing, that is neither a noun nor an adjective, a tab, and the verb.
"""

from __future__ import annotations

import bz2
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from graph.text.normalise import concept_name

# The lexicographer files (lexnames, WordNet 3.0) of nouns that causes and effects are named by; people, places, times are not.
_KINDS = frozenset({4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 19, 20, 21, 22, 26, 27})
_EVENTUALITIES = frozenset({4, 7, 9, 11, 12, 16, 19, 22, 24, 26})
_ACTS = frozenset({4, 11, 12, 22, 26})
_USUAL = 3
"""So many times as often as the next sense must the usual one be tagged."""
_WORD = re.compile(r"[a-z][a-z' -]+")
_KNOWN_AS = re.compile(
    r"\b(?:also|commonly|more commonly|better|colloquially|often|sometimes|popularly|generally|usually|informally|or)\b"
    r"(?: (?:also|commonly|simply|just|and|or|more|informally|colloquially))*"
    r" (?:known|called|referred to|termed|abbreviated)(?: (?:simply|as|to|commonly|just))*"
    r" (.{3,90}?)(?: is | are | was | were |[.;()]|$)"
)
_BRACKET = re.compile(r" \(([A-Z]{3,6}|[A-Za-z][a-z' -]{2,40})\)")
_BEFORE = re.compile(r"(?:[A-Za-z][a-z]+[ -]){0,5}[A-Za-z][a-z]+$")
_TALK = r"(?:or|also|commonly|often|sometimes|known|called|more|as|the|an?) "
_KNOWN = re.compile(f"^(?:{_TALK})+")


def main() -> None:
    """Read the sources and write the tables."""
    database, articles, folder = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    wordnet = WordNet(database)
    names = wordnet.synonyms()
    nouns = {lemma.replace("_", " ") for (kind, lemma), senses in wordnet.senses.items() if kind == "noun" and len(senses) <= 2}
    for one, other in (*lead_names(articles), *bracketed(articles, nouns)):
        if other not in names[one] and len(names[one]) < 12:
            names[one].add(other)
            names[other].add(one)
    write(folder / "synonyms.tsv", {name: "|".join(sorted(others)) for name, others in names.items() if others})
    write(folder / "forms.tsv", wordnet.forms())
    write(folder / "verbs.tsv", wordnet.only_verbs())
    write(folder / "opposites.tsv", {word: "|".join(sorted(others)) for word, others in wordnet.antonyms().items()})


def write(path: Path, lines: dict[str, str]) -> None:
    """Write a table in the order of its keys' bytes."""
    path.write_text("".join(f"{key}\t{lines[key]}\n" for key in sorted(lines)), encoding="ascii")
    print(f"{path}: {len(lines):,} lines, {path.stat().st_size / 1000:.0f} kB")


class WordNet:
    """WordNet's database, read whole."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.synsets = {kind: {line[:8]: line.split(" | ")[0].split() for line in _lines(database / f"data.{kind}")} for kind in
                        ("noun", "verb", "adj", "adv")}  # fmt: skip
        self.tagged: Counter[tuple[str, str, int]] = Counter()
        self.senses: dict[tuple[str, str], list[str]] = {}
        for kind in self.synsets:
            for line in _lines(database / f"index.{kind}"):
                lemma, *fields = line.split()
                self.senses[kind, lemma] = [field for field in fields if len(field) == 8 and field.isdigit()]
        for line in (database / "cntlist.rev").read_text(encoding="ascii").splitlines():
            key, number, count = line.split()
            lemma, sense = key.split("%")
            self.tagged[{"1": "noun", "2": "verb"}.get(sense[0], "adj"), lemma, int(number)] += int(count)

    def words(self, kind: str, offset: str) -> list[str]:
        """Return the words of a synset as they are written."""
        fields = self.synsets[kind][offset]
        return [re.sub(r"\(.*\)", "", word) for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]

    def usual(self, kind: str, lemma: str) -> str:
        """Return the synset of the usual sense of a word; empty where none is."""
        offsets = self.senses.get((kind, lemma), [])
        counts = [self.tagged[kind, lemma, number] for number in range(1, len(offsets) + 1)]
        usual = len(offsets) == 1 or (bool(offsets) and counts[0] >= 2 and counts[0] >= _USUAL * counts[1])
        return offsets[0] if usual else ""

    def synonyms(self) -> defaultdict[str, set[str]]:
        """Return for each noun the others of its synset, for all of which that sense is the usual one."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for offset, fields in self.synsets["noun"].items():
            if int(fields[1]) not in _KINDS:
                continue
            written = [word.replace("_", " ") for word in self.words("noun", offset)]
            alike = {
                name
                for word in written
                if (_WORD.fullmatch(word) or word.isupper())
                and self.usual("noun", word.lower().replace(" ", "_")) == offset
                and (name := concept_name(word))
                and self.usual("noun", name.replace(" ", "_")) in ("", offset)
                and (name in word.lower().replace("-", " ") or ("noun", name.replace(" ", "_")) not in self.senses)
            }
            for name in alike:
                found[name] |= alike - {name}
        return found

    def forms(self) -> dict[str, str]:
        """Return for each noun of an act, adjective of a state and irregular form what its family is known by."""
        found = self.acts()
        for adjective, noun in self.states().items():
            if ("noun", adjective) not in self.senses:
                found.setdefault(adjective, found.get(noun, noun))
        for line in (self.database / "verb.exc").read_text(encoding="ascii").splitlines():
            form, verb = line.split()[:2]
            if _WORD.fullmatch(form) and _WORD.fullmatch(verb) and ("noun", form) not in self.senses:
                found.setdefault(form, verb)
        return found

    def acts(self) -> dict[str, str]:
        """Return for each noun of an act, an event or a state the verb that it is derived from."""
        found: dict[str, str] = {}
        for offset, fields in self.synsets["noun"].items():
            if int(fields[1]) not in _EVENTUALITIES:
                continue
            for place, target, target_place in self.pointers(fields, "+", "v"):
                noun, verb = self.words("noun", offset)[place - 1], self.words("verb", target)[target_place - 1]
                first = (self.senses.get(("noun", noun.lower())) or [""])[0]
                named = int(fields[1]) in _ACTS or self.senses["verb", verb.lower()][0] == target
                if noun == verb and not named:
                    continue
                if _WORD.fullmatch(noun) and _WORD.fullmatch(verb) and first == offset and len(verb) > 2:
                    best = found.get(noun)
                    if best is None or _shared(noun, verb) > _shared(noun, best):
                        found[noun] = verb
        return found

    def states(self) -> dict[str, str]:
        """Return for each adjective the shortest noun of the state that it gives."""
        found: dict[str, str] = {}
        for offset, fields in self.synsets["noun"].items():
            for place, target, target_place in self.pointers(fields, "+", "a") if int(fields[1]) in _EVENTUALITIES else ():
                noun, adjective = self.words("noun", offset)[place - 1], self.words("adj", target)[target_place - 1]
                usual = self.usual("adj", adjective) == target and (self.senses.get(("noun", noun)) or [""])[0] == offset
                if _WORD.fullmatch(noun) and _WORD.fullmatch(adjective) and usual and _shared(noun, adjective) >= 4:
                    found[adjective] = min(found.get(adjective, noun), noun, key=lambda one: (len(one), one))
        return found

    def only_verbs(self) -> dict[str, str]:
        """Return the verbs and their forms in -ing that are nothing else, each with its verb."""
        verbs = [lemma for kind, lemma in self.senses if kind == "verb" and re.fullmatch("[a-z]{3,}", lemma)]
        forms = [(form, verb) for verb in verbs for form in (verb, f"{verb}ing", f"{verb.removesuffix('e')}ing")]
        return {form: verb for form, verb in forms if not {("noun", form), ("adj", form)} & self.senses.keys()}

    def antonyms(self) -> dict[str, set[str]]:
        """Return the antonyms of each word, in any of its senses."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for kind, letters in (("noun", "n"), ("verb", "v"), ("adj", "as"), ("adv", "r")):
            for offset, fields in self.synsets[kind].items():
                for letter in letters:
                    for place, target, target_place in self.pointers(fields, "!", letter):
                        if target not in self.synsets[kind]:
                            continue
                        one = self.words(kind, offset)[place - 1].lower()
                        other = self.words(kind, target)[target_place - 1].lower()
                        if _WORD.fullmatch(one) and _WORD.fullmatch(other) and one != other:
                            found[one].add(other)
        return found

    def pointers(self, fields: list[str], symbol: str, letter: str) -> Iterator[tuple[int, str, int]]:
        """Iterate over the pointers of a kind between two words: the place of the one, and synset and place of the other."""
        at = 4 + 2 * int(fields[3], 16)
        for start in range(at + 1, at + 1 + 4 * int(fields[at]), 4):
            kind, offset, to, places = fields[start : start + 4]
            if kind == symbol and to == letter and places != "0000":
                yield int(places[:2], 16), offset, int(places[2:], 16)


def lead_names(articles: Path) -> Iterator[tuple[str, str]]:
    """Iterate over the titles of articles with another name of their subject that no second article claims."""
    titles: set[str] = set()
    pairs: list[tuple[str, str]] = []
    for title, lead in leads(articles):
        titles.add(concept_name(title))
        pairs.extend((title, other) for other in others_named(title, lead))
    claimed = Counter(concept_name(other) for _, other in dict.fromkeys(pairs))
    for title, other in dict.fromkeys(pairs):
        one, name = concept_name(title), concept_name(other)
        if one != name and claimed[name] == 1 and name not in titles and one.isascii() and name.isascii() and "|" not in name:
            yield one, name


def bracketed(articles: Path, nouns: set[str]) -> Iterator[tuple[str, str]]:
    """Iterate over the names that stand in brackets behind one another, and over initials with what they are short for."""
    said: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    short: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for page, before, inside in brackets(articles):
        if inside.isupper():
            words = before.lower().replace("-", " ").split()[-len(inside) :]
            if len(words) == len(inside) and "".join(word[:1] for word in words) == inside.lower():
                short[inside.lower()][concept_name(" ".join(words))].add(page)
            continue
        name, words = concept_name(_KNOWN.sub("", inside)), before.split()
        fronts = (concept_name(" ".join(words[start:])) for start in range(len(words)))
        one = next((front for front in fronts if front in nouns), name)
        if name in nouns and one != name:
            said[one, name].add(page)
    for (one, other), pages in said.items():
        back = said.get((other, one), set())
        least = 1 if " " in one and " " in other else 2
        if one < other and len(back) >= least <= len(pages) and len(pages | back) >= 3:
            yield one, other
    for initials, longs in short.items():
        every = sum(map(len, longs.values()))
        name, pages = max(longs.items(), key=lambda item: (len(item[1]), item[0]))
        if len(pages) >= 2 and len(pages) >= 0.8 * every and initials not in nouns - {name} and name.isascii():
            yield name, initials


def brackets(articles: Path) -> Iterator[tuple[str, str, str]]:
    """Iterate over the page, the words before a bracket, six at most, and what stands in it."""
    page = ""
    with bz2.open(articles, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("<doc "):
                page = line.split('"')[1]
            for match in _BRACKET.finditer(line):
                before = _BEFORE.search(line[max(0, match.start() - 90) : match.start()])
                if before is not None:
                    yield page, before[0], match[1]


def leads(articles: Path) -> Iterator[tuple[str, str]]:
    """Iterate over the titles of articles about no person and no place with a comma, with their first sentence."""
    title, waits = "", 0
    with bz2.open(articles, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("<doc "):
                title, waits = line.rpartition('title="')[2].split('">')[0], 3
            elif waits and line.strip() and line.strip() != title:
                waits = 0
                if re.fullmatch(r"[A-Z]?[a-z' -]+", title):
                    yield title, re.split(r"(?<=[a-z)\"])\. (?=[A-Z])", line.strip())[0][:600]


def others_named(title: str, lead: str) -> Iterator[str]:
    """Iterate over the names that the first sentence gives besides the title; only before its verb."""
    place = lead.lower().find(title.lower())
    if not 0 <= place <= 5:
        return
    rest = lead[place + len(title) :]
    verb = re.search(r"(?:^|[ ),])(?:is|are|was|were|occurs?|refers|describes)\b", rest)
    before = rest[: verb.start()] if verb else ""
    for match in _KNOWN_AS.finditer(before + "."):
        for name in re.split(r",? (?:or|and)(?: (?:simply|also|just|as))* |, ", match[1]):
            cleaned = re.sub(r"^(?:as |simply |just |the |a |an )+", "", name.strip(" \"'.,“”"))
            if re.fullmatch(r"[a-z][a-z' -]{3,40}|[A-Z]{3,6}", cleaned) and len(cleaned.split()) <= 4 and not _is_talk(cleaned):
                yield cleaned


def _is_talk(name: str) -> bool:
    """Say whether what was cut out is no name but a piece of the sentence."""
    return bool(
        set(
            "by as its their which that when in with to for known called sometimes from it especially "
            "particularly formerly is often usually".split()
        )
        & set(name.split())
    )


def _shared(one: str, other: str) -> int:
    """Return how many letters two words begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _lines(path: Path) -> Iterable[str]:
    """Return the lines of a database file without its licence, which is set in by two spaces."""
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main()
