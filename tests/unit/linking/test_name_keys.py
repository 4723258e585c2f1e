from __future__ import annotations

import pytest

from kgqa.linking.lexical_relations import has_opposite_words
from kgqa.linking.name_keys import merge_keys, same_things


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("deaths", "death"),
        ("shortage of food", "food shortage"),
        ("failure of the crops", "crop failure"),
        ("archduke's assassination", "assassination of the archduke"),
        ("survive", "survival"),
        ("surviving", "survival"),
        ("treating", "treatment"),
        ("brain tumour", "brain tumors"),
        ("urbanisation", "urbanization"),
        ("small pox", "smallpox"),
        ("heavy rains", "heavy rain"),
        ("damage to the liver", "liver damage"),
        ("infection with E. coli", "E. coli infection"),
        ("rising oil price", "increase in the price of oil"),
        ("price increase", "higher prices"),
        ("decline in demand", "reduced demand"),
        ("insufficient oxygen", "lack of oxygen"),
        ("excessive consumption of alcohol", "excessive alcohol consumption"),
        ("unequal distribution of wealth", "unequal wealth distribution"),
        ("autistic spectrum disorder", "autism spectrum disorder"),
        ("increase in heat in the sea", "increase of heat in the sea"),
        ("playing of guitars", "playing guitar"),
        ("conflict between hamas and fatah", "conflict between fatah and hamas"),
        ("combustion in a fire", "combustion in fire"),
        ("mexican–american war", "mexican american war"),
        ("feeling of shame", "shame"),
        ("myocardial infarction", "heart attack"),
        ("risk of hypertension", "risk of high blood pressure"),
    ],
)
def test_names_of_one_thing_share_a_key(first: str, second: str) -> None:
    assert not merge_keys(first).isdisjoint(merge_keys(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("increase in price", "decrease in price"),
        ("lack of sleep", "sleep"),
        ("world war i", "world war ii"),
        ("stability", "instability"),
        ("smoke", "smoking"),
        ("cause of death", "cause"),
        ("house of cards in wind", "wind in house of cards"),
        ("type 1 diabetes", "type 2 diabetes"),
        ("radiant", "radiation"),
        ("germ", "germination"),
        ("deficiency of vitamin a", "vitamin deficiency"),
        ("lower back pain", "reduction in back pain"),
        ("rain drop", "reduced rain"),
        ("falling rain", "reduction in rain"),
        ("copper deficiency", "shortage of copper"),
        ("drinking water", "water drinking"),
        ("feeding tube", "tube feeding"),
        ("red yeast rice", "red rice yeast"),
        ("computational model", "model of computation"),
        ("high fat low carbohydrate diet", "low fat high carbohydrate diet"),
        ("sense of security", "security"),
        ("global warming", "climate change"),
        ("rain", "heavy rain"),
        ("dice", "death"),
    ],
)
def test_names_of_two_things_do_not(first: str, second: str) -> None:
    assert merge_keys(first).isdisjoint(merge_keys(second))


def test_each_row_of_the_table_of_same_things_leads_to_a_canonical_name_in_one_step() -> None:
    assert not set(same_things()) & set(same_things().values())
    assert list(same_things()) == sorted(same_things())
    opposites = {name for name, canonical in same_things().items() if has_opposite_words(name, canonical)}
    assert opposites <= {
        "eating too much",
        "excess body weight",
        "excess weight",
        "excessive body weight",
        "falling asleep",
        "unconsciousness",
    }
