from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from graph.belief.belief import belief, ground_precision
from graph.belief.independence import count_evidence
from graph.mining.articles import mine_chunk
from graph.mining.judge.claim_judge import SHIPPED_JUDGE, EncoderJudge, JudgeInvalid, Judgement, open_judge
from graph.mining.judge.judge_input import MARKS, SENTENCE_TOKENS, InputMaker, Proposal
from graph.mining.miner import Miner
from graph.model import Evidence, Source, Stance
from graph.sources.article import Article


def proposal(text: str, cause: str, effect: str, cue: str, rule: str = "cause.active") -> Proposal:
    def span(words: str) -> tuple[int, int]:
        return text.index(words), text.index(words) + len(words)

    return Proposal(text, span(cause), span(effect), span(cue), cause, effect, rule)


@pytest.fixture(scope="module")
def judge() -> EncoderJudge:
    return EncoderJudge()


def judged(judge: EncoderJudge, *parts: str) -> Judgement:
    judgement = judge.judge(proposal(*parts))
    assert judgement is not None
    return judgement


def test_what_a_sentence_states_is_likelier_than_what_it_does_not(judge: EncoderJudge) -> None:
    stated = judged(judge, "Smoking causes lung cancer.", "Smoking", "lung cancer", "causes")
    other = judged(judge, "The old road leads to the village.", "old road", "village", "leads", "lead-to.active")
    assert stated.relation > 0.9 > other.relation
    assert stated.right > other.right
    assert stated.stance is Stance.ASSERTED
    assert 0 <= stated.names <= 1
    assert 0 <= stated.specific <= 1


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Studies have found no evidence that sugar causes hyperactivity.", Stance.NEGATED),
        ("It was believed that sugar causes hyperactivity.", Stance.HEDGED),
        ("Sugar causes hyperactivity.", Stance.ASSERTED),
    ],
)
def test_the_stance_is_read(judge: EncoderJudge, text: str, stance: Stance) -> None:
    subject = "Sugar" if text.startswith("Sugar") else "sugar"
    assert judged(judge, text, subject, "hyperactivity", "causes").stance is stance


def test_a_judgement_depends_on_its_proposal_alone(judge: EncoderJudge) -> None:
    first = proposal("Smoking causes lung cancer.", "Smoking", "lung cancer", "causes")
    second = proposal("Heavy rain in the hills causes floods.", "Heavy rain", "floods", "causes")
    assert judge.judge(first) == EncoderJudge().judge(first)
    judge.judge(second)
    assert judge.judge(first) == EncoderJudge().judge(first)


def test_a_proposal_whose_ends_are_far_apart_is_not_read(judge: EncoderJudge) -> None:
    text = f"Smoking, {'and so on, ' * SENTENCE_TOKENS}causes lung cancer."
    assert judge.judge(proposal(text, "Smoking", "lung cancer", "causes")) is None


def test_a_long_sentence_is_read_around_its_claim(judge: EncoderJudge) -> None:
    text = f"{'He wrote and wrote, ' * SENTENCE_TOKENS}and smoking causes lung cancer."
    assert judged(judge, text, "smoking", "lung cancer", "causes").relation > 0.8


def test_text_like_the_marks_of_the_network_is_text(judge: EncoderJudge) -> None:
    assert judged(judge, "[SEP] [unused1] smoking causes lung cancer \ud800.", "smoking", "lung cancer", "causes").relation > 0.5


def test_the_ends_of_an_input_stand_behind_their_marks() -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(SHIPPED_JUDGE / "tokenizer.json"))
    made = InputMaker(tokenizer).make(proposal("Heavy rain causes floods.", "Heavy rain", "floods", "causes"))
    assert made is not None
    tokens = [tokenizer.id_to_token(token) for token in made.ids]
    assert [tokens[place] for place in made.marks] == [MARKS[0], MARKS[2], MARKS[4]]
    words = [[token for token in tokens[place:] if token not in MARKS] for place in made.marks]
    assert [first for first, *_ in words] == ["heavy", "floods", "causes"]


def copied(folder: Path) -> Path:
    shutil.copytree(SHIPPED_JUDGE, folder)
    return folder


def test_a_folder_that_is_not_there_is_one_line_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(JudgeInvalid, match="there is no such folder") as caught:
        open_judge(str(tmp_path / "none here"))
    assert "--judge none" in caught.value.remedy


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "judge.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = copied(tmp_path / "judge")
    (folder / name).unlink()
    with pytest.raises(JudgeInvalid, match=re.escape(f"it has no {name}")):
        EncoderJudge(folder)


def test_a_truncated_model_is_damaged(tmp_path: Path) -> None:
    folder = copied(tmp_path / "judge")
    model = folder / "model.onnx"
    model.write_bytes(model.read_bytes()[:-10])
    with pytest.raises(JudgeInvalid, match=r"model\.onnx is damaged"):
        EncoderJudge(folder)


def test_a_model_that_is_none_is_told_when_it_is_loaded(tmp_path: Path) -> None:
    folder = copied(tmp_path / "judge")
    model = folder / "model.onnx"
    model.write_bytes(b"\0" * model.stat().st_size)
    with pytest.raises(JudgeInvalid, match=r"model\.onnx is damaged"):
        EncoderJudge(folder).judge(proposal("Smoking causes lung cancer.", "Smoking", "lung cancer", "causes"))


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"format": 99}, "format 99"),
        ({"calibration": {}}, "judge.json is damaged"),
        ({"stances": ["shouted"]}, "judge.json is damaged"),
        ({"outputs": {"said": 0}}, "judge.json is damaged"),
        ({"rule_stance_weight": "much"}, "judge.json is damaged"),
    ],
)
def test_settings_of_another_version_or_damaged_are_told(tmp_path: Path, change: dict[str, object], fact: str) -> None:
    folder = copied(tmp_path / "judge")
    settings = json.loads((folder / "judge.json").read_text("utf-8"))
    (folder / "judge.json").write_text(json.dumps({**settings, **change}), "utf-8")
    with pytest.raises(JudgeInvalid, match=fact):
        EncoderJudge(folder)


class _Strict:
    """A judge that takes nothing for stated, or all of it for hedged."""

    version = "strict"

    def __init__(self, relation: float) -> None:
        self.relation = relation

    def judge(self, proposal: Proposal) -> Judgement | None:
        return Judgement(self.relation, min(self.relation, 0.75), 0.5, 0.9, Stance.HEDGED)


def article(text: str) -> Article:
    return Article(Source("text", "Page", "1"), text)


def test_a_claim_that_the_judge_does_not_find_stated_is_not_mined() -> None:
    sentence = article("Smoking causes lung cancer.")
    assert mine_chunk(Miner(judge=_Strict(0.64)), [sentence]).statements == []
    (statement,) = mine_chunk(Miner(judge=_Strict(0.9)), [sentence]).statements
    assert statement.evidence.stance is Stance.HEDGED
    assert statement.evidence.context == (("judged", "0.75"), ("names", "0.50"), ("specific", "one event"))
    (unjudged,) = mine_chunk(Miner(), [sentence]).statements
    assert unjudged.evidence.context == ()


def test_belief_is_made_of_what_the_judge_says() -> None:
    def believed(context: tuple[tuple[str, str], ...]) -> float:
        record = Evidence(Source("wikipedia", page_id="1"), rule="cause.active", context=context)
        (ground,) = count_evidence([record]).grounds
        assert ground_precision(ground) == pytest.approx(belief((ground,)))
        return belief((ground,))

    assert believed((("judged", "0.60"),)) == pytest.approx(0.6)
    assert believed((("judged", "0.95"),)) > believed((("judged", "0.60"),))
    assert believed((("judged", "much"),)) == pytest.approx(0.5)
    assert believed(()) > 0.7
