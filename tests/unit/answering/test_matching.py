"""Claims that answer a question one of whose phrases is no name: candidates, matches, and the answers that they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Verdict
from kgqa.answering.matching.claim_candidates import ClaimCandidate, claim_candidates
from kgqa.answering.matching.claim_matcher import CLAIM_MATCH, ClaimMatch, ClaimMatcher, claim_text, shipped_matcher
from kgqa.answering.matching.name_candidates import name_candidates, phrase_parts
from kgqa.errors import MatcherInvalid
from kgqa.pipeline import Pipeline
from kgqa.questions.classifier import classify
from kgqa.request import Request

CLAIMS = (
    Claim("chlorofluorocarbon", "ozone depletion"),
    Claim("chlorofluorocarbon", "greenhouse effect"),
    Claim("aspirin", "gastrointestinal bleeding"),
    Claim("head injury", "headache"),
    Claim("global cooling", "ice age"),
    Claim("estrogen deficiency", "osteoporosis"),
    Claim("oil embargo", "surge in crude oil prices"),
    Claim("seat belt", "road death", Relation.PREVENTS, Polarity.DECREASES),
    Claim("sickle cell trait", "malaria", Relation.PREVENTS, Polarity.DECREASES),
    Claim("plane crash", "retirement of concorde"),
    Claim("oil crisis", "poor sale of concorde"),
    Claim("treaty", "retirement of concorde pilot"),
    Claim("concorde", "sonic boom"),
    Claim("varroa mite", "decline of honey bees"),
    Claim("pesticide", "fever of honey bees"),
    Claim("failure of levees in new orleans", "flooding in new orleans"),
    Claim("scurvy", "low blood pressure"),
    Claim("stress", "blood pressure"),
)


class FixedMatcher(ClaimMatcher):
    """A matcher that takes the claims in a table for answers, with the probabilities there."""

    def __init__(self, chances: Mapping[str, float]) -> None:
        super().__init__()
        self.chances = chances
        self.judged: list[str] = []

    def judge(self, question: str, candidates: Sequence[ClaimCandidate], model: str = CLAIM_MATCH) -> list[ClaimMatch]:
        """Return what the table has."""
        self.judged += [claim_text(candidate.claim) for candidate in candidates]
        return [ClaimMatch(candidate, self.chances.get(claim_text(candidate.claim), 0.0)) for candidate in candidates]


@pytest.fixture
def store() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as store:
        for claim in CLAIMS:
            source = Source("text", title=claim.effect, page_id=f"{claim.cause} {claim.effect}")
            store.add([Statement(claim, Evidence(source, text=f"{claim_text(claim)}."))])
        yield store


def names_for(question: str, store: GraphStore) -> list[str]:
    return [candidate.name for candidate in claim_candidates(Request(question, classify(question), store))]


def test_the_claims_of_what_is_surely_linked_are_candidates_those_with_words_of_the_other_phrase_first(store: GraphStore) -> None:
    assert names_for("Do CFCs damage the ozone layer?", store) == ["ozone depletion", "greenhouse effect"]


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Can a neck injury cause headaches?", "a sibling"),
        ("Can global warming cause an ice age?", "an opposite"),
        ("Does estrogen cause osteoporosis?", "another direction"),
        ("Do safety belts cause road deaths?", "a claim of another kind"),
        ("What causes headaches?", "one phrase alone"),
        ("Can sitting outdoors in cold wet clothes cause headaches?", "a long phrase"),
        ("Does a sneeze cause a fright?", "nothing is linked"),
    ],
)
def test_no_claim_is_a_candidate_that_says_something_else(store: GraphStore, question: str, why: str) -> None:
    assert names_for(question, store) == [], why


def test_an_effect_may_be_more_of_what_the_question_asks_for_more_of(store: GraphStore) -> None:
    assert names_for("Did the oil embargo increase petrol prices?", store) == ["surge in crude oil prices"]


def test_a_match_gives_its_phrase_a_name_and_the_sentence_says_so(store: GraphStore) -> None:
    matcher = FixedMatcher({"chlorofluorocarbon causes ozone depletion": 0.93})
    answer = Pipeline(store, matcher=lambda: matcher).answer("Do CFCs damage the ozone layer?")
    assert answer.verdict is Verdict.YES
    assert answer.sentence == (
        "Yes: 1 source says that chlorofluorocarbon causes ozone depletion; "
        "'damage the ozone layer' read as 'ozone depletion' (the nearest in meaning)."
    )
    assert "'damage the ozone layer' read as 'ozone depletion' (matched)" in answer.trace


def test_a_prevention_is_answered_by_a_match(store: GraphStore) -> None:
    matcher = FixedMatcher({"sickle cell trait prevents malaria": 0.93})
    answer = Pipeline(store, matcher=lambda: matcher).answer("How does the sickle cell gene protect against malaria?")
    assert "'the sickle cell gene' read as 'sickle cell trait'" in answer.sentence


def test_a_match_lowers_the_confidence_by_its_probability(store: GraphStore) -> None:
    named = Pipeline(store).answer("Do CFCs cause ozone depletion?").confidence
    matcher = FixedMatcher({"chlorofluorocarbon causes ozone depletion": 0.93})
    matched = Pipeline(store, matcher=lambda: matcher).answer("Do CFCs damage the ozone layer?").confidence
    assert 0.0 < matched < 0.8 * named


def test_below_the_bound_nothing_is_matched(store: GraphStore) -> None:
    matcher = FixedMatcher({"chlorofluorocarbon causes ozone depletion": 0.6})
    answer = Pipeline(store, matcher=lambda: matcher).answer("Do CFCs damage the ozone layer?")
    assert answer.verdict is Verdict.UNKNOWN
    assert "nearest" in answer.sentence


def test_a_question_that_is_answered_asks_no_matcher(store: GraphStore) -> None:
    matcher = FixedMatcher({})
    Pipeline(store, matcher=lambda: matcher).answer("Does head injury cause headache?")
    assert matcher.judged == []


def test_without_a_matcher_the_answer_is_unknown(store: GraphStore) -> None:
    assert Pipeline(store, matcher=lambda: None).answer("Do CFCs damage the ozone layer?").verdict is Verdict.UNKNOWN


def test_the_shipped_matcher_takes_ozone_depletion_for_damage_to_the_ozone_layer(store: GraphStore) -> None:
    matcher = shipped_matcher()
    assert matcher is not None
    question = "Do CFCs damage the ozone layer?"
    matches = matcher.judge(question, claim_candidates(Request(question, classify(question), store)))
    best, other = sorted(matches, key=lambda match: -match.probability)
    assert best.candidate.name == "ozone depletion"
    assert best.probability >= matcher.bound() > other.probability


def test_a_damaged_matcher_is_reported_with_its_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = tmp_path_factory.mktemp("matcher") / "model.onnx"
    model.write_bytes(b"no model")
    with pytest.raises(MatcherInvalid, match="is no matcher of claims"):
        ClaimMatcher(model).vectors(["smoking"])


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (Claim("smoking", "atherosclerosis", polarity=Polarity.INCREASES), "smoking increases atherosclerosis"),
        (Claim("seat belt", "death", Relation.PREVENTS, Polarity.DECREASES), "seat belt prevents death"),
        (Claim("lead", "glass", Relation.IS_FOR), "lead is for glass"),
    ],
)
def test_a_claim_is_read_with_the_verb_of_its_relation(claim: Claim, text: str) -> None:
    assert claim_text(claim) == text


@pytest.mark.parametrize(
    ("phrase", "things", "rest"),
    [
        ("Concorde stop flying", ("concorde",), ("stop", "flying")),
        ("the Aral Sea dry up", ("aral", "sea"), ("dry",)),
        ("threatens amphibian populations", ("amphibian",), ("threatens", "population")),
        ("mangroves were cleared", ("mangroves",), ("cleared",)),
    ],
)
def test_the_things_of_a_phrase_are_told_from_what_is_said_of_them(
    phrase: str, things: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    assert phrase_parts(phrase)[:2] == (things, rest)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Why did Concorde stop flying?", ["retirement of concorde", "poor sale of concorde"]),
        ("What caused the demise of honeybee colonies?", ["decline of honey bees", "fever of honey bees"]),
        ("What threatens honeybee colonies?", ["decline of honey bees", "fever of honey bees"]),
        ("Why is Concorde called Concorde?", []),
        ("Why did the levees in New Orleans break?", []),
        ("What happens if Concorde stops flying?", []),
        ("Does the oil crisis stop Concorde flying?", []),
    ],
)
def test_the_names_of_a_phrase_that_is_alone_have_its_things_and_no_other(
    question: str, names: list[str], store: GraphStore
) -> None:
    assert [candidate.name for candidate in name_candidates(Request(question, classify(question), store))] == names


def test_a_phrase_that_is_alone_is_answered_by_the_nearest_name_and_the_sentence_says_so(store: GraphStore) -> None:
    answer = Pipeline(store).answer("What caused the demise of honeybee colonies?")
    assert answer.sentence == (
        "Causes of a decline of honey bees ('the demise of honeybee colonies' was read so: matched): Varroa mites (1 source)."
    )
    assert Pipeline(store, matcher=lambda: None).answer("What caused the demise of honeybee colonies?").answer is None
