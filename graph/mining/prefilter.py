"""The prefilter: the rules that may match a sentence, judged by its words alone, so that few sentences are parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from graph.mining.rules.rule_tables import Rule
from graph.text.normalise import singular
from graph.text.segmentation import text_tokens

_GUARDS = re.compile(r"(?:\(\?<!\\(?:b|S )\w+ \))+")


class Prefilter:
    """The rules that may match a sentence, by its words alone, so that few sentences are parsed."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_cue: dict[str, list[Rule]] = {}
        for rule in rules:
            for word in rule.cue:
                self._by_cue.setdefault(word, []).append(rule)
        self._cues = frozenset(self._by_cue)
        self._needy = [rule for rule in rules if rule.needs]
        self._free = frozenset(rule.id for rule in rules if not rule.needs)

    def needed_for(self, sentence: str) -> frozenset[str]:
        """Return the ids of the rules that may match the parsed sentence: all but those that need other words."""
        lower = sentence.lower()
        return self._free | {rule.id for rule in self._needy if _cue_regex(rule.text).search(lower)}

    def rules_for(self, sentence: str) -> frozenset[str]:
        """Return the ids of the rules whose cue and its required context are in the sentence."""
        lower = sentence.lower()
        every = text_tokens(lower)
        cues = self._cues.intersection(every)
        if not cues:
            return frozenset()
        stands: dict[str, bool] = {}
        nouns: frozenset[str] = frozenset()
        ids = set()
        for rule in (rule for word in cues for rule in self._by_cue[word]):
            if rule.text not in stands:
                stands[rule.text] = _cue_regex(rule.text).search(lower) is not None
            if stands[rule.text] and rule.effect_in:
                nouns = nouns or frozenset(every).union(map(singular, every))
            if stands[rule.text] and not (rule.effect_in and rule.effect_in.isdisjoint(nouns)):
                ids.add(rule.id)
        return frozenset(ids)


@cache
def _cue_regex(text: str) -> re.Pattern[str]:
    """Return the expression for a cue at word boundaries, in lower case; the lookbehind, which takes longest, comes last."""
    guards = _GUARDS.match(text)
    rest = text[guards.end() :] if guards else text
    return re.compile(rf"(?<!\w)(?={rest})(?:{text})(?!\w)" if guards else rf"(?<!\w)(?:{text})(?!\w)")
