"""The stance of a sentence towards a claim that a rule found in it: assert, deny, doubt, ask or suppose it.

The words over the claim are read from the cue upwards, so that each modifies the level below: "they claim that X does not cause
Y" doubts a denial, "there is no evidence that X may cause Y" denies a doubt. Some decisions:

- "Smith claimed that X causes Y", "according to Smith" or "to the Navy" and a denial that somebody utters are doubted, "Smith
  showed that" and "according to the study" asserted; the name is kept as context.
- "X rarely causes Y" and "X does not always cause Y" are asserted, with the word as their capability; "X alone does not cause Y"
  and "does not necessarily cause" are doubted.
- "X prevents Y from causing Z" and aims ("in order to cause") suppose the claim. A presupposition of a question is no question,
  and the object of a verb is presupposed: "settle the dispute over X" supposes nothing. "X is used to prevent Y" is asserted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import BE_FORMS, first_labelled, has_label
from graph.mining.stance.cue_scope import ScopeLevel, is_content_noun, own_clause_levels, scope_levels
from graph.mining.stance.modality import doubting_modal, is_less_than_always
from graph.model import Stance
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun, place_names, word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_NEGATIVE_LABELS = frozenset({"neg", "det", "advmod", "preconj", "cc"})
_NO_WAY = frozenset({"means", "way", "ways", "circumstances", "case", "sense", "time"})
_CONDITIONAL_WORDS = frozenset({"if", "unless", "lest", "supposing", "provided", "assuming"})
_LATER_ADVERBS = frozenset({"eventually", "later", "subsequently", "ultimately", "soon", "finally", "thereafter"})
_INSTEAD = (["rather", "than"], ["instead", "of"])
_DOUBTING_LISTS = {"advmod": "doubtful", "amod": "suspected", "parataxis": "hedging"}
_VIEW = frozenset({"view", "opinion", "theory", "eyes", "model", "scenario", "hypothesis"})
_SOMEBODY = frozenset({"he", "she", "they", "some", "others", "legend", "tradition", "myth"})


@dataclass(slots=True)
class _StanceEvidence:
    denied: bool = False
    doubted: bool = False
    supposed: bool = False
    questioned: bool = False

    def deny(self) -> None:
        """Add a negation, which inverts the level below, and a doubt with it ("they do not believe that")."""
        self.denied, self.doubted = not self.denied, False


def detect_stance(cue: Token, match_tokens: Sequence[Token], is_motive: bool = False) -> Stance:
    """Return the stance of the sentence of `cue` towards the claim that the `match_tokens` state.

    A motive holds for an act that is only planned or advised, too: "they should leave to avoid war".
    """
    levels = scope_levels(cue)
    reading = _StanceEvidence()
    over = {level.token.i for level in levels}
    beside = [token for token in match_tokens if token.i not in over]
    before = [token.lower_ for token in cue.doc[max(0, cue.i - 2) : cue.i]]
    is_ruled_out = before in _INSTEAD or (before == ["no", "longer"] and cue.nbor(-1).head != cue)
    denied = [token for token in beside if cue.dep_ != "amod" and _is_denied_argument(token, cue)]
    for _ in range(len(denied) + is_ruled_out):
        reading.deny()
    reading.doubted |= any(_has_doubt_beside(token) for token in beside)
    modal = doubting_modal(levels)
    for level in levels:
        _read_governors(level, reading, is_motive)
        _read_negations(level, cue, beside, reading)
        sources = [to for child in level.token.children if child.lower_ == "according" for to in child.rights]
        reading.doubted |= any(
            noun.dep_ == "pobj" and (_names_somebody(noun) or noun.tag_ == "NNP") for to in sources for noun in to.rights
        )
        reading.doubted |= level.shares and (_has_doubt_beside(level.token) or (modal is not None and modal.head == level.token))
        _read_suppositions(level, reading, is_motive)
    verbs = [level.token for level in own_clause_levels(levels) if level.shares]
    reading.supposed |= any(_is_supposed_verb(verb, is_motive) for verb in verbs)
    top = levels[-1].token  # a presupposition of a phrase in a question is not asked
    asks = top.dep_ in ("ROOT", "advcl", "mark", "prep", "ccomp", "conj") or top.lower_ in BE_FORMS
    if reading.questioned or (asks and top.sent.text.rstrip("\"'”’) ").endswith("?")):
        return Stance.QUESTIONED
    if reading.supposed:
        return Stance.HYPOTHETICAL
    if reading.doubted:
        return Stance.HEDGED
    return Stance.NEGATED if reading.denied else Stance.ASSERTED


def stance_of_pair(attitude: Stance, ends: Iterable[Span]) -> Stance:
    """Return the stance towards one pair of arguments; "caused by rain, not the dam" asserts the one and denies the other."""
    if attitude not in (Stance.ASSERTED, Stance.NEGATED) or sum(map(_is_singled_out, ends)) % 2 == 0:
        return attitude
    return Stance.NEGATED if attitude is Stance.ASSERTED else Stance.ASSERTED


def _read_governors(level: ScopeLevel, reading: _StanceEvidence, is_motive: bool) -> None:
    given = _is_presupposed(level)
    for word in () if given else level.governors():
        lower = word.lower_
        if (lower in word_list("ruling") and not any(child.lower_ == "out" for child in word.children)) or (
            lower in word_list("feeling") and level.below.dep_ == "dobj"
        ):  # "ruled that", "felt anger over"
            continue
        too = word.tag_.startswith("JJ") and any(child.lower_ == "too" for child in word.lefts)  # "too small to cause"
        if lower in word_list("failing") or lower in word_list("denying") or lower == "without" or too:
            reading.deny()
        elif lower in word_list("doubting"):
            reading.deny()
            reading.doubted = True
        elif lower in word_list("hedging") or (lower in word_list("reporting") and _is_hearsay_or_opinion(word)):
            reading.doubted |= not any(child.lower_ in ("correctly", "rightly") for child in word.children)
        elif lower in word_list("asking"):
            ordered = any(child.tag_ == "TO" for child in level.below.children)
            reading.supposed |= ordered
            reading.questioned |= not ordered
        has_infinitive = any(dependent.tag_ == "TO" for dependent in level.below.lefts)
        aimed = not is_motive and lower in word_list("aiming") and (level.below.dep_ != "ccomp" or has_infinitive)
        if aimed or (lower == "from" and word.head.lower_ in word_list("hindering")):
            reading.supposed = True
        reading.doubted |= any(child.lower_ in word_list("weak") for child in word.lefts if is_content_noun(word))


def _read_negations(level: ScopeLevel, cue: Token, beside: Sequence[Token], reading: _StanceEvidence) -> None:
    """Add "not", "never", "no" and the like beside a word over the claim; those on the arguments `beside` are counted.

    Over "because of" and the like only a "not" right before it counts: "it did not open because of rain" denies no cause.
    """
    beyond = (level.below.dep_ == "advcl" and level.token != cue) or cue.dep_ == "amod"
    presumed = any(word.lower_ in word_list("presumed") for word in (level.below, *level.governors()) if word != cue)
    if beyond or presumed or not (level.shares or level.takes):
        return
    for child in level.token.children:
        if not _is_negation(child) or child in beside or (cue.dep_ == "prep" and level.token != cue and child.i < cue.i - 2):
            continue
        following = child.doc[child.i + 1 : child.i + 2].text.lower()
        subject = first_labelled(level.token.children, "nsubj", "nsubjpass")
        alone = subject is not None and subject.i < child.i and any(token.lower_ == "alone" for token in subject.subtree)
        known = any(word.lower_ in word_list("knowing") for word in level.governors())
        if known or alone or following in word_list("partly"):  # "X alone does not", "does not necessarily"
            reading.doubted = True
        elif level.token.tag_.startswith("VB") and level.token.lower_ in word_list("denying"):
            reading.denied, reading.doubted = False, True
        else:
            reading.deny()


def _read_suppositions(level: ScopeLevel, reading: _StanceEvidence, is_motive: bool) -> None:
    """Add "if", "whether", "as long as" and purposes."""
    token = level.token
    for child in token.children:
        lower = child.lower_
        if child.dep_ == "mark" and lower == "whether":
            reading.questioned = True
        elif child.dep_ in ("mark", "advmod", "prep") and lower in _CONDITIONAL_WORDS and child.i < token.i:
            is_question = lower == "if" and token.i > token.head.i and _means_whether(token)
            reading.questioned |= is_question
            reading.supposed |= not is_question
    purpose = any(child.tag_ == "TO" for child in token.children) and token.dep_ in ("advcl", "conj")
    purpose &= not is_motive and not _is_presupposed(level)
    if (token.dep_ == "advcl" and token.head.lower_ == "long") or (purpose and token.head.tag_ not in ("VB", "VBG")):
        reading.supposed = True


def _means_whether(clause: Token) -> bool:
    """Return whether the "if" of a clause means whether: "find out if", "it is unclear if", "they doubt if"."""
    around = [child for child in clause.head.children if child.dep_ in ("acomp", "attr") and child != clause]
    if clause.dep_ == "ccomp" or clause.head.lower_ in word_list("asking"):
        around.append(clause.head)
    return any(
        word.lower_ in word_list(name) for word in around for name in ("asking", "doubting", "knowing", "finding", "presumed")
    )


def _is_presupposed(level: ScopeLevel) -> bool:
    """Return whether a verb has as its object a relation that is taken for granted: "settle the dispute over"."""
    if level.below.dep_ != "dobj" or not level.below.tag_.startswith("NN") or is_content_noun(level.below):
        return False
    marked = any(child.dep_ == "poss" or child.lower_ == "the" for child in level.below.lefts)
    return marked and not any(level.token.lower_ in word_list(name) for name in ("asking", "denying", "doubting", "hedging"))


def _is_supposed_verb(verb: Token, is_motive: bool) -> bool:
    modals = {child.lower_ for child in verb.children if child.dep_ == "aux"}
    if is_motive:
        modals.discard("should")
    if modals & {"must", "shall"}:
        return has_label(verb.children, "neg")
    if not modals & {"would", "'d", "should"} or "have" in modals:
        return bool(modals & {"would", "'d", "should"})
    # A later event is no supposition: "would eventually lead to", "would in 1684".
    years = (token for token in verb.subtree if token.is_digit and len(token) == 4 and token.text < "2020")
    is_later = any(child.lower_ in _LATER_ADVERBS for child in verb.children) or any(year.head.lower_ == "in" for year in years)
    return not is_later


def _is_hearsay_or_opinion(word: Token) -> bool:
    """Return whether a report has no speaker ("is said to cause", "reports that"), or a person utters it ("Moore said that")."""
    if word.tag_.startswith("NN") or (word.tag_ == "VBN" and has_label(word.children, "auxpass")):
        return True
    return word.lower_ in word_list("uttering") and any(child.dep_ == "nsubj" and _names_somebody(child) for child in word.lefts)


def _names_somebody(noun: Token) -> bool:
    if noun.lower_ in _SOMEBODY:
        return True
    kind = kind_of_noun(singular(noun.lower_))
    return kind == "person" or (noun.tag_ == "NNP" and noun.is_title and kind == "" and noun.lower_ not in place_names())


def _is_negation(child: Token) -> bool:
    """Return whether a word denies its head: "not", "no", "hardly", "by no means", "no longer", but not "not only"."""
    lower = child.lower_
    if child.dep_ == "prep" and lower in ("in", "by", "under", "at"):
        ways = (noun for noun in child.rights if noun.lower_ in _NO_WAY)
        return any(det.lower_ == "no" for noun in ways for det in noun.lefts)
    if lower == "longer":
        return any(dependent.lower_ == "no" for dependent in child.lefts)
    if child.dep_ in ("nsubj", "nsubjpass"):
        return lower in ("nobody", "none", "nothing", "few") or any(_is_negation(dependent) for dependent in child.lefts)
    if lower == "little":
        article = any(dependent.lower_ == "a" for dependent in child.head.lefts)
        return child.dep_ == "amod" and not is_content_noun(child.head) and not article
    if child.dep_ == "amod" and lower == "few":
        return child.head.tag_.startswith("VB")
    return child.dep_ in _NEGATIVE_LABELS and lower in word_list("negative") and lower != "nor" and not _is_not_only(child)


def _is_not_only(negation: Token) -> bool:
    after = [token.lower_ for token in negation.doc[negation.i + 1 : negation.i + 3]]
    if after[:1] in (["the"], ["a"]):
        after = after[1:]
    if negation.lower_ == "no" and after[:1] in (["little"], ["small"]):
        return True
    return after[:1] in (["only"], ["sole"], ["just"], ["merely"], ["simply"], ["solely"]) or is_less_than_always(negation)


def _is_denied_argument(token: Token, cue: Token) -> bool:
    """Return whether an argument or a word between is denied as such: "no virus", "neither X nor Y", "not by X"."""
    if token.lower_ in ("none", "nothing", "nobody", "neither"):
        return True
    if token.tag_ == "WDT" and token.head.dep_ == "relcl":
        return any(child.dep_ == "det" and child.lower_ == "no" for child in token.head.head.lefts)
    if any(child.dep_ == "det" and child.lower_ == "any" for child in token.lefts):
        return token == cue.head and token.dep_ == "dobj" and any(child.dep_ == "neg" for child in token.head.lefts)
    if token.i > 0 and token.nbor(-1).lower_ == "nor" and token.dep_ != "conj":
        return True
    if token.tag_ == "VBG" and token.dep_ == "pcomp":  # "died from not being fed"
        return False
    before = (child for child in token.children if child.i < token.i and child.dep_ in ("det", "neg", "preconj", "cc"))
    return any(child.lower_ in ("no", "neither", "not") and not _is_not_only(child) for child in before)


def _has_doubt_beside(token: Token) -> bool:
    """Return whether a word of doubt stands beside the token: an adverb, an adjective, "he argued" in commas, "in his view"."""
    if token.left_edge.lower_ in word_list("doubtful") and token.tag_.startswith("NN"):
        return True
    for child in token.children:
        lower = child.lower_
        doubting_list = _DOUBTING_LISTS.get(child.dep_)
        if doubting_list is not None and lower in word_list(doubting_list):
            return True
        if child.dep_ == "prep" and lower in ("in", "to") and any(noun.lower_ in _VIEW for noun in child.rights):
            return True
    return False


def _is_singled_out(end: Span) -> bool:
    """Return whether a later conjunct of the arguments is denied, or asserted, unlike the first: "but not X"."""
    head = end.root
    place = end.start
    while place > 0 and end.doc[place - 1].dep_ in ("det", "poss", "amod", "compound", "nummod"):
        place -= 1
    before = [token.lower_ for token in end.doc[max(0, place - 2) : place]]
    if head.dep_ == "pobj":
        preposition = head.head
        if before[-1:] == [preposition.lower_] and [word.lower_ for word in end.doc[max(0, place - 3) : place - 1]] in _INSTEAD:
            return True  # "by rain rather than by frost"
        if preposition.dep_ == "conj" and before == ["but", preposition.lower_]:
            return _is_denied_phrase(preposition.head)
        return preposition.dep_ == "cc" and before in _INSTEAD
    if head.dep_ not in ("conj", "appos"):
        return False
    first = head
    while first.dep_ in ("conj", "appos"):
        first = first.head
    cleft = first.dep_ == "attr" and first.head.lower_ in BE_FORMS and any(_is_negation(child) for child in first.head.rights)
    if "not" in (end[0].lower_, *before[-1:]) or before in _INSTEAD:
        return True
    denied = cleft or _is_denied_argument(first, head) or (first.dep_ == "pobj" and _is_denied_phrase(first.head))
    return "but" in before and denied


def _is_denied_phrase(preposition: Token) -> bool:
    """Return whether "not" stands before a phrase or its verb: "not by germs", "was not caused by germs"."""
    is_after_not = preposition.i > 0 and preposition.nbor(-1).lower_ == "not"
    return is_after_not or has_label(preposition.head.children, "neg")
