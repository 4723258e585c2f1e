from __future__ import annotations

import pytest

from graph.belief.independence import SKETCH_SIZE, copy_keys, sketch

FIRST = (
    "Wresting control of Turkmenistan from the Sasanian Empire, the confederation of ten tribes caused a migration into Dagestan."
)
SECOND = "Wresting control of southern Turkmenistan from the Sasanian Empire, the Confederation of Ten Tribes caused migration."


def copies(one: str, other: str) -> bool:
    first, second = (set(keys) for keys in copy_keys([sketch(one), sketch(other)]))
    return not first.isdisjoint(second)


def test_a_sketch_does_not_depend_on_case_signs_or_order() -> None:
    assert sketch(FIRST) == sketch(" ".join(reversed(FIRST.upper().replace(",", ";").split())))
    assert len(bytes.fromhex(sketch(FIRST))) == SKETCH_SIZE


def test_a_sketch_is_the_same_on_every_machine() -> None:
    assert sketch("Heavy storms caused great floods along the whole coast.") == "c45fd2945fae4fc5"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (FIRST, FIRST, True),
        (FIRST, SECOND, True),
        (FIRST, "The confederation of ten tribes had many causes for leaving Dagestan behind in that century.", False),
        (
            "In the 1980s Bulgaria was known for exports because of its large-scale computing technology.",
            "Because of its large-scale computing technology, Bulgaria was known in the 1980s for exports.",
            True,
        ),
        ("Smoking causes lung cancer.", "Smoking causes lung cancer.", False),
        ("", "", False),
    ],
    ids=["itself", "a few words changed", "a few words shared", "turned round", "too short to tell", "empty"],
)
def test_copies_are_told_from_sentences_that_only_share_words(one: str, other: str, same: bool) -> None:
    assert copies(one, other) is same


def test_more_sketches_beside_them_do_not_change_which_are_copies() -> None:
    keys = [set(one) for one in copy_keys([sketch(text) for text in (FIRST, SECOND, "Rain " * 3, FIRST[20:], SECOND[30:])])]
    assert not keys[0].isdisjoint(keys[1])
    assert keys[2] == set()
