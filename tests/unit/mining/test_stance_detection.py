"""What a sentence does with a claim: each construction in a sentence of its own, around one cue."""

from __future__ import annotations

import pytest

from graph.mining.miner import Miner
from graph.mining.stance.cue_scope import is_content_noun, scope_levels
from graph.model import Stance

MINER = Miner()

STANCES = {
    Stance.ASSERTED: [
        "Smoking causes cancer.",
        "Smoking can cause cancer.",
        "Pesticides may cause cancer.",
        "Headaches may be caused by stress.",
        "The drug occasionally causes nausea.",
        "Smoking is not the only cause of cancer.",
        "Stress does not always cause ulcers.",
        "Doctors have shown that smoking causes cancer.",
        "It is well known that smoking causes cancer.",
        "Nobody doubts that smoking causes cancer.",
        "They forgot that smoking causes cancer.",
        "The quarrel would eventually lead to a war.",
        "The quarrel would lead to a war in 1870.",
        "Did the flood caused by the rain destroy the village?",
        "The government denied responsibility for the flood caused by rain.",
        "Smoking causes cancer; the evidence is not weak.",
        "The law did not work, and the shortage caused a famine.",
        "Pumps are used to prevent floods.",
        "The court ruled that the law was void, causing a famine.",
        "It is estimated that the drought caused 500 deaths.",
        "It does not change the fact that smoking causes cancer.",
        "They could not explain why smoking causes cancer.",
        "Pasteur proved beyond doubt that certain diseases are caused by infectious agents.",
        "These are not folds but invaginations, which cause pressure.",
    ],
    Stance.NEGATED: [
        "Smoking doesn't cause cancer.",
        "Smoking is not a cause of cancer.",
        "Smoking has never caused cancer.",
        "Smoking no longer causes cancer.",
        "No study has shown that coffee causes cancer.",
        "The shortage could not be caused by the strike.",
        "There is no proof that coffee causes cancer.",
        "It is false that coffee causes cancer.",
        "Coffee was found not to cause cancer.",
        "The bacterium is unable to cause infection.",
        "The study disproved the idea that coffee causes cancer.",
        "Coffee hardly causes cancer.",
        "The floods did not destroy crops or cause famine.",
        "Coffee would not cause cancer.",
        "Coffee is unlikely to cause cancer.",
        "The drought almost caused a famine.",
        "No significant effect of coffee on cancer was found.",
        "It was not the report that caused the war.",
        "The virus could not have caused the fire.",
        "The radio causes hardly any noise.",
        "There is a false impression that coffee causes cancer.",
    ],
    Stance.HEDGED: [
        "Critics argue that coffee does not cause cancer.",
        "The fire may have been caused by lightning.",
        "Turkey may cause a war.",
        "The sale may cause a crisis.",
        "The decline may be due to disease.",
        "The plant may reduce pain.",
        "Coffee might cause cancer.",
        "Coffee may not cause cancer.",
        "The flood must have caused a famine.",
        "Coffee is suspected to cause cancer.",
        "It is possible that coffee causes cancer.",
        "It is not certain that coffee causes cancer.",
        "There is a theory that coffee causes cancer.",
        "Critics argue that the tax caused the revolt.",
        "In his view, the tax caused the revolt.",
        "Perhaps the tax caused the revolt.",
        "Coffee is said to cause cancer.",
        "Coffee does not directly cause cancer.",
        "The doctor denied that coffee causes cancer.",
        "Studies show that coffee causes cancer, but others disprove it.",
    ],
    Stance.QUESTIONED: [
        "Did the rain cause a flood?",
        "Doctors examined whether coffee causes cancer.",
        "Whether coffee causes cancer is debated.",
        "He wondered if coffee causes cancer.",
        "Has the tax caused the revolt?",
    ],
    Stance.HYPOTHETICAL: [
        "If coffee causes cancer, people will drink tea.",
        "As long as the tax causes a revolt, nobody will pay.",
        "Coffee would cause cancer.",
        "The wall was designed to prevent a flood.",
        "Engineers want the valve to prevent leaks.",
        "The new name must not cause confusion.",
        "Prices would rise, causing a famine.",
        "When the virus does not cause fever, nobody notices it.",
        "Engineers ensure that the current does not cause noise.",
    ],
}


@pytest.mark.parametrize(("expected", "sentence"), [(stance, one) for stance, some in STANCES.items() for one in some])
def test_a_sentence_takes_its_stance_towards_the_claim(expected: Stance, sentence: str) -> None:
    (found,) = MINER.mine([sentence])
    assert found, "no claim"
    assert {claim.stance for claim in found if claim.claim.relation in ("causes", "prevents")} == {expected}


def test_a_denial_of_one_of_two_causes_is_its_own() -> None:
    (found,) = MINER.mine(["The flood was caused by rain, not by the dam."])
    assert {(claim.claim.cause, claim.stance) for claim in found} == {("rain", Stance.ASSERTED), ("dam", Stance.NEGATED)}


def test_a_noun_phrase_that_only_holds_the_cue_is_not_climbed_out_of() -> None:
    doc = MINER.nlp("Deaths due to smoking did not rise.")
    assert all(level.token.lower_ != "rise" for level in scope_levels(doc[1]))


def test_a_report_is_climbed_up_to_its_verb() -> None:
    doc = MINER.nlp("Later studies refuted the theory that vaccines cause autism.")
    assert [level.token.lower_ for level in scope_levels(doc[7])] == ["cause", "theory", "refuted"]


def test_nouns_that_can_have_a_claim_for_their_content_are_known() -> None:
    doc = MINER.nlp("The theory of the dog")
    assert is_content_noun(doc[1])
    assert not is_content_noun(doc[4])


@pytest.mark.parametrize(
    ("sentence", "stances"),
    [
        ("The disease was not caused by germs but by the diet.", {"germ": Stance.NEGATED, "diet": Stance.ASSERTED}),
        ("Ulcers are not caused by stress but bacteria.", {"stress": Stance.NEGATED, "bacterium": Stance.ASSERTED}),
        ("The decline was not caused by war but by disease.", {"war": Stance.NEGATED, "disease": Stance.ASSERTED}),
        ("The fire was not caused by lightning, but it was large.", {"lightning": Stance.NEGATED}),
        ("The reason for the delay was not the rain but rather the strike.", {"rain": Stance.NEGATED, "strike": Stance.ASSERTED}),
        (
            "The disease is caused by a virus rather than bacteria or fungi.",
            {"virus": Stance.ASSERTED, "bacterium": Stance.NEGATED, "fungus": Stance.NEGATED},
        ),
        (
            "It is believed that the decline was caused by war rather than by disease.",
            {"war": Stance.HEDGED, "disease": Stance.NEGATED},
        ),
    ],
)
def test_not_this_but_that_denies_the_one_and_asserts_the_other(sentence: str, stances: dict[str, Stance]) -> None:
    (claims,) = MINER.mine([sentence])
    assert {claim.claim.cause: claim.stance for claim in claims} == stances
