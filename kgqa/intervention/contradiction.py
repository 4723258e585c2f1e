"""Whether the edits of a world contradict one another."""

from __future__ import annotations

from collections.abc import Sequence

from graph.intervene import Add, Edit, Intervention, Presence, Remove, Replace
from graph.model import Claim
from kgqa.model import AppliedIntervention


def find_edit_contradiction(edits: Sequence[Edit]) -> str:
    """Return what two of the edits say that cannot both be so, or an empty string."""
    forced: dict[str, Presence] = {}
    for edit in edits:
        if isinstance(edit, Intervention) and forced.setdefault(edit.concept, edit.setting) is not edit.setting:
            return f"'{edit.concept}' cannot be both absent and present"
    believed: dict[Claim, float] = {}
    taken = {edit.claim for edit in edits if isinstance(edit, Remove)}
    for edit in edits:
        if not isinstance(edit, Add | Replace):
            continue
        claim, belief = edit.edge.claim, edit.edge.belief
        if claim in taken:
            return f"'{claim.cause}->{claim.effect}' cannot be both there and absent"
        if (earlier_belief := believed.setdefault(claim, belief)) != belief:
            return f"'{claim.cause}->{claim.effect}' cannot be believed both {earlier_belief:g} and {belief:g}"
        if claim.effect in forced:
            return f"'{claim.effect}' is set {forced[claim.effect].value}, so that nothing can bring it about"
        if forced.get(claim.cause) is Presence.ABSENT:
            return f"'{claim.cause}' is set absent, so that it can bring nothing about"
    return ""


def find_opposed_settings(applied: Sequence[AppliedIntervention]) -> str:
    """Return of which concept two settings suppose more and less, or that a claim is and is not, or an empty string."""
    values: dict[str, str] = {}
    for applied_edit in applied:
        before = values.setdefault(applied_edit.target, applied_edit.value)
        if before != applied_edit.value:
            return f"'{applied_edit.target}' cannot be both {before} and {applied_edit.value}"
    return ""
