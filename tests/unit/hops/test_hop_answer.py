"""Links that are followed, or named; links in circles, to nowhere, too many, and of a passage that forbids following them."""

from __future__ import annotations

import time

import pytest

from graph.model import Alias, Source
from graph.sources.article import Article, ArticleLink
from kgqa.answer_model import Answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.passages.linked_passage import passage_article
from kgqa.reasons import Step
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.passage_splitting import passage_pages

PASSAGE = "The author Carl Weber was born in [[Cooksville]], north of [[Normal, Illinois|Normal]], and went to [[Paris]]."
FOUNDED = "When was the town that Weber was born in founded?"


def article(title: str, text: str) -> Article:
    links = passage_article(text)
    return Article(Source("text", title, title), links.text, links=links.links)


ARTICLES: list[Article | Alias] = [
    article("Cooksville, Illinois", "Cooksville is a town in Illinois. It was founded in 1882 by [[Frederick Koch]]."),
    article("Normal, Illinois", "Normal is a town in Illinois. It was founded in 1865."),
    article("Frederick Koch", "Frederick Koch was a dealer. He was born in [[Westphalia]]. He founded [[Cooksville]]."),
    article("Westphalia", "Westphalia is a region of Germany. See [[Frederick Koch]]."),
    article("Paris", "Paris may refer to: a city in France, a town in Texas."),
    Alias("cooksville", "cooksville, illinois", ("Cooksville", "Cooksville, Illinois")),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("articles") / "a.passages"
    return str(build_passage_index(path, passage_pages(ARTICLES)).path)


def ask(question: str, passage: str | Article, articles: str | None, *, follows: bool = True) -> Answer:
    with AnswerSession("memory:", AnswerOptions(articles=articles, follows=follows)) as session:
        return session.answer(question, passage)


def steps(answer: Answer, kind: str) -> list[tuple[object, ...]]:
    return [step.facts for step in (*answer.steps, *answer.remarks) if isinstance(step, Step) and step.kind == kind]


def test_a_link_is_followed_through_a_redirect_and_the_hop_is_shown(index: str) -> None:
    answer = ask(FOUNDED, PASSAGE, index)
    assert answer.answer is not None
    assert "1882" in answer.answer
    assert steps(answer, "hop")[0][:2] == (1, "Cooksville, Illinois")
    assert any("When was Cooksville, Illinois founded?" in line for line in answer.trace)


def test_without_following_it_is_said_which_article_probably_tells(index: str) -> None:
    answer = ask(FOUNDED, PASSAGE, index, follows=False)
    assert answer.sentence == (
        "Unknown: the passage does not tell; the article “Cooksville, Illinois”, linked in its first sentence, probably does "
        "(--follow reads it)."
    )
    (gap,) = answer.missing
    assert (gap.slot, gap.type) == ("When was Cooksville, Illinois founded?", "date")
    place = gap.places[0]
    assert (place.kind, place.text, place.anchor, place.sentence) == ("link", "Cooksville, Illinois", "Cooksville", 1)
    assert place.offset == passage_article(PASSAGE).text.index("Cooksville")
    assert place.probability is not None
    assert 0.5 <= place.probability <= 1.0


def test_without_an_index_the_link_is_named_and_how_to_read_it() -> None:
    answer = ask(FOUNDED, PASSAGE, None, follows=False)
    assert "(--articles INDEX --follow reads it)" in answer.sentence


def test_what_the_passage_tells_is_answered_by_it(index: str) -> None:
    answer = ask("Where was Carl Weber born?", PASSAGE, index)
    assert answer.answer is not None
    assert "Cooksville" in answer.answer
    assert steps(answer, "hop") == []


def test_a_passage_that_forbids_following_its_links_is_obeyed(index: str) -> None:
    page = '<html><meta name="robots" content="nofollow"><p>Carl Weber was born in <a href="/wiki/Cooksville">Cooksville</a>.</p>'
    answer = ask(FOUNDED, page, index)
    assert answer.answer is None
    assert steps(answer, "hop") == []
    assert "The passage forbids following its links; none was followed." in answer.notes


def test_links_in_circles_end_after_three_hops(index: str) -> None:
    answer = ask("How many people voted in the town that Weber was born in?", PASSAGE, index)
    hops = steps(answer, "hop")
    assert len({hop[1] for hop in hops}) == len(hops)
    assert all(int(str(hop[0])) <= 3 for hop in hops)


def test_links_to_nowhere_and_to_lists_of_names_are_reported(index: str) -> None:
    answer = ask("When was the college that Weber went to founded?", PASSAGE.replace("Normal, Illinois", "Nowhere"), index)
    assert answer.answer is None or steps(answer, "hop")
    remarks = " ".join(answer.notes)
    assert "1 link of the passage leads to no article here, such as “Nowhere”" in remarks or answer.is_decided
    assert "“Paris” only lists articles of that name" in remarks or answer.is_decided


def test_ten_thousand_links_take_bounded_time(index: str) -> None:
    text = " ".join(f"The town t{number} lies near the river." for number in range(10_000)) + " Weber was born in Cooksville."
    places, offset = [], 0
    for number in range(10_000):
        offset = text.index(f"t{number} ", offset)
        places.append(ArticleLink(f"t{number}", offset, f"T{number}"))
    places.append(ArticleLink("Cooksville", text.index("Cooksville"), "Cooksville"))
    began = time.perf_counter()
    ask(FOUNDED, Article(Source("text", ""), text, links=tuple(places)), index)
    assert time.perf_counter() - began < 60


def test_a_second_hop_follows_what_the_first_names_and_both_are_told(index: str) -> None:
    answer = ask("Where was the founder of the town that Weber was born in born?", PASSAGE, index)
    assert answer.answer == "Westphalia"
    assert [hop[:2] for hop in steps(answer, "hop")] == [(1, "Cooksville, Illinois"), (2, "Frederick Koch")]
    assert [note for note in answer.notes if note.startswith("Read for it")] == [
        "Read for it: “Cooksville, Illinois”, linked as “Cooksville” in sentence 1.",
        "Read for it, then: “Frederick Koch” in sentence 2.",
    ]


def test_for_a_passage_without_links_the_article_that_fits_best_is_named_or_read(index: str) -> None:
    unread = ask("When was Normal, Illinois founded?", "Weber wrote a history of towns.", index, follows=False)
    assert unread.answer is None
    assert [place.text for place in unread.missing[-1].places][:1] == ["Normal, Illinois"]
    read = ask("When was Normal, Illinois founded?", "Weber wrote a history of towns.", index)
    assert read.answer == "1865"
