"""The stance of a sentence towards a claim that a rule found in it: assert, deny, doubt, ask or suppose it.

The words over the claim are read from the cue upwards, so that each modifies the level below: "they claim that X does not cause
Y" doubts a denial, "there is no evidence that X may cause Y" denies a doubt. Some decisions:

- "Smith claimed that X causes Y", "according to Smith" or "to the Navy" are doubted, "Smith showed that" and "according to the
  study" asserted; the name is kept as context.
- A denial that is expected denies: "X would not cause Y". One that is reported or possible is doubted: "he claims that X does not
  cause Y", "X may not cause Y", "he denied that X causes Y".
- "X rarely causes Y" and "X does not always cause Y" are asserted, with the word as their capability; "X alone does not cause Y"
  and "does not necessarily cause" are doubted.
- "X prevents Y from causing Z" and aims ("in order to cause") suppose the claim. A presupposition of a question is no question,
  and the object of a verb is presupposed: "settle the dispute over X" supposes nothing. "X is used to prevent Y" is asserted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import BE_FORMS, first_labelled, has_label, is_lack
from graph.mining.stance.cue_scope import ScopeLevel, is_content_noun, own_clause_levels, scope_levels
from graph.mining.stance.idle_negation import idle_sense
from graph.mining.stance.modality import doubting_modal
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
_NEARLY = frozenset({"almost", "nearly"})
_SUPPORTING = ("finding", "evidence")
_VIEW = frozenset({"view", "opinion", "theory", "eyes", "model", "scenario", "hypothesis"})
_SOMEBODY = frozenset({"he", "she", "they", "some", "others", "legend", "tradition", "myth"})


@dataclass(slots=True)
class _StanceEvidence:
    """What the words read so far do to the claim."""

    denied: bool = False
    doubted: bool = False
    supposed: bool = False
    expected: bool = False
    questioned: bool = False

    def deny(self) -> None:
        """Add a negation, which inverts the level below, and a doubt with it ("they do not believe that")."""
        self.denied, self.doubted = not self.denied, False

    def read_idle(self, negation: Token) -> bool:
        """Return whether a negation denies nothing, and add what it says instead."""
        sense = idle_sense(negation)
        self.doubted |= sense is Stance.HEDGED
        self.supposed |= sense is Stance.HYPOTHETICAL
        return sense is not None

    def stance(self) -> Stance:
        """Return the stance of all that was read."""
        if self.questioned:
            return Stance.QUESTIONED
        if self.supposed or (self.expected and not self.denied):
            return Stance.HYPOTHETICAL
        if self.doubted:
            return Stance.HEDGED
        return Stance.NEGATED if self.denied else Stance.ASSERTED


def detect_stance(cue: Token, match_tokens: Sequence[Token], is_motive: bool = False) -> Stance:
    """Return the stance of the sentence of `cue` towards the claim that the `match_tokens` state.

    A motive holds for an act that is only planned or advised, too: "they should leave to avoid war".
    """
    levels = scope_levels(cue)
    reading = _StanceEvidence()
    over = {level.token.i for level in levels}
    beside = [token for token in match_tokens if token.i not in over]
    before = [token.lower_ for token in cue.doc[max(0, cue.i - 2) : cue.i]]
    is_ruled_out = before in _INSTEAD or (before == ["no", "longer"] and cue.nbor(-1).head.i not in over)
    if is_ruled_out:
        reading.deny()
    for word in (_argument_negation(token, cue) for token in beside if cue.dep_ != "amod"):
        if word is not None and not reading.read_idle(word):
            reading.deny()
    reading.doubted |= any(_has_doubt_beside(token) for token in beside)
    modal = doubting_modal(levels)
    given = False
    for level in levels:
        _read_governors(level, reading, is_motive)
        if not given:
            _read_negations(level, cue, beside, reading)
        given |= _is_given(level)
        sources = [to for child in level.token.children if child.lower_ == "according" for to in child.rights]
        reading.doubted |= any(
            noun.dep_ == "pobj" and (_names_somebody(noun) or noun.tag_ == "NNP") for to in sources for noun in to.rights
        )
        reading.doubted |= level.shares and _has_doubt_beside(level.token)
        if level.shares and modal is not None and modal.head == level.token:
            reading.doubted = True
        _read_suppositions(level, reading, is_motive)
    verbs = [level.token for level in own_clause_levels(levels) if level.shares]
    for verb in verbs:
        _read_modals(verb, reading, is_motive)
    top = levels[-1].token  # a presupposition of a phrase in a question is not asked
    asks = top.dep_ in ("ROOT", "advcl", "mark", "prep", "ccomp", "conj") or top.lower_ in BE_FORMS
    reading.questioned |= asks and top.sent.text.rstrip("\"'”’) ").endswith("?")
    return reading.stance()


def stance_of_pair(attitude: Stance, ends: Iterable[Span], cue: Token) -> Stance:
    """Return the stance towards one pair of arguments; "caused by rain, not the dam" asserts the one and denies the other."""
    contrasts = [contrast for end in ends if (contrast := _contrast(end.root, end.start, cue)) is not None]
    if attitude is Stance.HEDGED and contrasts == [Stance.NEGATED]:
        return Stance.NEGATED
    if attitude not in (Stance.ASSERTED, Stance.NEGATED) or len(contrasts) % 2 == 0:
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
        if word.dep_ == "pobj" and word.head.lower_ in ("beyond", "without") and lower in word_list("doubting"):
            continue  # "proved beyond doubt that"
        too = word.tag_.startswith("JJ") and any(child.lower_ == "too" for child in word.lefts)  # "too small to cause"
        if lower in word_list("failing") or lower in word_list("denying") or lower == "without" or too:
            reading.deny()
        elif lower in word_list("doubting"):
            reading.deny()
            reading.doubted = True
        elif lower in word_list("hedging") or (
            lower in word_list("reporting") and not _is_given(level) and _is_hearsay_or_opinion(word)
        ):
            reading.doubted |= not any(child.lower_ in ("correctly", "rightly") for child in word.children)
        elif lower in word_list("asking"):
            ordered = any(child.tag_ == "TO" for child in level.below.children)
            reading.supposed |= ordered
            reading.questioned |= not ordered
        if is_content_noun(word) and any(child.lower_ in word_list("denying") for child in word.lefts):
            reading.deny()  # "the false impression that"
        conditional = level.below.dep_ == "ccomp" and lower in _CONDITIONAL_WORDS
        reading.supposed |= conditional or (lower in word_list("securing") and has_label(level.below.children, "neg"))
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
    presumed = _is_given(level) or any(
        word.lower_ in word_list("presumed") for word in (level.below, *level.governors()) if word != cue
    )
    if beyond or presumed or not (level.shares or level.takes):
        return
    for child in level.token.children:
        negation = None if child in (level.below, *beside) else _negation(child)
        if negation is None or (cue.dep_ == "prep" and level.token != cue and not cue.i - 2 <= child.i < cue.i):
            continue
        if reading.read_idle(negation) or (negation.lower_ in _NEARLY and level.token != cue):
            continue
        following = child.doc[child.i + 1 : child.i + 2].text.lower()
        subject = first_labelled(level.token.children, "nsubj", "nsubjpass")
        alone = subject is not None and subject.i < child.i and any(token.lower_ == "alone" for token in subject.subtree)
        known = any(word.lower_ in word_list("knowing") for word in level.governors())
        if known or alone or following in word_list("partly"):  # "X alone does not", "does not necessarily"
            reading.doubted = True
        elif any(
            word.lower_ in word_list("denying") and (word == level.token or word.tag_ == "JJ") for word in level.governors()
        ):
            reading.denied = False
            reading.doubted = True
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
        elif child.dep_ == "advmod" and lower in ("when", "whenever") and has_label(token.children, "neg"):
            reading.supposed |= not any(verb.tag_ == "VBD" for verb in (token, *token.lefts))
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


def _is_given(level: ScopeLevel) -> bool:
    """Return whether what stands over a claim takes it for granted: "the fact that", "explain why", "increase the risk of"."""
    if _is_presupposed(level) and not any(level.token.lower_ in word_list(name) for name in _SUPPORTING):
        return True
    is_reason = level.below != level.token and any(child.lower_ in ("why", "how") for child in level.below.lefts)
    return level.takes and (level.token.lower_ == "fact" or is_reason)


def _is_presupposed(level: ScopeLevel) -> bool:
    """Return whether a verb has as its object a relation that is taken for granted: "settle the dispute over"."""
    if level.below.dep_ != "dobj" or not level.below.tag_.startswith("NN") or is_content_noun(level.below):
        return False
    marked = any(child.dep_ == "poss" or child.lower_ == "the" for child in level.below.lefts)
    return marked and not any(level.token.lower_ in word_list(name) for name in ("asking", "denying", "doubting", "hedging"))


def _read_modals(verb: Token, reading: _StanceEvidence, is_motive: bool) -> None:
    """Add what "would", "should", "must" and "shall" suppose or expect; the denial of what is only expected denies."""
    modals = {child.lower_ for child in verb.children if child.dep_ == "aux"}
    if is_motive:
        modals.discard("should")
    if modals & {"must", "shall"}:
        reading.supposed |= has_label(verb.children, "neg")
    elif modals & {"would", "'d", "should"}:
        # A later event is no supposition: "would eventually lead to", "would in 1684".
        years = (token for token in verb.subtree if token.is_digit and len(token) == 4 and token.text < "2020")
        is_later = any(child.lower_ in _LATER_ADVERBS for child in verb.children) or any(
            year.head.lower_ == "in" for year in years
        )
        reading.supposed |= "have" in modals
        reading.expected |= not is_later


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


def _negation(child: Token) -> Token | None:
    """Return the word by which a child denies its head: "not", "no", "hardly", "by no means", "no longer"."""
    lower = child.lower_
    dependents = list(child.children)
    if child.dep_ == "prep" and lower in ("in", "by", "under", "at"):
        ways = (noun for noun in child.rights if noun.lower_ in _NO_WAY)
        return next((det for noun in ways for det in noun.lefts if det.lower_ == "no"), None)
    if lower == "longer":
        return next((dependent for dependent in child.lefts if dependent.lower_ == "no"), None)
    if child.dep_ in ("nsubj", "nsubjpass"):
        inside = (_negation(dependent) for dependent in dependents)
        alone = lower in ("nobody", "none", "nothing", "few")
        return child if alone else next((word for word in inside if word is not None), None)
    if lower == "little":
        if any(dependent.dep_ == "conj" and dependent.lower_ == "no" for dependent in dependents):  # "little or no"
            return child
        article = any(dependent.lower_ == "a" for dependent in child.head.lefts)
        return child if child.dep_ == "amod" and not is_content_noun(child.head) and not article else None
    if child.dep_ == "amod" and lower == "few":
        return child if child.head.tag_.startswith("VB") else None
    if lower in _NEARLY:
        return child if child.dep_ == "advmod" and child.head.tag_ == "VBD" and child.i == child.head.i - 1 else None
    return child if child.dep_ in _NEGATIVE_LABELS and lower in word_list("negative") and lower != "nor" else None


def _argument_negation(token: Token, cue: Token) -> Token | None:
    """Return the word that denies an argument or a word between as such: "no virus", "neither X nor Y", "not by X"."""
    if token.lower_ in ("none", "nothing", "nobody", "neither"):
        return token
    if token.tag_ == "WDT" and token.head.dep_ == "relcl":
        noun = token.head.head
        return next(
            (child for child in noun.lefts if child.dep_ == "det" and child.lower_ == "no" and not is_lack(token, noun)), None
        )
    any_of = next((child for child in token.lefts if child.dep_ == "det" and child.lower_ == "any"), None)
    if any_of is not None:
        hardly = next((child for child in token.lefts if child.lower_ in ("hardly", "scarcely", "barely")), None)
        is_object = token == cue.head and token.dep_ == "dobj"
        return hardly or next((child for child in token.head.lefts if is_object and child.dep_ == "neg"), None)
    if token.i > 0 and token.nbor(-1).lower_ == "nor" and token.dep_ != "conj":
        return token.nbor(-1)
    if token.tag_ == "VBG" and token.dep_ == "pcomp":  # "died from not being fed"
        return None
    before = [child for child in token.children if child.i < token.i]
    words = (
        child for child in before if child.dep_ in ("det", "neg", "preconj", "cc") and child.lower_ in ("no", "neither", "not")
    )
    little = (child for child in before if child.lower_ == "little" and any(joined.lower_ == "no" for joined in child.children))
    return next(words, None) or next(little, None)


def _is_denying(child: Token) -> bool:
    word = _negation(child)
    return word is not None and idle_sense(word) is None


def _is_denied(token: Token, cue: Token) -> bool:
    word = _argument_negation(token, cue)
    return word is not None and idle_sense(word) is None


def _has_doubt_beside(token: Token) -> bool:
    """Return whether a word of doubt stands beside the token: an adverb, an adjective, "he argued" in commas, "in his view"."""
    if token.left_edge.lower_ in word_list("doubtful") and token.tag_.startswith("NN"):
        return True
    for child in token.children:
        lower = child.lower_
        doubting_list = _DOUBTING_LISTS.get(child.dep_)
        if doubting_list is not None and lower in word_list(doubting_list):
            return True
        if child.dep_ == "conj" and _disputes(child):
            return True
        if child.dep_ == "prep" and lower in ("in", "to") and any(noun.lower_ in _VIEW for noun in child.rights):
            return True
    return False


def _disputes(verb: Token) -> bool:
    """Return whether a clause beside the claim disputes it: "but other studies disprove it"."""
    pointers = [noun for noun in verb.rights if noun.dep_ == "dobj" and noun.lower_ in ("it", "this", "that")]
    return bool(pointers) and verb.lower_ in word_list("denying") | word_list("doubting")


def _contrast(head: Token, start: int, cue: Token) -> Stance | None:
    """Return how an argument stands out from the others: it alone is denied ("not X", "rather than X") or asserted ("but X").

    `None` if it does not. A contrast of words that the claim only describes is none of the claim.
    """
    first = head
    while first.dep_ in ("conj", "appos"):
        first = first.head
    cleft = first.dep_ == "attr" and any(child.lower_ == "it" for child in first.head.lefts)
    if (head == cue or head.is_ancestor(cue)) and not cleft:
        return None
    while start > 0 and head.doc[start - 1].dep_ in ("det", "poss", "amod", "compound", "nummod"):
        start -= 1
    before = [token.lower_ for token in head.doc[max(0, start - 3) : start]]
    if head.dep_ == "pobj":
        preposition = head.head
        own = before[-1:] == [preposition.lower_]
        if (own and before[:-1] in _INSTEAD) or (preposition.dep_ == "cc" and before[-2:] in _INSTEAD):
            return Stance.NEGATED  # "by rain rather than by frost"
        conjunct = preposition.dep_ == "conj"
        rather = before[:-1] == ["but", "rather"] and has_label(preposition.head.children, "neg")
        is_kept = own and ((conjunct and "but" in before[-3:-1] and _is_denied_phrase(preposition.head)) or rather)
        return Stance.ASSERTED if is_kept else None
    if head.dep_ not in ("conj", "appos"):
        return None
    if head.doc[start].lower_ == "not" or before[-1:] == ["not"] or before[-2:] in _INSTEAD:
        return Stance.NEGATED
    if "but" in before[-2:]:
        denied = first.dep_ == "attr" and any(_is_denying(child) for child in first.head.rights)
        denied |= _is_denied(first, head) or (first.dep_ == "pobj" and _is_denied_phrase(first.head))
        return Stance.ASSERTED if denied else None
    return _contrast(head.head, head.head.i, cue) if head.dep_ == "conj" and head.head.tag_[:1] == "N" else None


def _is_denied_phrase(preposition: Token) -> bool:
    """Return whether "not" stands before a phrase or its verb: "not by germs", "was not caused by germs"."""
    is_after_not = preposition.i > 0 and preposition.nbor(-1).lower_ == "not"
    return is_after_not or has_label(preposition.head.children, "neg")
