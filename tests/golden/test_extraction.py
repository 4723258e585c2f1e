"""What the miner says of sentences that are hard in one way each; a line is cause -> effect, relation, stance."""

from __future__ import annotations

import pytest

from graph.mining.miner import Miner

MINER = Miner()

SENTENCES = {
    "Smoking and asbestos can cause cancer and emphysema.": [
        "smoking -> cancer, causes, asserted",
        "smoking -> emphysema, causes, asserted",
        "asbestos -> cancer, causes, asserted",
        "asbestos -> emphysema, causes, asserted",
    ],
    "Coffee does not cause cancer.": ["coffee -> cancer, causes, negated"],
    "There is no evidence that vaccines cause autism.": ["vaccine -> autism, causes, negated"],
    "The drug failed to prevent measles.": ["drug -> measles, prevents, negated"],
    "No food causes acne.": ["food -> acne, causes, negated"],
    "Smoking is not only a cause of cancer but also harms lungs.": ["smoking -> cancer, causes, asserted"],
    "Stress is not the only cause of headaches.": ["stress -> headache, causes, asserted"],
    "Aspirin is thought to cause bleeding.": ["aspirin -> bleeding, causes, hedged"],
    "The outbreak may have been caused by a virus.": ["virus -> outbreak, causes, hedged"],
    "If the dam breaks, the water will cause a flood.": ["water -> flood, causes, asserted"],
    "If the water causes a flood, people will leave.": ["water -> flood, causes, hypothetical"],
    "What if smoking causes cancer?": ["smoking -> cancer, causes, questioned"],
    "Deaths due to smoking did not rise.": ["smoking -> death, causes, asserted"],
    "They tried to prevent a war.": [],
    "He claims that HIV does not cause AIDS.": ["hiv -> aids, causes, hedged"],
    "Scientists do not believe that coffee causes cancer.": ["coffee -> cancer, causes, negated"],
    "The virus rarely causes pneumonia.": ["virus -> pneumonia, causes, asserted"],
    "The decline was not due to disease.": ["disease -> decline, causes, negated"],
    "The shop did not open because of rain.": [],
    "The decline was attributed to overfishing.": ["overfishing -> decline, causes, hedged"],
    "Malaria is a mosquito-borne disease caused by parasites.": [
        "mosquito -> malaria, causes, asserted",
        "parasite -> malaria, causes, asserted",
    ],
    "Studies found no link between vaccination and autism.": ["vaccination -> autism, associated, negated"],
    "The wall was meant to prevent a flood.": [
        "wall -> prevention of flood, is-for, asserted",
        "wall -> flood, prevents, hypothetical",
    ],
    "The bridge collapsed because the river flooded the town.": [
        "flooding of town by river -> collapse of bridge, causes, asserted"
    ],
    "He left because he was tired.": [],
    "The earthquake caused the dam to collapse.": ["earthquake -> collapse of dam, causes, asserted"],
    "Inflammation in the stomach caused by bacteria is painful.": ["bacterium -> inflammation in the stomach, causes, asserted"],
    "The flood, which was caused by heavy rain, destroyed the village.": ["heavy rain -> flood, causes, asserted"],
    "This caused a famine.": [],
    "The city was called Venice because of its canals.": ["canal -> city called venice, causes, asserted"],
    "The storm led to an increase in the price of grain.": ["storm -> increase in the price of grain, causes, asserted"],
    "The failure to repair the dam led to a flood.": ["failure to repair the dam -> flood, causes, asserted"],
    "No church was built because of the war.": [],
    "The steel resists damage from acids.": [],
    "The population was reduced by half.": [],
    "The war resulted in May in a famine.": [],
    "A number of diseases are caused by viruses.": ["virus -> disease, causes, asserted"],
    "Tobacco increases the risk of developing cancer.": ["tobacco -> cancer, causes, asserted"],
    "The results from the laboratory were late.": [],
    "Lead is a heavy metal.": [],
    "The factory produces cars.": [],
    "The author created a character.": [],
    "The water comes from a well.": [],
    "He died in Rome from a fever.": ["fever -> death, causes, asserted"],
    "I get a headache from wine.": ["wine -> headache, causes, asserted"],
    "The noise made by the engines was loud.": ["engine -> noise, causes, asserted"],
    "The ship caught fire after the collision.": ["collision -> fire, causes, asserted"],
    "The crash was blamed on fatigue.": ["fatigue -> crash, causes, hedged"],
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_gives_the_claims_that_it_makes(sentence: str) -> None:
    (claims,) = MINER.mine([sentence])
    lines = [f"{one.claim.cause} -> {one.claim.effect}, {one.claim.relation}, {one.stance}" for one in claims]
    assert lines == SENTENCES[sentence]


def test_every_span_cuts_out_the_words_that_it_was_read_from() -> None:
    sentence = "In the north, a long drought led to the failure of crops."
    (claims,) = MINER.mine([sentence])
    (one,) = claims
    assert sentence[slice(*one.cause_span)] == "long drought"
    assert sentence[slice(*one.effect_span)] == "failure of crops"
    assert sentence[slice(*one.cue_span)] == "led"


@pytest.mark.parametrize(
    ("sentence", "reversed_sentence"),
    [
        ("Smoking causes lung cancer.", "Lung cancer causes smoking."),
        ("The flood was caused by rain.", "The rain was caused by a flood."),
        ("The fire led to a panic.", "The panic led to a fire."),
        ("The loss resulted from the war.", "The war resulted from the loss."),
    ],
)
def test_the_arrow_turns_with_the_sentence(sentence: str, reversed_sentence: str) -> None:
    (one,), (other,) = MINER.mine([sentence, reversed_sentence])
    assert (one.claim.cause, one.claim.effect) == (other.claim.effect, other.claim.cause)


def test_a_phrase_of_very_many_words_is_cut_to_its_head() -> None:
    modifiers = "very very " + "old, " * 12 + "red north german state iron ore mine train crash rescue team training camp"
    sentence = f"The {modifiers} fire caused a panic."
    (claims,) = MINER.mine([sentence])
    assert all(len(one.claim.cause.split()) <= 9 for one in claims)
