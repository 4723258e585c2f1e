"""From a question to an answer over a graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graph.protocols import GraphView
from kgqa.answering.counterfactual import world
from kgqa.answering.listing import Side, find, read_as
from kgqa.answering.wording import sentence
from kgqa.errors import QuestionInvalid
from kgqa.intervention.settings import apply
from kgqa.model import Answer, Condition, Missing, QuestionType, Route, Slots
from kgqa.router import route
from kgqa.typology.classifier import classify

MAX_QUESTION = 2_000


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answers questions over one graph; `limit` is the number of findings that an answer shows at most."""

    view: GraphView
    limit: int = 10
    settings: Sequence[Condition] = field(default=())

    def answer(self, question: str) -> Answer:
        """Return the answer to `question`, in the world that the settings make.

        Raises `QuestionInvalid` for an empty or overlong question, and `ConceptUnknown` for a setting on an unknown concept.
        """
        question = checked(question)
        kind = classify(question)
        if not self.settings:
            return route(question, kind)(question, kind, self.view, self.limit)
        return self._in_other_world(question, kind)

    def _in_other_world(self, question: str, kind: QuestionType) -> Answer:
        """Return the answer under the settings, with what the graph says without them in the trace."""
        overlay, applied, read = apply(self.view, self.settings)
        before = route(question, kind)(question, kind, self.view, self.limit)
        after = route(question, kind)(question, kind, overlay, self.limit)
        changes: list[str] = []
        if kind.slots.cause is None or kind.slots.effect is None:
            side = Side.EFFECTS if kind.slots.effect is None else Side.CAUSES
            phrase = kind.slots.cause or kind.slots.effect or ""
            worlds = [find(view, phrase, kind.slots.relation, side) for view in (self.view, overlay)]
            names = [[one.text for one in listing.findings] if listing else [] for listing in worlds]
            changes = [f"as it is: {world(worlds[0])}", f"so set: {world(worlds[1])}"]
            changes += [f"lost: {name}" for name in names[0] if name not in names[1]][: self.limit]
            changes += [f"gained: {name}" for name in names[1] if name not in names[0]][: self.limit]
        settings = ", ".join(f"{one.target} {one.value}" for one in applied)
        return replace(
            after,
            route=after.route if after.route is Route.NONE else Route.INTERVENTION_GRAPH,
            sentence=f"With {settings}: {after.sentence} As it is: {before.sentence}",
            interventions=(*applied, *after.interventions),
            trace=(*(read_as(one) for one in read), *after.trace, *changes),
        )


def checked(question: str) -> str:
    """Return the question in single spaces; raises `QuestionInvalid` where there is none or it is overlong."""
    text = " ".join(question.replace("\0", " ").split())
    if not any(character.isalnum() for character in text):
        raise QuestionInvalid("it is empty")
    if len(text) > MAX_QUESTION:
        raise QuestionInvalid(f"it has {len(text):,} characters, at most {MAX_QUESTION:,} are read")
    return text


def unanswered(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be asked of the graph, with the reason."""
    kind = QuestionType(None, Slots())
    return Answer(question=question, type=kind, route=Route.NONE, sentence=sentence(why), missing=(Missing("a question", why),))
