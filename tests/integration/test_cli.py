"""The contract of the command line: fields, exit codes, streams and manners."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import pty
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from running import KGQA, Ended, Run, clean_environment, kgqa

from graph.model import Polarity, Relation, Stance, Strength
from kgqa.answer_model import CausalConnection, Route, Verdict
from kgqa.question import Attribute, EffectOutcome, Intent, Pragmatic, Semantic

# What a field may hold: a type, several types, a set of words, a list of one shape, or an object with exactly these fields.

NUMBER = (int, float)
TEXT_OR_NULL = (str, type(None))
OFFSET = (int, type(None))
EVIDENCE = {
    "text": TEXT_OR_NULL,
    "stance": set(Stance),
    "rule": str,
    "context": dict,
    "source": {
        "kind": str,
        "title": TEXT_OR_NULL,
        "page_id": TEXT_OR_NULL,
        "url": TEXT_OR_NULL,
        "section": TEXT_OR_NULL,
        "start": OFFSET,
        "end": OFFSET,
    },
    "claim": object,
    "marked": (list, type(None)),
}
TYPE = {
    "semantic": {*Semantic, None},
    "pragmatic": {*Intent, None},
    "pragmatic_subtype": {*Pragmatic, None},
    "attributes": [set(Attribute)],
    "slots": {
        "cause": TEXT_OR_NULL,
        "effect": TEXT_OR_NULL,
        "relation": set(Relation),
        "condition": (dict, type(None)),
        "outcome": {*EffectOutcome, None},
        "population": TEXT_OR_NULL,
        "place": TEXT_OR_NULL,
        "time": TEXT_OR_NULL,
        "comparison": TEXT_OR_NULL,
        "options": (dict, type(None)),
    },
    "confidence": NUMBER,
    "mood": (float, type(None)),
    "pragmatic_confidence": NUMBER,
    "scores": dict,
    "pragmatic_scores": dict,
    "rules": [str],
}
EDGE = {
    "cause": str,
    "effect": str,
    "relation": set(Relation),
    "polarity": set(Polarity),
    "strength": set(Strength),
    "belief": NUMBER,
    "support": int,
    "against": int,
    "hedged": int,
}
ANSWER = {
    "id": object,
    "question": str,
    "type": TYPE,
    "route": set(Route),
    "verdict": {*Verdict, None},
    "answer": TEXT_OR_NULL,
    "sentence": str,
    "answers": [
        {
            "text": str,
            "confidence": NUMBER,
            "relation": {*Relation, None},
            "polarity": {*Polarity, None},
            "strength": {*Strength, None},
            "support": int,
            "merged": [str],
            "path": [{"cause": str, "effect": str, "relation": set(Relation), "belief": NUMBER}],
        }
    ],
    "confidence": NUMBER,
    "evidence": [EVIDENCE],
    "against": [EVIDENCE],
    "presuppositions": [dict],
    "interventions": [{"operation": str, "target": str, "value": str, "from": str}],
    "difference": (dict, type(None)),
    "connection": {*CausalConnection, None},
    "flips": [{"without": [str], "becomes": set(Verdict)}],
    "separation": (dict, type(None)),
    "notes": [str],
    "trace": [str],
    "missing": [{"what": str, "where": str, "slot": TEXT_OR_NULL, "type": TEXT_OR_NULL, "places": [dict]}],
    "cypher": TEXT_OR_NULL,
    "elapsed_ms": NUMBER,
    "graph": {"url": TEXT_OR_NULL, "digest": TEXT_OR_NULL},
}
EXTRACTED = {
    "id": (str, int),
    "text": str,
    "claims": [
        {
            "cause": str,
            "effect": str,
            "cause_span": [int],
            "effect_span": [int],
            "cue_span": [int],
            "relation": set(Relation),
            "polarity": set(Polarity),
            "strength": set(Strength),
            "stance": set(Stance),
            "context": dict,
            "rule": str,
            "judged": float,
        }
    ],
}
STATS = {
    "url": str,
    "digest": str,
    "concepts": int,
    "edges": int,
    "claims": int,
    "evidence": int,
    "sentences": int,
    "relations": dict,
    "sources": dict,
    "version": str,
}


def assert_shaped(value: Any, shape: Any, place: str) -> None:
    """Assert that `value` has `shape`: every field there, none besides, each of its type."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), place
        assert set(value) == set(shape), place
        for name, inner in shape.items():
            assert_shaped(value[name], inner, f"{place}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), place
        for number, one in enumerate(value):
            assert_shaped(one, shape[0], f"{place}[{number}]")
    elif isinstance(shape, set):
        assert value in shape, f"{place} is {value!r}"
    else:
        assert isinstance(value, shape), f"{place} is {value!r}"
        assert not isinstance(value, bool), place


def lines_of(ended: Ended) -> list[Any]:
    return [json.loads(line) for line in ended.out.splitlines()]


QUESTIONS = {
    "causes": ("What causes lung cancer?",),
    "effects": ("What are the effects of smoking?",),
    "prevention": ("What prevents scurvy?",),
    "yes": ("Does smoking cause lung cancer?",),
    "no, denied": ("Do vaccines cause autism?",),
    "no, reversed": ("Does lung cancer cause smoking?",),
    "contested": ("Does coffee cause heart disease?",),
    "unknown": ("Does coffee cause autism?",),
    "unknown concept": ("What causes zebras?",),
    "not causal": ("What is the capital of France?",),
    "chain": ("How does smoking lead to death?",),
    "if": ("If smoking were eliminated, what would happen to lung cancer?",),
    "do": ("What causes lung cancer?", "--do", "smoking=absent"),
    "do an edge": ("Does smoking cause death?", "--do", "smoking->lung cancer=0.3"),
    "do, if": ("If smoking were eliminated, what would happen to lung cancer?", "--do", "asbestos=absent"),
    "do, not causal": ("What is the capital of France?", "--do", "smoking=absent"),
    "do and nothing left": ("What causes scurvy?", "--do", "smoking=absent"),
    "emoji": ("What causes 🎉?",),
    "not UTF-8": ("What causes \udcff\udcfe cancer?",),
}


@pytest.mark.parametrize("arguments", QUESTIONS.values(), ids=QUESTIONS)
def test_an_answer_has_every_field_of_the_contract(here: Run, arguments: tuple[str, ...]) -> None:
    ended = here("ask", "--json", *arguments)
    assert (ended.code, ended.err) == (0, "")
    (answer,) = lines_of(ended)
    assert_shaped(answer, ANSWER, "answer")
    assert 0 <= answer["confidence"] <= 1
    assert answer["answer"] == (answer["answers"][0]["text"] if answer["answers"] else None)
    assert answer["sentence"]
    assert len(answer["graph"]["digest"]) == 32


@pytest.mark.parametrize(
    ("question", "verdict", "answer"),
    [
        ("Does smoking cause lung cancer?", "yes", "yes"),
        ("Do vaccines cause autism?", "no", "no"),
        ("Does lung cancer cause smoking?", "no", "no"),
        ("Does coffee cause heart disease?", "contested", None),
        ("Does coffee cause autism?", "unknown", None),
        ("What causes lung cancer?", None, "smoking"),
    ],
)
def test_a_verdict_and_its_short_answer_agree(here: Run, question: str, verdict: str | None, answer: str | None) -> None:
    (record,) = lines_of(here("ask", "--json", question))
    assert (record["verdict"], record["answer"]) == (verdict, answer)


def test_what_is_refused_says_what_is_missing(here: Run) -> None:
    (record,) = lines_of(here("ask", "--json", "What causes zebras?"))
    assert record["route"] == "none"
    assert record["missing"]


def test_extract_gives_a_line_for_each_sentence_in_order(tmp_path: Path, here: Run) -> None:
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("Smoking causes lung cancer.\n\nThe sky is blue.\nIn Köln, floods are caused by heavy rain. 👩‍🚀 🎉\n")
    lines = lines_of(here("extract", "--json", sentences))
    for line in lines:
        assert_shaped(line, EXTRACTED, "line")
    assert [line["id"] for line in lines] == [1, 3, 4]
    assert [len(line["claims"]) for line in lines] == [1, 0, 1]
    (claim,) = lines[2]["claims"]
    text = lines[2]["text"]
    spans = {name: text[slice(*claim[f"{name}_span"])] for name in ("cause", "effect", "cue")}
    assert spans == {"cause": "heavy rain", "effect": "floods", "cue": "caused"}


def test_extract_keeps_identifiers(here: Run, tmp_path: Path) -> None:
    sentences = tmp_path / "sentences.jsonl"
    sentences.write_text('{"id": "a", "text": "Smoking causes lung cancer."}\n{"id": 7, "text": ""}\n')
    assert [(line["id"], len(line["claims"])) for line in lines_of(here("extract", "--json", sentences))] == [("a", 1), (7, 0)]


def test_stats_have_every_field_of_the_contract(here: Run, small: Path) -> None:
    (stats,) = lines_of(here("stats", "--json"))
    assert_shaped(stats, STATS, "stats")
    assert stats["url"] == str(small)
    assert stats["relations"] == {"causes": 6, "prevents": 1}
    assert (stats["claims"], stats["evidence"], stats["sentences"]) == (7, 11, 11)


def test_exploring_prints_a_json_object_an_edge(here: Run) -> None:
    for command in ("causes", "effects"):
        for edge in lines_of(here(command, "--json", "lung cancer")):
            assert_shaped(edge, EDGE, command)
    (chain,) = lines_of(here("path", "--json", "asbestos", "death"))
    assert chain["concepts"] == ["asbestos", "lung cancer", "death"]
    assert_shaped(chain["edges"], [EDGE], "edges")
    (shown,) = lines_of(here("show", "--json", "lung cancer"))
    assert [edge["cause"] for edge in shown["causes"]] == ["smoking", "asbestos"]
    assert_shaped(shown["causes"][1]["evidence"], [EVIDENCE], "evidence")


def test_check_is_json_too(here: Run, small: Path) -> None:
    assert lines_of(here("check", "--json")) == [{"url": str(small), "sound": True, "problems": []}]


def test_type_is_json_too(here: Run) -> None:
    (record,) = lines_of(here("type", "--json", "If smoking were absent, would there be lung cancer?"))
    assert record.pop("question")
    assert_shaped(record, {**TYPE, "why": [str]}, "type")


def test_a_batch_is_answered_in_order_each_question_with_a_line(here: Run, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    asked: list[dict[str, object]] = [
        {"id": "a", "question": "What causes emphysema?"},
        {"id": 2, "question": ""},
        {"question": "What causes floods?", "passage": "Heavy rain causes floods."},
        {"id": None, "question": "x" * 100_000},
        {"id": "e", "question": "What causes floods?"},
    ]
    batch.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    answers = lines_of(here("ask", "--batch", batch))
    for answer in answers:
        assert_shaped(answer, ANSWER, "answer")
    assert [answer["id"] for answer in answers] == ["a", 2, None, None, "e"]
    assert [answer["answer"] and answer["answer"].lower() for answer in answers] == ["smoking", None, "heavy rain", None, None]
    assert answers[2]["graph"]["url"] in ("memory:", None)
    assert answers[2]["graph"]["digest"] != answers[0]["graph"]["digest"]
    assert answers[2]["evidence"][0]["text"] == "Heavy rain causes floods."


def test_a_batch_skips_lines_that_are_no_questions(here: Run, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": 1}\n{"id": 2, "question": ["?"]}\nbroken\n{"id": 4, "question": "What causes emphysema?"}\n')
    ended = here("ask", "--batch", batch)
    assert ended.code == 0
    assert [answer["id"] for answer in lines_of(ended)] == [4]
    assert [line.partition(":")[2].split(":")[0] for line in ended.err.splitlines()] == [" line 1", " line 2", " line 3"]


def test_a_batch_opens_its_graph_once(small: Path, tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import sys
        opened = []
        sys.addaudithook(lambda event, values: opened.append(values[0]) if event == "sqlite3.connect" else None)
        from kgqa.cli import run
        run(["ask", "--batch", sys.argv[1], "-g", sys.argv[2]])
        print(len(opened), file=sys.stderr)
        """)
    counts = []
    for number in (1, 20):
        batch = tmp_path / "batch.jsonl"
        batch.write_text('{"question": "What causes emphysema?"}\n' * number)
        ended = subprocess.run(
            [sys.executable, "-c", script, batch, small], capture_output=True, text=True, env=clean_environment(), check=True
        )
        assert len(ended.stdout.splitlines()) == number
        counts.append(ended.stderr)
    assert counts[0] == counts[1]


def test_a_passage_is_answered_from_with_its_sentences(tmp_path: Path, here: Run) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text("It was a wet year. Heavy rain led to\nfloods, and the floods caused a famine.")
    (answer,) = lines_of(here("ask", "--json", "What causes floods?", "--passage", passage))
    assert answer["answer"].lower() == "heavy rain"
    assert answer["evidence"][0]["text"].startswith("Heavy rain led to floods")
    told = " ".join(here("ask", "What causes floods?", "--passage", passage).out.split())
    assert "“Heavy rain led to floods, and the floods caused a famine.”" in told.replace("[Heavy rain]", "Heavy rain")


def test_an_empty_passage_of_a_batch_is_an_honest_unknown_and_no_answer_of_the_graph(here: Run, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    asked: list[dict[str, object]] = [
        {"id": 1, "question": "What causes emphysema?", "passage": ""},
        {"id": 2, "question": "What causes emphysema?", "passage": None},
        {"id": 3, "question": "What causes emphysema?", "passage": " \n "},
    ]
    batch.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    answers = lines_of(here("ask", "--batch", batch))
    assert [(answer["id"], answer["answer"]) for answer in answers] == [(1, None), (2, "smoking"), (3, None)]
    assert answers[0]["missing"]


def test_an_if_about_a_passage_is_answered_in_the_world_that_it_describes(here: Run, tmp_path: Path) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text("The dam at Elmstead was built in 1960 by four hundred workers.")
    question = "If the dam at Elmstead had been built ten years later, in which year would it have been built?"
    (answer,) = lines_of(here("ask", "--json", question, "--passage", passage))
    assert_shaped(answer, ANSWER, "answer")
    assert (answer["answer"], answer["route"]) == ("1970", "intervention-passage")
    assert answer["interventions"][0]["operation"] == "shift by"
    assert answer["interventions"][0]["from"] == "1960"
    (evidence,) = answer["evidence"][:1]
    assert evidence["text"][slice(*evidence["marked"])] == "1960"
    assert passage.read_text()[evidence["source"]["start"] : evidence["source"]["end"]] == evidence["text"]
    told = here("ask", question, "--passage", passage, "--explain").out
    assert "in [1960]" in " ".join(told.split())
    assert "1960 → 1970" in told


def test_a_passage_and_a_corpus_do_not_go_together(here: Run, tmp_path: Path) -> None:
    ended = here("ask", "Why?", "--passage", tmp_path / "a", "--corpus", tmp_path / "b")
    assert (ended.code, ended.out) == (2, "")
    assert "do not go together" in ended.err


def test_a_world_that_is_set_is_shown_beside_the_world_as_it_is(here: Run) -> None:
    (answer,) = lines_of(here("ask", "--json", "What causes lung cancer?", "--do", "smoking=absent"))
    assert answer["answer"] == "asbestos"
    assert answer["interventions"] == [{"operation": "do", "target": "smoking", "value": "absent", "from": "smoking=absent"}]
    before, after = answer["sentence"].split("As it is:")
    assert "smoking (2 sources)" not in before
    assert "smoking (2 sources)" in after
    assert "lost: smoking" in answer["trace"]
    assert here("path", "smoking", "death", "--do", "lung cancer=absent").out.startswith("with lung cancer=absent, no chain")


def test_a_difference_has_routes_and_probabilities(here: Run) -> None:
    question = "If smoking were eliminated, would there still be lung cancer?"
    (answer,) = lines_of(here("ask", "--json", question))
    difference = answer["difference"]
    assert difference["lost"] == ["smoking → lung cancer"]
    assert difference["surviving"] == ["asbestos → lung cancer"]
    probability = difference["probability"]
    assert (probability["of"], probability["given"]) == ("lung cancer", ["smoking", "asbestos"])
    for world in ("before", "after"):
        assert probability[world]["low"] <= probability[world]["sampled"] <= probability[world]["high"]
    assert probability["after"]["sampled"] < probability["before"]["sampled"]
    assert lines_of(here("ask", "--json", "What causes lung cancer?"))[0]["difference"] is None


def test_the_same_world_gives_the_same_figures_every_time(here: Run) -> None:
    arguments = ("path", "smoking", "death", "--json", "--do", "smoking->lung cancer=0.6")
    assert here(*arguments).out == here(*arguments).out


def test_an_edge_can_be_set_and_taken_away(here: Run) -> None:
    (answer,) = lines_of(here("ask", "--json", "Does smoking cause lung cancer?", "--do", "smoking->lung cancer=absent"))
    (applied,) = answer["interventions"]
    assert (applied["operation"], applied["target"], applied["value"]) == ("remove", "smoking → lung cancer", "absent")
    assert (answer["verdict"], answer["difference"]["lost"]) == ("no", ["smoking → lung cancer"])
    (answer,) = lines_of(here("ask", "--json", "Does coffee cause autism?", "--do", "coffee->autism=0.8"))
    (applied,) = answer["interventions"]
    assert (applied["operation"], applied["value"], answer["verdict"]) == ("add", "0.8", "yes")
    assert answer["answers"][0]["path"][0]["belief"] == 0.8
    (answer,) = lines_of(here("ask", "--json", "Does smoking cause lung cancer?", "--do", "smoking->lung cancer=0.2"))
    assert (answer["interventions"][0]["operation"], answer["verdict"], answer["answer"]) == ("replace", "unknown", None)


def test_what_was_set_is_told_to_be_so_and_cites_nothing(here: Run) -> None:
    told = here("ask", "Does smoking cause lung cancer?", "--do", "smoking->lung cancer=0.8").out
    assert "1. yes: smoking causes lung cancer (0.80, as it was set)\n" in told
    assert "Sources" not in told


def test_a_setting_that_names_no_concept_advises_the_command_with_a_near_one(here: Run) -> None:
    for command in (("ask", "What causes death?"), ("path", "smoking", "death")):
        words = ["kgqa", command[0], *(f'"{word}"' if " " in word else word for word in command[1:])]
        ended = here(*command, "--do", "smokng=absent")
        assert ended.code == 1
        assert ended.err.endswith(f"      try: {' '.join(words)} --do smoking=absent\n")


def test_what_chains_depend_on_is_told_without_a_chain_too(here: Run) -> None:
    told = here("path", "death", "smoking", "--necessary").out.splitlines()
    assert told[0].startswith("no chain of causes")
    assert told[1:] == ["without a chain, there is nothing to pass through and nothing to block"]
    told = here("path", "smoking", "lung cancer", "--max-length", "1", "--necessary").out
    assert "no concept that every chain passes through\n" in told
    assert "no concepts would block every chain: a claim leads there straight\n" in told


def test_the_chains_of_a_world_say_what_became_of_them(here: Run) -> None:
    plain = lines_of(here("path", "smoking", "death", "--json"))
    assert [(chain["change"], chain["probability"]) for chain in plain] == [(None, None)]
    gained, lost = lines_of(
        here("path", "smoking", "death", "--json", "--do", "smoking->death=0.9", "--do", "lung cancer=absent")
    )
    assert (gained["concepts"], gained["change"]) == (["smoking", "death"], "gained")
    assert (lost["concepts"], lost["change"]) == (["smoking", "lung cancer", "death"], "lost")
    assert lost["probability"] == gained["probability"]
    assert gained["probability"]["after"]["sampled"] == pytest.approx(0.9, abs=0.03)


def test_the_graph_of_the_option_comes_before_that_of_the_environment(small: Path) -> None:
    ended = kgqa("stats", "--json", "-g", "memory:", KGQA_GRAPH=str(small))
    assert json.loads(ended.out)["url"] == "memory:"


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda data: zstandard.compress(data),
}


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_inputs_may_be_compressed(tmp_path: Path, here: Run, suffix: str) -> None:
    def packed(name: str, text: str) -> Path:
        file = tmp_path / (name + suffix)
        file.write_bytes(COMPRESSIONS[suffix](text.encode()))
        return file

    claims = packed("claims.jsonl", '{"cause": "rain", "effect": "flood"}\n')
    assert here("load", "jsonl", claims, "-g", tmp_path / "new.kgqa").code == 0
    assert lines_of(here("causes", "flood", "--json", "-g", tmp_path / "new.kgqa"))[0]["cause"] == "rain"
    batch = packed("batch.jsonl", '{"question": "What causes emphysema?"}\n')
    assert lines_of(here("ask", "--batch", batch))[0]["answer"] == "smoking"
    text = packed("text.txt", "Heavy rain causes floods.\n")
    assert lines_of(here("extract", "--json", text))[0]["claims"][0]["cause"] == "heavy rain"
    assert lines_of(here("ask", "--json", "--passage", text, "What causes floods?"))[0]["answer"].lower() == "heavy rain"
    assert here("mine", text, "-g", tmp_path / "mined.kgqa", "--workers", "1").code == 0
    assert lines_of(here("stats", "--json", "-g", tmp_path / "mined.kgqa"))[0]["claims"] == 1


def test_a_dash_is_stdin(tmp_path: Path, small: Path) -> None:
    graph = tmp_path / "new.kgqa"
    loaded = kgqa("load", "csv", "-", "-g", graph, stdin=gzip.compress(b"cause,effect\nrain,flood\n"))
    assert loaded.code == 0
    assert loaded.out.startswith("stdin: 1 record read")
    assert kgqa("causes", "flood", "-g", graph).out.startswith("0.77  rain causes flood")
    batch = kgqa("ask", "--batch", "-", "-g", small, stdin='{"id": 9, "question": "What causes emphysema?"}')
    assert json.loads(batch.out)["id"] == 9
    for arguments in (("extract", "--json", "-"), ("extract", "--json")):
        assert json.loads(kgqa(*arguments, stdin="Rain causes floods.").out)["claims"]
    assert json.loads(kgqa("ask", "--json", "What causes floods?", "--passage", "-", stdin="Rain causes floods.").out)["answer"]
    assert kgqa("mine", "-", "-g", graph, "--workers", "1", stdin="Heavy rain causes landslides.").code == 0


def test_answers_go_to_stdout_and_nothing_else_does(here: Run, tmp_path: Path) -> None:
    claims = tmp_path / "claims.jsonl"
    claims.write_text('{"cause": "rain", "effect": "flood"}\nbroken\n')
    ended = here("load", "jsonl", claims, "-g", tmp_path / "new.kgqa", "--json")
    assert ended.code == 0
    assert lines_of(ended)[0]["skipped"] == 1
    assert ended.err.startswith("kgqa: line 2: broken JSON")


WRONG_USE = {
    "unknown command": (("answer", "Why?"), "no command 'answer'", "kgqa --help"),
    "a command almost right": (("efects", "smoking"), "no command 'efects'", "kgqa effects"),
    "unknown option": (("ask", "--nosuch", "Why?"), "--nosuch", "kgqa ask --help"),
    "unknown option before a command": (("--nosuch",), "--nosuch", "kgqa --help"),
    "missing argument": (("path", "smoking"), "missing argument 'Y'", "kgqa path --help"),
    "missing graph to write to": (("load", "csv", "x.csv"), "missing option '-g'", "kgqa load --help"),
    "no question": (("ask",), "neither a QUESTION nor --batch", 'kgqa ask "What causes tsunamis?"'),
    "question and batch": (("ask", "Why?", "--batch", "x.jsonl"), "both a QUESTION and --batch", "kgqa ask"),
    "empty question": (("ask", ""), "no question to answer: it is empty", "kgqa ask"),
    "a question of no words": (("type", " ?! \n"), "no question to answer: it is empty", "kgqa ask"),
    "a question of 100 kB": (("ask", "why " * 25_000), "it has 99,999 characters, at most 2,000 are read", "kgqa ask"),
    "quotes forgotten": (("ask", "What", "causes", "tsunamis?"), "3 arguments where one", 'kgqa ask "What causes tsunamis?"'),
    "an empty concept": (("causes", " "), "X is empty", "kgqa causes --help"),
    "an empty graph": (("stats", "-g", ""), "--graph is empty", "kgqa stats --help"),
    "unknown kind": (("load", "xls", "x", "-g", "x.kgqa"), "'xls' is not one of 'causenet'", "kgqa load --help"),
    "unknown format": (("mine", "x", "-g", "x.kgqa", "--format", "pdf"), "'pdf' is not one of 'auto'", "kgqa mine --help"),
    "a limit of nothing": (("causes", "x", "--limit", "0"), "0 is not in the range 1<=x<=1000", "kgqa causes --help"),
    "a limit that is no number": (("ask", "Why?", "--limit", "few"), "'few' is not a valid whole number", "kgqa ask --help"),
    "no workers": (("mine", "x", "-g", "x.kgqa", "--workers", "0"), "0 is not in the range", "kgqa mine --help"),
    "a setting that is none": (
        ("ask", "Why?", "--do", "smoking"),
        "cannot read --do 'smoking'",
        'kgqa ask "Why?" --do "smoking=absent"',
    ),
    "a belief in a concept": (("path", "x", "y", "--do", "smoking=0.8"), "absent or present, not '0.8'", "kgqa path x y --do"),
    "a belief of more than 1": (("path", "x", "y", "--do", "x->y=1.8"), "a number from 0 to 1, not '1.8'", "kgqa path x y --do"),
    "an edge of three": (("ask", "Why?", "--do", "x->y->z=absent"), "from one concept to another", 'kgqa ask "Why?" --do'),
    "both absent and present": (
        ("path", "smoking", "death", "--do", "smoking=absent", "--do", "smoking=present"),
        "contradict one another: 'smoking' cannot be both",
        "kgqa path smoking death --do",
    ),
    "two beliefs in one edge": (
        ("path", "smoking", "death", "--do", "smoking->death=1", "--do", "smoking->death=0.2"),
        "'smoking->death' cannot be believed both 1 and 0.2",
        "kgqa path smoking death --do",
    ),
    "an edge from what is absent": (
        ("path", "smoking", "death", "--do", "smoking=absent", "--do", "smoking->death=1"),
        "'smoking' is set absent, so that it can bring nothing about",
        "kgqa path smoking death --do",
    ),
    "a command that is not UTF-8": (("\udcff",), "no command '\ufffd'", "kgqa --help"),
    "a control character": (("\x1b[31m",), "no command '\ufffd[31m'", "kgqa --help"),
}


@pytest.mark.parametrize(("arguments", "fact", "remedy"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_is_a_fact_and_a_remedy(
    here: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], fact: str, remedy: str
) -> None:
    if "load" in arguments and "-g" not in arguments:
        monkeypatch.delenv("KGQA_GRAPH")
    ended = here(*arguments)
    assert (ended.code, ended.out) == (2, "")
    told, tried = ended.err.splitlines()
    assert told.startswith("kgqa: ")
    assert told[6:7].islower() or told.startswith(("kgqa: X ", "kgqa: --")) or told[6:7].isdigit()
    assert fact in told
    assert tried.startswith(f"      try: {remedy}")


def test_no_argument_at_all_prints_the_help_to_stderr(here: Run) -> None:
    ended = here()
    assert (ended.code, ended.out) == (2, "")
    assert "Commands:" in ended.err


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_goes_to_stdout(here: Run, option: str) -> None:
    for arguments in ((option,), ("mine", option)):
        ended = here(*arguments)
        assert (ended.code, ended.err) == (0, "")
        assert ended.out.startswith("Usage: kgqa")


def test_the_version_is_told(here: Run) -> None:
    assert here("--version").out.startswith("kgqa ")


NOT_KNOWN = {
    "causes": (("causes", "smokng"), "kgqa causes smoking"),
    "effects": (("effects", "lung canser"), 'kgqa effects "lung cancer"'),
    "show": (("show", "asbetsos"), "kgqa show asbestos"),
    "path, the cause": (("path", "smokng", "lung cancer"), 'kgqa path smoking "lung cancer"'),
    "path, the effect": (("path", "smoking", "deeth"), "kgqa path smoking death"),
}


@pytest.mark.parametrize(("arguments", "remedy"), NOT_KNOWN.values(), ids=NOT_KNOWN)
def test_an_unknown_concept_is_told_with_names_like_it(here: Run, arguments: tuple[str, ...], remedy: str) -> None:
    ended = here(*arguments)
    assert (ended.code, ended.out) == (1, "")
    fact, tried = ended.err.splitlines()
    assert fact.startswith(f"kgqa: no concept '{arguments[-1] if 'deeth' in arguments else arguments[1]}'; near: ")
    assert tried == f"      try: {remedy}"


def test_a_remedy_asks_the_same_graph(here: Run, small: Path) -> None:
    assert here("causes", "smokng", "-g", small).err.splitlines()[1] == f"      try: kgqa causes smoking -g {small}"


def test_passwords_are_never_printed(here: Run) -> None:
    ended = here("stats", "-g", "bolt://neo4j:secret@localhost:7687")
    assert ended.code == 1
    assert "secret" not in ended.err + ended.out
    assert "bolt://localhost:7687" in ended.err


def test_a_traceback_is_shown_only_to_those_who_ask_for_one(small: Path) -> None:
    quiet = kgqa("causes", "smokng", "-g", small)
    loud = kgqa("causes", "smokng", "-g", small, KGQA_DEBUG="1")
    assert quiet.code == loud.code == 1
    assert "Traceback" not in quiet.err
    assert "Traceback" in loud.err
    assert loud.err.endswith(quiet.err)


def test_an_error_that_nobody_foresaw_is_one_line_too() -> None:
    script = "import sys, kgqa.cli as cli; cli.run = lambda: {}['a bug']; cli.main()"
    for debug, expected in (("0", False), ("1", True)):
        ended = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=clean_environment(KGQA_DEBUG=debug), check=False
        )
        assert ended.returncode == 1
        assert ("Traceback" in ended.stderr) is expected
        assert ("kgqa: internal error, a bug: KeyError: 'a bug'" in ended.stderr) is not expected


TOO_LITTLE = "kgqa: too little memory\n      try: "


def test_a_lack_of_memory_is_one_line_and_no_bug(tmp_path: Path) -> None:
    for raised in (
        "MemoryError",
        "ImportError('x.so: failed to map segment from shared object')",
        "RuntimeError('std::bad_alloc')",
    ):
        script = f"import kgqa.cli as cli\ndef run(): raise {raised}\ncli.run = run; cli.main()"
        ended = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=clean_environment(), check=False
        )
        assert (ended.returncode, ended.stderr.startswith(TOO_LITTLE)) == (1, True)
    limited = shell("ulimit -v 60000; $KGQA ask 'why is there mould on my bathroom wall'")
    assert (limited.code, limited.out, limited.err.startswith(TOO_LITTLE)) == (1, "", True)


def shell(command: str, **environment: str) -> Ended:
    """Run a line of bash in which $KGQA is the command."""
    ended = subprocess.run(
        ["bash", "-c", command], capture_output=True, env=clean_environment(KGQA=KGQA, **environment), timeout=60, check=False
    )
    return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


@pytest.mark.parametrize("arguments", ["causes 'lung cancer'", "ask 'What causes lung cancer?' --json", "--help"])
def test_a_closed_pipe_ends_a_command_quietly(small: Path, arguments: str) -> None:
    # The reader has surely gone when the command begins to write.
    ended = shell(f'(sleep 0.2; exec "$KGQA" {arguments}) | true; exit ${{PIPESTATUS[0]}}', KGQA_GRAPH=str(small))
    assert (ended.code, ended.out, ended.err) == (1, "", "")
    assert shell(f'"$KGQA" {arguments} 2>&1 >/dev/null | head -0', KGQA_GRAPH=str(small)).code == 0


def test_a_closed_stderr_changes_no_answer(small: Path) -> None:
    ended = shell('"$KGQA" causes smokng 2>&-', KGQA_GRAPH=str(small))
    assert (ended.code, ended.out, ended.err) == (1, "", "")
    assert shell('"$KGQA" causes "lung cancer" >&-', KGQA_GRAPH=str(small)).code == 0
    assert shell('(sleep 0.2; exec "$KGQA" causes smokng) 2>&1 | true; exit ${PIPESTATUS[0]}', KGQA_GRAPH=str(small)).code == 1


def test_a_full_disk_under_stdout_is_told(small: Path) -> None:
    ended = shell('"$KGQA" causes "lung cancer" > /dev/full', KGQA_GRAPH=str(small))
    assert (ended.code, ended.err) == (1, "kgqa: no space left on device\n")


def test_a_locale_without_utf8_gets_ascii(small: Path, tmp_path: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "KGQA_GRAPH": str(small)}
    human = kgqa("path", "smoking", "death", **ascii_only)
    assert "smoking -> lung cancer -> death" in human.out.splitlines()[0]
    assert kgqa("show", "lung cancer", **ascii_only).out.isascii()
    record = kgqa("ask", "--json", "What causes smöking? 🎉", **ascii_only)
    assert (record.code, record.err) == (0, "")
    assert record.out.isascii()
    assert json.loads(record.out)["question"] == "What causes smöking? 🎉"
    assert kgqa("ask", "What causes smöking? 🎉", **ascii_only).out.startswith("What causes sm?king? ?")
    assert kgqa("causes", "smökng", **ascii_only).err.isascii()


def test_a_terminal_of_twenty_columns_is_filled_and_no_more(small: Path) -> None:
    for arguments in (
        ("ask", "What causes lung cancer?"),
        ("show", "lung cancer"),
        ("stats",),
        ("type", "Why do floods happen?"),
    ):
        ended = kgqa(*arguments, KGQA_GRAPH=str(small), COLUMNS="20")
        assert (ended.code, ended.err) == (0, "")
        for line in ended.out.splitlines():
            assert len(line) <= 20 or len(line.split()) == 1, line


def on_a_terminal(*command: str | Path, stdout: int | None = None, **environment: str) -> str:
    """Run a program on a terminal, its stdout perhaps elsewhere, and return what it shows there."""
    ours, theirs = pty.openpty()
    out = theirs if stdout is None else stdout
    process = subprocess.Popen(command, stdout=out, stderr=theirs, env=clean_environment(**environment))
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 1 << 16):
            shown += block
    except OSError:  # how a terminal says that its other side is closed
        pass
    finally:
        os.close(ours)
    assert process.wait(timeout=60) == 0
    return shown.decode()


def test_no_color_is_honoured(small: Path) -> None:
    question = "What causes lung cancer?"
    assert f"\x1b[1m{question}\x1b[0m" in on_a_terminal(KGQA, "ask", question, KGQA_GRAPH=str(small))
    assert "\x1b" not in on_a_terminal(KGQA, "ask", question, KGQA_GRAPH=str(small), NO_COLOR="1")
    assert "\x1b" not in kgqa("ask", question, KGQA_GRAPH=str(small)).out


def test_a_progress_bar_is_shown_on_a_terminal_and_leaves_stdout_alone(small: Path, tmp_path: Path) -> None:
    impatient = "import kgqa.cli.output.progress as progress; progress.PATIENCE = 0; from kgqa.cli import main; main()"
    batch, answers = tmp_path / "batch.jsonl", tmp_path / "answers.jsonl"
    batch.write_text('{"question": "What causes lung cancer?"}\n' * 300)
    command = (sys.executable, "-c", impatient, "ask", "--batch", batch)
    with answers.open("wb") as out:
        shown = on_a_terminal(*command, stdout=out.fileno(), KGQA_GRAPH=str(small), TERM="xterm")
    assert "answering" in shown
    assert "300 questions" in shown
    assert [json.loads(line)["answer"] for line in answers.read_text().splitlines()] == ["smoking"] * 300
    assert "answering" not in on_a_terminal(*command, KGQA_GRAPH=str(small), TERM="xterm")


def test_what_is_mined_cannot_steer_the_terminal(here: Run, tmp_path: Path) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text("Heavy\x1b[31m rain\x07 causes floods\u202e. Heavy rain causes floods.")
    ended = here("ask", "What causes floods?", "--passage", passage)
    assert ended.code == 0
    assert not set("\x1b\x07\u202e") & set(ended.out)


def test_several_inputs_are_mined_in_one_run(here: Run, tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.txt" for number in range(3)]
    for number, name in enumerate(names):
        name.write_text(f"Heavy rain causes flood number {number}.")
    mined = here("mine", *names, "-g", tmp_path / "new.kgqa", "--workers", "1", "--json")
    (record,) = lines_of(mined)
    assert (mined.code, record["inputs"], record["articles"]) == (0, [str(name) for name in names], 3)
    again = here("mine", *names, "-g", tmp_path / "new.kgqa", "--workers", "1", "--resume")
    assert again.err == "kgqa: going on after 3 articles\n"
    assert "0 articles" in again.out


def test_an_input_that_cannot_be_read_keeps_no_other_from_being_mined(here: Run, tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("first.txt", "empty.txt", "wide.txt", "last.txt")]
    for name, content in zip(names, (b"Rain causes floods.", b"", "Wind".encode("utf-16"), b"Wind causes damage."), strict=True):
        name.write_bytes(content)
    ended = here("mine", *names, "-g", tmp_path / "new.kgqa", "--workers", "1")
    assert ended.code == 1
    assert ended.err.splitlines() == [
        f"kgqa: '{names[1]}' is empty",
        f"kgqa: cannot read '{names[2]}': it is UTF-16 text; convert it with: iconv -f UTF-16 -t UTF-8",
    ]
    assert lines_of(here("stats", "--json", "-g", tmp_path / "new.kgqa"))[0]["claims"] == 2
