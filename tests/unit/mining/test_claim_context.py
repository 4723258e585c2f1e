"""What a sentence ties a claim to: slots where they are stated, and no slot where a phrase belongs elsewhere."""

from __future__ import annotations

import pytest

from graph.mining.miner import MinedClaim, Miner
from graph.text.word_lists import place_names

MINER = Miner()

SLOTS = {
    "In dogs, chocolate causes vomiting.": [("population", "in dogs")],
    "Stress causes headaches among pregnant women.": [("population", "among pregnant women")],
    "In India, the drought led to famine.": [("place", "in India")],
    "The earthquake caused landslides across northern Italy.": [("place", "across northern Italy")],
    "During the 1930s, drought led to famine.": [("time", "during the 1930s")],
    "In 1912, heavy rain caused a flood.": [("time", "in 1912")],
    "In winter, the virus causes fever.": [("time", "in winter")],
    "The bridge caused a traffic jam when it collapsed.": [("time", "when it collapsed")],
    "At high doses, caffeine causes anxiety.": [("dose", "at high doses")],
    "Mercury causes tremor when heated.": [("condition", "when heated")],
    "If untreated, the infection leads to death.": [("condition", "if untreated")],
    "Under stress, the gene causes tumors.": [("condition", "under stress")],
    "In the absence of oxygen, the gas causes fires.": [("condition", "in the absence of oxygen")],
    "At low temperatures, humidity causes frost.": [("condition", "at low temperatures")],
    "According to Smith, smoking causes cancer.": [("attribution", "Smith")],
    "The British doctor showed that smoking causes cancer.": [("attribution", "British doctor")],
    "It was shown by Snow that dirty water causes cholera.": [("attribution", "Snow")],
    "Marx's theory that capitalism causes poverty was debated.": [("attribution", "Marx")],
    "Smoking can cause cancer.": [("capability", "can")],
    "Pesticides may cause cancer.": [("capability", "may")],
    "The drug rarely causes nausea.": [("capability", "rarely")],
    "The infection does not always cause fever.": [("capability", "not always")],
    "The virus is able to cause fever.": [("capability", "able")],
    "In 1912 and in 1953, rain caused a flood.": [("time", "in 1912"), ("time", "in 1953")],
    "In India, it was shown by Snow in 1854 that dirty water causes cholera.": [("attribution", "Snow")],
    # No slot: part of the argument, of another clause, denied, or not of the kind.
    "Inflammation in dogs causes pain.": [],
    "The village that the king left in 1912 was proof that smoking causes cancer.": [],
    "The drought caused a famine, not in India.": [],
    "In turn, the drought caused a famine.": [],
    "In this case, the drought caused a famine.": [],
    "The fire may have been caused by lightning.": [],
    "Nobody believes that coffee causes cancer.": [],
    "They showed that smoking causes cancer.": [],
    "The drought appears to have caused the famine.": [],
    "The virus cannot cause fever.": [],
    "The bridge was damaged in many ways by the flood, which caused a jam.": [],
}


def only_claim(sentence: str) -> MinedClaim:
    """Return the first claim of a sentence."""
    (found,) = MINER.mine([sentence])
    assert found, "no claim"
    return found[0]


@pytest.mark.parametrize("sentence", SLOTS)
def test_a_claim_is_tied_to_what_its_sentence_states(sentence: str) -> None:
    assert list(only_claim(sentence).context) == SLOTS[sentence]


def test_a_slot_never_overlaps_an_argument() -> None:
    claim = only_claim("In the north, a long drought in India led to the failure of crops in 1876.")
    sentence = "In the north, a long drought in India led to the failure of crops in 1876."
    for _, words in claim.context:
        start = sentence.lower().index(words.lower())
        for first, last in (claim.cause_span, claim.effect_span):
            assert start >= last or start + len(words) <= first


def test_names_of_places_are_in_lower_case_and_hold_countries_and_cities() -> None:
    assert {"india", "paris", "nile", "soviet union"} <= place_names()
    assert all(name == name.lower() for name in place_names())
