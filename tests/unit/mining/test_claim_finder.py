from __future__ import annotations

from collections.abc import Sequence

import pytest
from tokenizers import Tokenizer

from graph.mining.judge.claim_finder import FINDER_TOKENS, FinderInputMaker, end_tokens
from graph.mining.judge.claim_judge import SHIPPED_JUDGE, EncoderJudge, Judgement
from graph.mining.judge.judge_input import FOUND, Proposal
from graph.mining.miner import Miner
from graph.model import Polarity, Relation, Stance

SENTENCE = "Heavy rain in the hills swept the wooden bridge away and ruined the harvest, so prices rose."
KILLING = (Relation.PREVENTS, Polarity.DECREASES)


class _Pairs:
    """A judge that finds given pairs of words in every sentence, and takes every proposal for stated, or cannot read any."""

    version = "pairs"

    def __init__(self, *pairs: tuple[str, str], reads: bool = True) -> None:
        self.pairs, self.reads = pairs, reads

    def find(self, text: str, words: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        places = {text[slice(*span)]: place for place, span in reversed(list(enumerate(words)))}
        return [(places[cause], places[effect]) for cause, effect in self.pairs if cause in places and effect in places]

    def judge(self, proposal: Proposal) -> Judgement | None:
        return Judgement(0.9, 0.9, 0.9, 0.1, Stance.ASSERTED, KILLING, 0.9) if self.reads else None


def claims_of(miner: Miner, text: str) -> list[tuple[str, str, str]]:
    (proposed,) = miner.mine([text])
    return [(claim.rule.id, claim.claim.cause, claim.claim.effect) for claim in miner.judged_claims(proposed, text)]


def test_a_pair_that_no_rule_proposes_is_named_like_those_of_rules_and_has_the_relation_that_is_read() -> None:
    miner = Miner(judge=_Pairs(("rain", "harvest")), prefilter=False)
    assert claims_of(miner, SENTENCE) == [(FOUND, "heavy rain in the hills", "harvest")]
    (proposed,) = miner.mine([SENTENCE])
    (claim,) = (claim for claim in miner.judged_claims(proposed, SENTENCE) if claim.rule.id == FOUND)
    assert (claim.claim.relation, claim.claim.polarity) == KILLING
    assert SENTENCE[slice(*claim.cue_span)] in ("swept", "ruined")


def test_a_pair_of_a_rule_is_not_found_again() -> None:
    text = "Smoking causes lung cancer."
    assert claims_of(Miner(judge=_Pairs(("Smoking", "cancer"))), text) == [("cause.active", "smoking", "lung cancer")]


def test_of_pairs_that_overlap_the_likeliest_is_kept() -> None:
    text = "The cancer can be caused by a lack of exercise."
    miner = Miner((), judge=_Pairs(("lack", "cancer"), ("exercise", "cancer")), prefilter=False)
    assert claims_of(miner, text) == [(FOUND, "lack of exercise", "cancer")]


def test_what_is_found_and_cannot_be_judged_is_dropped() -> None:
    assert claims_of(Miner((), judge=_Pairs(("rain", "harvest"), reads=False), prefilter=False), SENTENCE) == []


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("Malaria is caused by parasites.", True),
        ("The village lies on the old road.", False),
    ],
)
def test_the_finder_reads_the_sentences_that_a_rule_may_match(text: str, is_read: bool) -> None:
    assert (FOUND in Miner(judge=_Pairs()).rules_for(text)) is is_read
    assert FOUND not in Miner().rules_for(text)
    assert FOUND in Miner(judge=_Pairs(), prefilter=False).rules_for(text)


def test_without_a_judge_nothing_is_found() -> None:
    assert all(rule != FOUND for rule, _, _ in claims_of(Miner(), SENTENCE))


def test_words_have_the_places_of_their_first_tokens() -> None:
    maker = FinderInputMaker(Tokenizer.from_file(str(SHIPPED_JUDGE / "tokenizer.json")))
    text = "Antihistamines relieve itching."
    made = maker.make(text, [(0, 14), (15, 22), (23, 30)])
    assert made is not None
    assert made.words[0] == 1
    assert made.words == sorted(set(made.words))
    assert len(made.ids) > len(made.words)
    assert maker.make("word " * (FINDER_TOKENS + 1), [(0, 4), (5, 9)]) is None


def test_the_shipped_finder_finds_what_no_rule_does() -> None:
    miner = Miner(judge=EncoderJudge(), prefilter=False)
    text = "The dam broke because heavy rain had weakened it."
    doc = miner.nlp(text)
    words = end_tokens(doc)
    pairs = EncoderJudge().find(text, [(word.idx, word.idx + len(word)) for word in words])
    heads = {(words[cause].text, words[effect].text) for cause, effect in pairs}
    assert heads & {("rain", "broke"), ("weakened", "broke"), ("rain", "dam")}
    assert EncoderJudge().find(text, [(0, 3)]) == []
