"""Which words of a sentence become the two names of a claim."""

from __future__ import annotations

import pytest

from graph.mining.miner import Miner

SENTENCES = {
    # the noun phrase, with what restricts it
    "Trouble between the king and the nobles led to a civil war.": ["trouble between the king and the nobles -> civil war"],
    "Dust containing lead has led to anemia.": ["dust containing lead -> anemia"],
    "The drought led to the formation and growth of dunes.": ["drought -> formation of dunes", "drought -> growth of dunes"],
    "The storm caused more than 1,500 deaths.": ["storm -> death"],
    "The Great Northern Famine (GNF) crisis led to riots.": ["great northern famine crisis -> riot"],
    "The drug causes serious side–effects.": ["drug -> serious side–effect"],
    "The famine was due to drought rather than war.": ["drought -> famine", "war -> famine"],
    "The vaccine reduced the number of deaths.": ["vaccine -> death"],
    "The flood caused a number of deaths.": ["flood -> death"],
    "A growing number of cars leads to pollution.": ["growing number of cars -> pollution"],
    "The drug causes negative effects, including anxiety and insomnia.": ["drug -> anxiety", "drug -> insomnia"],
    "The fact that the dam broke led to a flood.": ["breaking of dam -> flood"],
    "The discovery led to the belief that spiders bite people.": [],
    "The main effect of the drought was to reduce exports of grain.": ["drought -> export of grain"],
    "The drought led to a discussion about water rights.": ["drought -> discussion about water rights"],
    "Poverty leads to worse children's health.": ["poverty -> worse children's health"],
    "The blindness was caused by a lack of vitamin A.": ["lack of vitamin a -> blindness"],
    "The attacks led to the fall of Rome in AD 476.": ["attack -> fall of rome"],
    "The combination of heat and drought caused the famine.": ["combination of heat and drought -> famine"],
    "Standing around an antenna can cause burns.": ["standing around an antenna -> burn"],
    "Getting them interested can cause trouble.": [],
    "The tensions between peasants and landowners caused by the plague were great.": [
        "plague -> tension between peasants and landowners"
    ],
    "Tensions led to the First World War.": ["tension -> first world war"],
    "Drought led to subsequent significant crop losses.": ["drought -> crop loss"],
    "A deletion of a section of chromosome 22 causes the syndrome.": ["deletion of a section of chromosome 22 -> syndrome"],
    "Oscillators are used for synchronization purposes.": ["oscillator -> synchronization"],
    # clauses
    "Because of the blockade, Germany had a large pool of cheap labour.": ["blockade -> large pool of cheap labour of germany"],
    # what happens, with whom it happens to where that is specified
    "Marcel Achard died of diabetes.": ["diabetes -> death of marcel achard"],
    "Many sailors died of scurvy.": ["scurvy -> death"],
    "30 fishermen died in the storm.": ["storm -> death of 30 fishermen"],
    "The river flooded quickly because the dam broke.": ["breaking of dam -> flooding of river"],
    "The farmers used clay as a filter because water was scarce.": ["scarce water -> use of clay as filter by farmers"],
    "The bridge fell and blocked the river, causing a flood.": ["blockage of river by bridge -> flood"],
    "The population is small due to disease.": ["disease -> small population"],
    "The schools had to postpone their exams due to the strike.": ["strike -> postponement of exams by schools"],
    "The march to London led to riots.": ["march to london -> riot"],
    "It was the breach of the treaty with the tribe that caused the war.": ["breach of the treaty with the tribe -> war"],
    "The clique clashed with Chiang Kai-shek, which led to a war.": ["clashing of clique with chiang kai shek -> war"],
    "The chemical composition and structure of the wall led to a collapse.": [
        "chemical composition of the wall -> collapse",
        "structure of the wall -> collapse",
    ],
    "Most farmers live in cities because of migration.": ["migration -> living of farmers in cities"],
    # which noun, or which clause, a participle or a relative clause is about
    "Inflammation in the stomach causing pain is common.": ["inflammation in the stomach -> pain"],
    "The treatment shrinks the molecules, which lowers the pressure.": [],
    "The king favoured his ministers, which led to a revolt.": ["favouring of ministers by king -> revolt"],
    "The king received gifts from monarchs, which led to envy.": ["receipt of gifts by king -> envy"],
    "Blood flow to the skin, which leads to sensations of warmth, rises.": ["blood flow to the skin -> sensation of warmth"],
    "The fire fell from the tower, crossing the wall and causing panic.": ["fall of fire from tower -> panic"],
    "Although planes had been flown by the army, due to protests, the base was closed.": ["protest -> closure of base"],
    "There are no known losses due to the storm.": [],
    "It led to four members of the party being arrested.": [],
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_names_are_the_phrases_a_reader_would_underline(sentence: str) -> None:
    (claims,) = Miner().mine([sentence])
    assert sorted({f"{one.claim.cause} -> {one.claim.effect}" for one in claims}) == sorted(SENTENCES[sentence])
