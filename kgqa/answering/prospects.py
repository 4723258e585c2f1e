"""What would become of an effect in a supposed world, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge
from kgqa.answering.change import routes
from kgqa.answering.outlook import Direction, Doubt, Outlook, rests_on_others
from kgqa.answering.pulls import Pull
from kgqa.answering.wording import counted, listed
from kgqa.intervention.settings import World
from kgqa.model import Outcome, Verdict

_NAMED = 3
GRADED = "only the direction follows from what the claims say, not how much"


def prospect(one: Outlook, world: World, verdict: Verdict | None, outcome: Outcome | None, closure: float) -> str:
    """Return what would become of an effect; behind a verdict, why, with the causes that are left and the beliefs in them.

    `closure` is how probably the graph knows all causes of the effect.
    """
    effect = one.bearing.reading.concepts[0]
    text = _change(one, world, effect)
    supposed = {name for part in world.parts for name in part.concepts}
    others = [edge for edge in one.fate.remaining if edge.cause not in supposed]
    whether = verdict is not None and outcome in (None, Outcome.HAPPENS, Outcome.GONE)
    dependent = one.fate.dependent
    if one.direction is Direction.NONE and dependent:
        text = f"{text}; {_dependent(dependent, world)}"
    elif one.direction is Direction.NONE and one.fate.weak:
        text = f"{text}; only doubtful causes would remain, such as {_beliefs(one.fate.weak[:_NAMED])}"
    elif one.direction is Direction.NONE and verdict is not None:
        text = f"{text}; that the graph knows of no other is no proof that there is none (it knows them all: {closure:.2f})"
    elif whether and others and rests_on_others(one):
        what = _remaining(one, others, effect)
        text = f"{what} {_beliefs(others[:_NAMED])}; but {text}"
        text += f"; {_dependent(dependent, world)}" if dependent else ""
    elif others and one.direction is not Direction.MORE:
        text = f"{text}; but {_remaining(one, others, 'it')} {listed([edge.cause for edge in others[:_NAMED]])}"
    text += _contrary(one) + _doubted(one)
    if any(pull.part.graded for pull in one.bearing.pulls):
        text = f"{text}; {GRADED}"
    if one.bearing.idle:
        names = [part.reading.concepts[0] for part in one.bearing.idle]
        text = f"{text}; nothing that the graph knows leads from {listed(names)} to {effect}"
    return f"{verdict.value}: {text}" if verdict else text


def _change(one: Outlook, world: World, effect: str) -> str:
    """Return which way an effect goes, and by which routes."""
    perhaps = "perhaps " if one.doubt is Doubt.PERHAPS else ""
    if one.direction is Direction.NONE:
        return f"{effect} would {perhaps}lose {_only(one.fate.lost, world)}"
    if one.direction is Direction.EITHER:
        sides = [[pull for pull in one.bearing.pulls if pull.less is less] for less in (True, False)]
        told = [listed([_how(pull) for pull in side]) for side in sides]
        return f"{effect} would be pulled either way: less likely, since {told[0]}, and more likely, since {told[1]}"
    less = one.direction is Direction.LESS
    likely = "less likely" if less else "more likely"
    how = listed([_how(pull) for pull in one.bearing.pulls])
    if one.doubt is Doubt.UNCLEAR:
        moves = "fall" if less else "rise"
        return f"{effect} would not clearly become {likely}: its reckoned probability does not {moves}, although {how}"
    return f"{effect} would {perhaps}become {likely}, since {how}"


def _how(pull: Pull) -> str:
    """Return by which route a supposition makes more or less of an effect."""
    best = routes([pull.best])[0]
    means = "" if pull.drives else ", which makes less of it,"
    if pull.part.cuts:
        return f"{best}{means} is cut"
    if pull.part.graded:
        does = "makes more of it" if pull.drives else "makes less of it"
        return f"{best} {does} and there would be {'less' if pull.part.takes else 'more'} of its cause"
    return f"{best}{means or ', which makes more of it,'} holds"


def _only(lost: Sequence[Edge], world: World) -> str:
    """Return what is lost where no cause is left: what is supposed itself, or what it alone is known to bring about."""
    own = {name for part in world.parts for name in part.concepts}
    indirect = [edge.cause for edge in lost if edge.cause not in own]
    targets = listed([part.reading.concepts[0] for part in world.parts if part.cuts])
    if not indirect or len(indirect) < len(lost):
        names = list(dict.fromkeys(edge.cause for edge in lost))
        if len(names) == 1 or len(world.parts) == 1:
            return f"its only known cause, {targets if len(world.parts) == 1 else names[0]}"
        return f"its {len(names)} known causes, {listed(names[:_NAMED])}{' and more' if len(names) > _NAMED else ''}"
    many = len(indirect) > 1
    which = f"which {'are' if many else 'is'} only known to come from {targets}"
    return f"its only known cause{'s' if many else ''}, {listed(indirect[:_NAMED])}, {which}"


def _remaining(one: Outlook, others: Sequence[Edge], effect: str) -> str:
    """Return how many causes of an effect would remain, as what their names can follow."""
    what = "other cause" if any(pull.part.cuts for pull in one.bearing.pulls) else "other known cause"
    return f"{counted(len(others), what)} of {effect} would remain{', such as' if len(others) > _NAMED else ':'}"


def _dependent(edges: Sequence[Edge], world: World) -> str:
    """Return which causes are left that may only have worked by way of what is gone."""
    names = listed([edge.cause for edge in edges[:_NAMED]])
    targets = " or ".join(part.reading.concepts[0] for part in world.parts if part.cuts)
    more = f" and {len(edges) - _NAMED} more" if len(edges) > _NAMED else ""
    return f"{names}{more} {'is' if len(edges) == 1 else 'are'} left out, since said to cause {targets} as well"


def _beliefs(edges: Sequence[Edge]) -> str:
    """Return causes with the beliefs in them: "radon (0.99) and asbestos (0.95)"."""
    return listed([f"{edge.cause} ({edge.belief:.2f})" for edge in edges])


def _contrary(one: Outlook) -> str:
    """Return by which route the strongest supposition works the other way as well, as a clause to add."""
    leading = one.bearing.leading
    if leading.contrary is None or one.direction is Direction.EITHER:
        return ""
    return f"; on the other hand {routes([leading.contrary])[0]} makes {'less' if leading.drives else 'more'} of it"


def _doubted(one: Outlook) -> str:
    """Return why the direction of a change is uncertain, as a clause to add; empty where it is not."""
    leading = one.bearing.leading
    if not leading.doubtful:
        return ""
    return f"; that {routes([leading.best])[0]} holds from end to end is doubtful (validity {leading.valid:.2f})"
