from __future__ import annotations

from graph.mining.sentence.spacy_pipeline import import_spacy, installed_pipeline

TEXT = "Smoking causes lung cancer. Grass is green. The flood was caused by heavy rain."


def test_a_pipeline_of_somebody_elses_finds_claims() -> None:
    import_spacy()
    import spacy

    nlp = spacy.load(installed_pipeline(), exclude=["ner"])
    nlp.add_pipe("kgqa_claims", config={"judge": "none"})
    doc = nlp(TEXT)
    assert [(claim.claim.cause, claim.claim.effect) for claim in doc._.claims] == [
        ("smoking", "lung cancer"),
        ("heavy rain", "flood"),
    ]
    assert [span.text for span in doc.spans["causes"]] == ["Smoking", "heavy rain"]
    assert [span.text for span in doc.spans["effects"]] == ["lung cancer", "flood"]
    assert [TEXT[slice(*claim.cue_span)] for claim in doc._.claims] == ["causes", "caused"]


def test_its_claims_are_judged() -> None:
    import_spacy()
    import spacy

    nlp = spacy.load(installed_pipeline(), exclude=["ner"])
    nlp.add_pipe("kgqa_claims")
    (claim,) = nlp("Smoking causes lung cancer.")._.claims
    assert claim.judgement.right > 0.8
