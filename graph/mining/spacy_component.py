"""A spaCy component that finds claims in the documents of a pipeline: `nlp.add_pipe("kgqa_claims")`.

It stands behind the parser and the lemmatizer of an English pipeline; the rules are written for `en_core_web_sm`. The claims of a
document are `doc._.claims`, their spans characters of the document; its span groups "causes", "effects" and "cues" hold their
ends in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph.mining.judge.claim_judge import ENCODER, open_judge
from graph.mining.miner import MinedClaim, Miner
from graph.mining.sentence.spacy_pipeline import import_spacy

COMPONENT = "kgqa_claims"
import_spacy()

from spacy.language import Language  # noqa: E402 - only behind `import_spacy`
from spacy.tokens import Doc  # noqa: E402


class ClaimsComponent:
    """Adds the claims of a document; `judge` names the judge of claims, "none" for none."""

    def __init__(self, judge: str = ENCODER) -> None:
        if not Doc.has_extension("claims"):
            Doc.set_extension("claims", default=None)
        self._miner = Miner(judge=open_judge(judge))

    def __call__(self, doc: Doc) -> Doc:
        """Return the document with its claims."""
        claims = list(self._claims(doc))
        doc._.claims = claims
        for name, field in (("causes", "cause_span"), ("effects", "effect_span"), ("cues", "cue_span")):
            places: list[tuple[int, int]] = [getattr(claim, field) for claim in claims]
            spans = (doc.char_span(start, end, alignment_mode="expand") for start, end in places)
            doc.spans[name] = [span for span in spans if span is not None]
        return doc

    def _claims(self, doc: Doc) -> Iterator[MinedClaim]:
        for sentence in doc.sents:
            start = sentence.start_char
            for claim in self._miner.judged_claims(self._miner.match(sentence.as_doc()), sentence.text):
                cause, effect, cue = (
                    (low + start, high + start) for low, high in (claim.cause_span, claim.effect_span, claim.cue_span)
                )
                yield replace(claim, cause_span=cause, effect_span=effect, cue_span=cue)


@Language.factory(COMPONENT, default_config={"judge": ENCODER}, assigns=["doc._.claims"], requires=["token.dep", "token.tag"])
def create_claims_component(nlp: Language, name: str, judge: str) -> ClaimsComponent:
    """Return the component for a pipeline."""
    return ClaimsComponent(judge)
