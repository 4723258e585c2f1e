"""Both sides of a claim in words: who says so, who denies it, and in which cases only."""

from __future__ import annotations

from graph.model import Edge
from kgqa.answering.asked import Asked, Readings
from kgqa.answering.cases import same
from kgqa.answering.readings import BROADER, NARROWER, SURE
from kgqa.answering.separation import separated
from kgqa.answering.voice import Voice
from kgqa.answering.weighing import Role, Weighed
from kgqa.answering.wording import claim, counted, hedged, listed, plain
from kgqa.linking.reading import worded
from kgqa.model import Semantic, Separation, Verdict

_SO = "so"


def told(asked: Asked, weighed: Weighed, pair: Readings, found: Verdict, separation: Separation | None = None) -> str:
    """Return what the evidence says of the claim, with its verdict: "yes: 3 sources say that ...; 1 source denies it".

    `found` is the verdict on the claim; where the question asks whether it is not so, the answer is the contrary.
    """
    verdict = asked.proposition.judged(found)
    edge = foremost(asked, weighed)
    said = f"that {claim(edge)}"
    case = f" {listed(_case(asked, weighed))}" if weighed.particular else ""
    head = f"{_said(asked, verdict)}{case}{_extent(pair, found)}"
    if found is Verdict.YES:
        words = f"{head} {sayers(weighed)} {said}{_against(asked, weighed, 'it')}"
    elif found is Verdict.NO:
        words = f"{head} {_denying(asked, weighed, f'that {plain(edge)}')}" + (
            f", although {sayers(weighed, _SO)}" if _supported(weighed) else ""
        )
    elif found is Verdict.CONTESTED:
        words = f"{head} {sayers(weighed)} {said}{_against(asked, weighed, 'it')}"
        words += f"; {separated(separation)}" if separation else ""
    elif not weighed.witnesses and weighed.apart:
        words = f"{head} that {plain(edge)} is denied, but only {listed(list(weighed.apart[:2]))}"
    else:
        words = f"{head} {_unsure(asked, weighed)}"
    if weighed.witnesses and weighed.apart:
        words += f"; it is denied only {listed(list(weighed.apart[:2]))}"
    if asked.circumstances and not weighed.particular and found is not Verdict.UNKNOWN:
        words += f"; no source says it of {listed([repr(phrase) for _, phrase in asked.circumstances])} in particular"
    loose = [worded(one) for one in pair if one.score < SURE and one.how not in (NARROWER, BROADER)]
    return "; ".join([words, *loose])


def _said(asked: Asked, verdict: Verdict) -> str:
    """Return the verdict in words: of why something is not so, whether it is so at all."""
    if asked.request.kind.semantic is Semantic.VERIFICATION or verdict not in (Verdict.YES, Verdict.NO):
        return verdict.value
    return "it does, as far as the graph knows" if verdict is Verdict.YES else "indeed it does not, as far as the graph knows"


def _case(asked: Asked, weighed: Weighed) -> list[str]:
    """Return the case that was asked for, in the words of a record: "in adults"."""
    said = [words for part in weighed.parts for _, words in part.record.context]
    return [next((words for words in said if same(phrase, words)), phrase) for _, phrase in asked.circumstances]


def _extent(pair: Readings, found: Verdict) -> str:
    """Return of what a verdict holds where the claims are of narrower cases, or of something wider; with its mark."""
    wider = [one.phrase for one in pair if one.how == BROADER]
    if wider:
        return f", probably: no source speaks of {listed(wider)} in particular, but"
    if any(one.how == NARROWER for one in pair) and found is Verdict.YES:
        return ", in some cases:"
    return ":"


def foremost(asked: Asked, weighed: Weighed) -> Edge:
    """Return the edge that is told: of those that say what is asked the most believed one, in the weakest wording."""
    return max(weighed.edges, key=lambda edge: (asked.role(edge) in (Role.SAYS, Role.MORE), edge.belief, -edge.strength.rank))


def sayers(weighed: Weighed, what: str = "") -> str:
    """Return who speaks for the claim, with the verb and `what` is said: "3 sources say", "CauseNet says so, without ..."."""
    number, bare, hedges, opinions = (weighed.count(voice) for voice in (Voice.TEXT, Voice.BARE, Voice.HEDGE, Voice.OPINION))
    if number:
        besides = " (and CauseNet, without a sentence)" if bare else ""
        return f"{counted(number, 'source')}{besides} {'says' if number == 1 else 'say'} {what}".rstrip()
    if bare:
        return f"CauseNet says {what}".rstrip() + ", without a sentence that could be looked up" + ("" if what else ",")
    if hedges:
        does = f"{counted(hedges, 'source')} {'says' if hedges == 1 else 'say'}"
        return f"{does} so with a hedge" if what == _SO else f"{does}, with a hedge, {what}".rstrip()
    if opinions:
        does = f"{counted(opinions, 'source')} {'reports' if opinions == 1 else 'report'}"
        return f"{does} it as an opinion" if what == _SO else f"{does} the opinion {what}".rstrip()
    return "nothing says"


def _supported(weighed: Weighed) -> bool:
    return any(one.supporting for one in weighed.witnesses)


def _against(asked: Asked, weighed: Weighed, what: str) -> str:
    """Return who speaks against the claim, as a clause to add; empty for nobody."""
    opposing = _opposing(asked, weighed)
    parts = []
    if weighed.denying > opposing:
        number = weighed.denying - opposing
        parts.append(f"{counted(number, 'source')} {'denies' if number == 1 else 'deny'} {what}")
    if opposing:
        edge = max((one for one in weighed.edges if asked.role(one) is Role.CONTRARY), key=lambda one: one.belief)
        opposite = f"the opposite, that {claim(edge)}{_disputed(weighed)}"
        parts.append(f"{counted(opposing, 'source')} {'says' if opposing == 1 else 'say'} {opposite}")
    if weighed.reported:
        number = weighed.reported
        parts.append(f"{counted(number, 'source')} only {'reports' if number == 1 else 'report'} that somebody denies {what}")
    return "".join(f"; {part}" for part in parts)


def _disputed(weighed: Weighed) -> str:
    """Return who denies the opposite in turn, as a clause to add; empty for nobody."""
    number = weighed.disputing
    return f", which {counted(number, 'source')} {'denies' if number == 1 else 'deny'}" if number else ""


def _denying(asked: Asked, weighed: Weighed, said: str) -> str:
    """Return who denies the claim, with the claim itself."""
    return _against(asked, weighed, said).removeprefix("; ")


def _opposing(asked: Asked, weighed: Weighed) -> int:
    """Return how many of those who speak against assert the opposite, and do not just deny."""
    return sum(one.opposes for one in weighed.witnesses)


def _unsure(asked: Asked, weighed: Weighed) -> str:
    """Return why the evidence decides nothing: what is said at most, and what speaks against it."""
    edge = foremost(asked, weighed)
    hedges, bare, opinions, links = (weighed.count(voice) for voice in (Voice.HEDGE, Voice.BARE, Voice.OPINION, Voice.LINK))
    said = []
    if links:
        link = max((one for one in weighed.edges if asked.role(one) is Role.LESS), key=lambda one: one.belief)
        said.append(f"{counted(links, 'source')} {'says' if links == 1 else 'say'} no more than that {claim(link)}")
    if hedges:
        said.append(f"{counted(hedges, 'source')} {'says' if hedges == 1 else 'say'} no more than that {hedged(edge)}")
    if opinions:
        said.append(f"{counted(opinions, 'source')} {'reports' if opinions == 1 else 'report'} the opinion that {claim(edge)}")
    if bare:
        said.append(f"CauseNet says that {claim(edge)}, without a sentence that could be looked up")
    against = _against(asked, weighed, "it" if said else f"that {plain(edge)}").removeprefix("; ")
    return "; ".join(filter(None, [*said, against])) or "no source asserts it"
