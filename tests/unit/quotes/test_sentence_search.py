from __future__ import annotations

from dataclasses import replace

import pytest

from graph.belief.independence import sketch
from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.quotes.quote_file import QuoteFit
from graph.quotes.sentence_search import PlaceIndex, SentenceSearch
from graph.sources.article import Article

SOURCE = Source("wikipedia", "Flood", "7")
SENTENCE = "Heavy rainfall over several days often causes disastrous floods in mountain valleys."
LONG = f"Floods are old. {SENTENCE} They end."


CLAIM = Claim("heavy rainfall", "flood")


def statement(text: str, place: str, claim: Claim = CLAIM, **fields: object) -> Statement:
    """A statement whose record knows the place of `place` in a text, and its sketch, and not its words."""
    start = text.index(place)
    record = Evidence(SOURCE, rule="cause.active", start=start, end=start + len(place), sketch=sketch(place))
    return Statement(claim, replace(record, **fields))  # type: ignore[arg-type]


def search(text: str) -> SentenceSearch:
    return SentenceSearch(Article(SOURCE, text))


def test_a_sentence_is_quoted_from_its_place() -> None:
    assert search(LONG).same_sentence(statement(LONG, SENTENCE)) == SENTENCE


def test_a_sentence_that_has_moved_is_the_same_sentence() -> None:
    moved = f"A new paragraph came.\n{LONG}"
    assert search(moved).quote(statement(LONG, SENTENCE), 5) == (QuoteFit.SAME, SENTENCE, 5)


def test_a_sentence_with_the_one_before_is_quoted_with_it() -> None:
    text = f"They say so. {SENTENCE} It was seen elsewhere."
    assert search(text).same_sentence(statement(text, f"They say so. {SENTENCE}")) == f"They say so. {SENTENCE}"


@pytest.mark.parametrize("text", ["", "Droughts are old. " * 9, LONG.replace("disastrous floods", "remarkable slides")])
def test_another_sentence_at_the_place_is_never_quoted(text: str) -> None:
    assert search(text).same_sentence(statement(LONG, SENTENCE)) is None


def test_a_part_of_a_sentence_at_the_place_is_never_quoted() -> None:
    text = LONG.replace("Floods are old.", "Floods are so ol.")
    assert search(text.replace("They end.", "They.")).same_sentence(statement(LONG, SENTENCE)) == SENTENCE
    assert search(text.replace(f"{SENTENCE} T", f"{SENTENCE[:-1]}, t")).same_sentence(statement(LONG, SENTENCE)) is None


def test_a_short_sentence_without_a_sketch_must_speak_of_the_claim() -> None:
    text, claim = "He died of cancer in 1999. She lived.", Claim("cancer", "death")
    short = statement(text, "He died of cancer in 1999.", claim, rule="die-from.verb")
    assert short.evidence.sketch == ""
    assert search(text).same_sentence(short) == "He died of cancer in 1999."
    assert search(text.replace("cancer", "typhus")).same_sentence(short) is None
    assert search(text.replace("died of", "wrote on")).same_sentence(short) is None


def test_a_reworded_sentence_is_taken_for_what_it_is() -> None:
    reworded = SENTENCE.replace("several days", "a week or several days").replace("often", "very often")
    fit, text, _ = search(f"Floods are old. {reworded}").quote(statement(LONG, SENTENCE))
    assert (fit, text) == (QuoteFit.REWORDED, reworded)


@pytest.mark.parametrize(
    "reworded",
    [
        SENTENCE.replace("often causes", "does not cause"),
        SENTENCE.replace("causes disastrous floods", "is seen, never with disastrous floods, and causes mud"),
        SENTENCE.replace("causes disastrous floods", "is followed by disastrous floods"),
        SENTENCE.replace("Heavy rainfall", "Snow"),
    ],
)
def test_a_reworded_sentence_that_no_longer_states_the_claim_is_not_quoted(reworded: str) -> None:
    assert search(reworded).quote(statement(LONG, SENTENCE)) == (QuoteFit.MISSING, "", 0)


def test_a_record_that_denies_is_quoted_from_a_sentence_that_denies() -> None:
    denial = SENTENCE.replace("often causes", "does not cause")
    record = statement(denial, denial, stance=Stance.NEGATED)
    assert search(f"Indeed, {denial}").quote(record).fit is QuoteFit.REWORDED
    assert search(f"Indeed, {SENTENCE}").quote(record).fit is QuoteFit.MISSING


def test_the_places_of_a_graph_are_counted_by_what_their_articles_have() -> None:
    fitting, changed = statement(LONG, SENTENCE), statement(LONG, "They end.")
    elsewhere = replace(fitting, evidence=replace(fitting.evidence, source=Source("wikipedia", "Rain", "8")))
    places = PlaceIndex([fitting, changed, elsewhere])
    assert list(places.sentences_in(Article(SOURCE, LONG))) == [(fitting, SENTENCE)]
    assert (places.changed, places.absent) == (1, 1)
    assert list(places.sentences_in(Article(SOURCE, LONG))) == []
    assert list(places.sentences_in(Article(Source("wikipedia", "Rain"), LONG))) == [(elsewhere, SENTENCE)]
    assert (places.changed, places.absent) == (1, 0)
