from __future__ import annotations

from typing import Any

import pytest
from spacy.matcher import DependencyMatcher

from graph.errors import RuleInvalid
from graph.mining.miner import Miner
from graph.mining.rules.dependency_pattern import CUE_NODE, DependencyPattern, PatternInvalid, compile_pattern
from graph.mining.rules.rule_tables import Rule, builtin_rules, read_rules, rules_with_cue_among

pytestmark = pytest.mark.slow

RULES = builtin_rules()
FRAMES = """
[heads]
[frames]
active = { patterns = ["cue >nsubj subject, cue >dobj object"] }
"""
ROW = """
[[rule]]
id = "cause.active"
learnt = "reading"
words = "causes"
frame = "active"
cause = "subject"
match = [["Smoking causes cancer.", "smoking -> cancer"]]
no_match = []
"""


def found(rule: Rule, sentence: str) -> set[tuple[str, str]]:
    (claims,) = Miner([rule]).mine([sentence])
    return {(one.claim.cause, one.claim.effect) for one in claims}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_finds_exactly_the_claims_of_its_examples(rule: Rule) -> None:
    assert rule.matches
    for example in rule.matches:
        assert found(rule, example.text) == example.claims, example.text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_finds_nothing_in_its_counterexamples(rule: Rule) -> None:
    assert rule.no_matches
    for sentence in rule.no_matches:
        assert found(rule, sentence) == set(), sentence


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_prefilter_lets_a_rules_own_examples_through(rule: Rule) -> None:
    miner = Miner([rule])
    assert all(miner.rules_for(example.text) for example in rule.matches)


def test_there_are_at_least_forty_rules_with_names_of_their_own() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES) >= 40


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (('frame = "active"', 'frame = "nowhere"'), "no frame 'nowhere'; there are: active"),
        (("cue >dobj object", "cue >dobj"), "cannot read the arc 'cue >dobj'"),
        (('cause = "subject"', 'cause = "verb"'), "no cause 'verb'; one of: subject, object"),
        (("-> cancer", "cancer"), "cannot read the claims 'smoking cancer'"),
        (('words = "causes"', 'words = "causes"\nrelation = "hates"'), "no relation 'hates'; one of: causes"),
    ],
)
def test_a_wrong_rule_is_named_with_what_is_wrong(change: tuple[str, str], complaint: str) -> None:
    with pytest.raises(RuleInvalid) as caught:
        read_rules({"frames": FRAMES.replace(*change), "verbs": ROW.replace(*change)})
    assert "cause.active" in str(caught.value)
    assert complaint in str(caught.value)


def test_the_cue_words_and_a_word_list_may_be_named_in_a_text() -> None:
    row = ROW.replace("frame =", "text = '{words} {sound}s'\nframe =")
    (rule,) = read_rules({"frames": FRAMES, "verbs": row})
    assert rule.text.startswith("(?:causes) (?:bang|boom|")
    with pytest.raises(RuleInvalid, match="no word list 'nothing'"):
        read_rules({"frames": FRAMES, "verbs": row.replace("{sound}", "{nothing}")})


def test_an_id_that_stands_twice_is_refused() -> None:
    twice = ROW + ROW[ROW.index("[[rule]]") :]
    with pytest.raises(RuleInvalid, match="twice"):
        read_rules({"frames": FRAMES, "verbs": twice})


def for_spacy(pattern: DependencyPattern, cue: frozenset[str]) -> list[dict[str, Any]]:
    """The pattern for spaCy's DependencyMatcher, with one of the lower-case words `cue` as its cue."""
    attributes: list[dict[str, Any]] = [{"LOWER": {"IN": sorted(cue)}}, *({} for _ in pattern.arcs)]
    if pattern.tags:
        attributes[0]["TAG"] = {"IN": sorted(pattern.tags)}
    for place, arc in enumerate(pattern.arcs, 1):
        if arc.tags:
            attributes[place]["TAG"] = {"IN": sorted(arc.tags)}
        if arc.words:
            attributes[place]["LOWER"] = {"IN": sorted(arc.words)}
        attributes[arc.left if arc.up else place]["DEP"] = {"IN": sorted(arc.labels)}
    nodes: list[dict[str, Any]] = [{"RIGHT_ID": CUE_NODE, "RIGHT_ATTRS": attributes[0]}]
    for name, arc, wanted in zip(pattern.names[1:], pattern.arcs, attributes[1:], strict=True):
        nodes.append(
            {"LEFT_ID": pattern.names[arc.left], "REL_OP": "<" if arc.up else ">", "RIGHT_ID": name, "RIGHT_ATTRS": wanted}
        )
    return nodes


def test_a_pattern_translates_to_spacys_matcher() -> None:
    pattern = compile_pattern("cue/VBN <acl object, cue >agent by=by, by >pobj|pcomp subject")
    assert pattern.names == ("cue", "object", "by", "subject")
    nodes = for_spacy(pattern, frozenset({"caused"}))
    assert nodes[0] == {
        "RIGHT_ID": "cue",
        "RIGHT_ATTRS": {"LOWER": {"IN": ["caused"]}, "TAG": {"IN": ["VBN"]}, "DEP": {"IN": ["acl"]}},
    }
    assert nodes[1] == {"LEFT_ID": "cue", "REL_OP": "<", "RIGHT_ID": "object", "RIGHT_ATTRS": {}}
    assert nodes[3]["RIGHT_ATTRS"] == {"DEP": {"IN": ["pcomp", "pobj"]}}


def test_patterns_match_what_spacys_matcher_matches() -> None:
    miner = Miner()
    matcher = DependencyMatcher(miner.nlp.vocab)
    names = {}
    for rule in RULES:
        for place, pattern in enumerate(rule.patterns):
            matcher.add(f"{rule.id}#{place}", [for_spacy(pattern, rule.cue)])
            names[miner.nlp.vocab.strings[f"{rule.id}#{place}"]] = (rule.id, place)
    total = 0
    for text in (example.text for rule in RULES for example in rule.matches):
        doc = miner.nlp(text)
        expected = {(names[key], tuple(tokens)) for key, tokens in matcher(doc)}
        ours = {
            ((rule.id, place), tuple(token.i for token in nodes.values()))
            for rule in RULES
            for place, pattern in enumerate(rule.patterns)
            for cue in doc
            if cue.lower_ in rule.cue
            for nodes in pattern.find(cue)
        }
        assert ours == expected, text
        total += len(ours)
    assert total > 60


@pytest.mark.parametrize(
    "text",
    ["", "cue", "cue > object", "cue >dobj object, verb >nsubj subject", "cue >dobj object, cue >dobj object", "verb >dobj x"],
)
def test_a_pattern_outside_the_notation_is_refused(text: str) -> None:
    with pytest.raises(PatternInvalid):
        compile_pattern(text)


def test_rules_with_some_words_are_those_that_have_a_cue_among_them() -> None:
    for sentence in ("Heavy rain causes floods.", "The war led to famine, since trade was blocked.", "The harbour is old."):
        words = frozenset(sentence.lower().replace(".", " ").replace(",", " ").split())
        assert rules_with_cue_among(words) == tuple(rule for rule in RULES if rule.cue & words)
