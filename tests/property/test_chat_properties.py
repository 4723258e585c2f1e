"""What holds for whatever a chat server says, and however it arrives."""

from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from graph.net.retry import HttpFailure
from kgqa.readers.chat.chat_client import parse_reply, parse_streamed_reply
from kgqa.readers.chat.chat_prompts import PROMPT_STYLES, build_prompt, clean_prompt_text, excerpt_for, load_demonstrations
from kgqa.readers.chat.reply_parsing import LONGEST_ANSWER, parse_answer
from kgqa.readers.chat.token_usage import estimate_tokens
from kgqa.readers.reader import AnswerKind, Passage

TEXTS = st.text(st.characters(codec="utf-8"), max_size=80)
ANY = st.text(max_size=300)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.sampled_from(["\n\n", "\r\n\r\n", "\r\r"]), st.data())
def test_a_stream_is_the_same_in_whatever_pieces_it_arrives(texts: list[str], end: str, data: st.DataObject) -> None:
    pieces = [json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=data.draw(st.booleans())) for text in texts]
    whole = "".join(f"data: {piece}{end}" for piece in [*pieces, "[DONE]"]).encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=12)))
    blocks = [whole[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert parse_streamed_reply(blocks).text == "".join(texts)


@given(
    st.one_of(ANY, st.builds("The answer is {}{}".format, ANY, ANY), st.builds('{{"answer": "{}"}}{}'.format, ANY, ANY)),
    st.booleans(),
)
def test_whatever_is_said_an_answer_is_short_and_stands_there(said: str, reasons: bool) -> None:
    found = parse_answer(said, reasons=reasons)
    assert 0 <= found.start <= found.end <= len(said)
    assert (found.text == "") is (found.kind is AnswerKind.NULL)
    assert len(found.text) <= LONGEST_ANSWER


@given(ANY, ANY, st.integers(0, 200))
def test_an_excerpt_keeps_to_its_room(text: str, question: str, room: int) -> None:
    assert estimate_tokens(excerpt_for(text, question, room)) <= max(room, estimate_tokens(""))


@given(st.lists(ANY, max_size=4), st.sampled_from(sorted(PROMPT_STYLES)), st.integers(300, 2000))
def test_a_prompt_keeps_to_its_budget_and_its_marks(texts: list[str], style: str, budget: int) -> None:
    made = build_prompt(
        PROMPT_STYLES[style], "Who was it?", [Passage(text, title=text) for text in texts], load_demonstrations("", 0), 4, budget
    )
    if made is not None:
        assert made.tokens() <= budget
        assert made.messages[-1]["content"].count("<passage ") == len(made.passages)


KEYS = st.sampled_from(
    "choices message delta content logprobs token logprob bytes usage prompt_tokens error code index finish_reason".split()
)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), ANY, st.lists(st.integers(-9, 300), max_size=3)
)
CONTENT = st.recursive(LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)))


@given(st.one_of(CONTENT, st.builds(lambda part: {"choices": [part]}, st.dictionaries(KEYS, CONTENT, max_size=6))))
def test_whatever_a_server_answers_is_an_answer_or_one_of_the_failures(content: object) -> None:
    data = json.dumps(content)
    for read in (
        lambda: parse_reply(data.encode()),
        lambda: parse_streamed_reply([f"data: {data}\n\ndata: [DONE]\n\n".encode()]),
    ):
        with suppress(HttpFailure):
            reply = read()
            assert reply.text == "" or isinstance(reply.text, str)
            assert all(token.logprob <= 0 for token in reply.tokens)


@given(ANY)
def test_cleaning_again_changes_nothing(text: str) -> None:
    assert clean_prompt_text(clean_prompt_text(text)) == clean_prompt_text(text)
    assert not {"<", ">", "\n", "\r"} & set(clean_prompt_text(text))
