"""The claims of a corpus that bear on a question: its sentences are retrieved, mined by all rules and read by the judge.

Of a question with both ends, the sentences that name both; of one with one end, those that name it beside a causal cue. The
claims join those of the graph in one view, and are weighed with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from graph.model import Claim, Source, Statement
from graph.protocols import GraphView
from graph.sources.article import Article
from kgqa.linking.phrase_forms import PhraseForms
from kgqa.question import QuestionType
from kgqa.retrieval.naming_sentences import CorpusSentence, NamingSentences
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.search_terms import query_terms

if TYPE_CHECKING:
    from graph.mining.miner import MinedClaim, Miner
    from graph.mining.pair_claims import PairReader
    from kgqa.linking.concept_links import ConceptLink

    Linker = Callable[[str, GraphView], Iterable[ConceptLink]]

PAIR_SENTENCES, LIST_SENTENCES = 30, 60
"""How many sentences are read that name both ends of a question, and that name its only one."""
_PASSAGES_LOOKED_AT = 400
_LEAST_LINK = 0.25
"""The least certainty of a reading of a phrase whose names are looked for."""
_MOST_READINGS = 8
_CAUSAL_TERMS = "cause|caused|causes|lead|leads|result|due|effect|effects|symptom|symptoms|risk"
_CAUSAL_WEIGHT = 0.3
"""What causal words weigh beside those of the question where passages are ranked."""


class CorpusClaims:
    """Finds the claims of a corpus for one question after the other; its index is opened when it is first needed."""

    def __init__(self, index: Callable[[], PassageIndex]) -> None:
        self._index = index

    @cached_property
    def _search(self) -> NamingSentences:
        return NamingSentences(self._index())

    @cached_property
    def _miner(self) -> Miner:
        from graph.mining.sentence.spacy_pipeline import import_spacy, paused_garbage_collection

        with paused_garbage_collection():
            import_spacy()
            from graph.mining.judge.claim_judge import open_judge
            from graph.mining.miner import Miner

            return Miner(judge=open_judge())

    @cached_property
    def _pair_reader(self) -> PairReader:
        from graph.mining.judge.claim_judge import EncoderJudge
        from graph.mining.pair_claims import PairReader

        return PairReader(self._miner, EncoderJudge())

    def extend(self, view: GraphView, kind: QuestionType, link: Linker) -> GraphView:
        """Return a view with what the corpus says of the ends of a question beside it; the view itself for nothing."""
        cause, effect = kind.slots.cause, kind.slots.effect
        if kind.slots.condition is not None or not (cause or effect):
            return view
        ends = [None if phrase is None else _forms(phrase, view, link) for phrase in (cause, effect)]
        statements = [_named_as(statement, view) for statement in self._statements(ends)]
        if not statements:
            return view
        from graph.intervene.extended_view import ExtendedView

        return ExtendedView(view, statements)

    def _statements(self, ends: Sequence[PhraseForms | None]) -> Iterator[Statement]:
        known = [end for end in ends if end is not None]
        sentences = self._sentences(known)
        docs = self._miner.nlp.pipe([sentence.text for sentence in sentences]) if sentences else ()
        for sentence, doc in zip(sentences, docs, strict=True):
            title = sentence.passage.title
            first, *second = (list(end.spans(sentence.text)) for end in known)
            claims: list[MinedClaim]
            if second:
                claims = self._pair_reader.claims(doc, first, second[0], title)
            else:
                at_effect = ends[0] is None
                proposed = (claim for claim in self._miner.match(doc) if _stands_at(claim, first, at_effect))
                claims = self._miner.judged_claims((item for item in proposed if not item.points_back), doc.text, title)
            for claim in claims:
                yield _statement(sentence, claim)

    def _sentences(self, ends: Sequence[PhraseForms]) -> list[CorpusSentence]:
        from graph.mining.miner import MAX_SENTENCE_CHARACTERS

        weights = dict.fromkeys(query_terms(_CAUSAL_TERMS), _CAUSAL_WEIGHT)
        weights |= {stem: 1.0 for end in ends for words in end.names[:1] for stem in query_terms(" ".join(words))}
        is_list = len(ends) == 1

        def accepts(text: str) -> bool:
            if len(text) > MAX_SENTENCE_CHARACTERS or not all(any(end.spans(text)) for end in ends):
                return False
            return not is_list or bool(self._miner.rules_for(text))

        most = LIST_SENTENCES if is_list else PAIR_SENTENCES
        return self._search.find([end.stems() for end in ends], weights, accepts, most, _PASSAGES_LOOKED_AT)


def _forms(phrase: str, view: GraphView, link: Linker) -> PhraseForms:
    """Return how a text may name a phrase: by the names of the concepts that it may mean."""
    readings = (reading for reading in link(phrase, view) if reading.score >= _LEAST_LINK)
    names = [name for reading in islice(readings, _MOST_READINGS) for name in reading.concepts]
    return PhraseForms(phrase, names)


def _stands_at(claim: MinedClaim, places: Sequence[tuple[int, int]], at_effect: bool) -> bool:
    """Return whether the effect, or the cause, of a claim stands at one of some places of its sentence."""
    low, high = claim.effect_span if at_effect else claim.cause_span
    return any(start < high and low < end for start, end in places)


def _statement(sentence: CorpusSentence, claim: MinedClaim) -> Statement:
    """Return a claim with its sentence as evidence; where in the article that stands is not known."""
    from graph.mining.articles import CuedSentence

    passage = sentence.passage
    kind = "wikipedia" if "wikipedia.org" in passage.url else "text"
    page = passage.id.partition("#")[0]
    source = Source(kind, passage.title, "" if page == passage.title else page, "", passage.url)
    cued = CuedSentence(Article(source, sentence.text), 0, len(sentence.text), frozenset(), 0)
    statement = cued.statement(claim)
    return replace(statement, evidence=replace(statement.evidence, start=None, end=None))


def _named_as(statement: Statement, view: GraphView) -> Statement:
    """Return a statement whose claim has the names of the concepts that a view knows by its names."""
    claim = statement.claim
    cause, effect = (concept.name if (concept := view.concept(name)) else name for name in (claim.cause, claim.effect))
    return replace(statement, claim=Claim(cause, effect, claim.relation, claim.polarity))
