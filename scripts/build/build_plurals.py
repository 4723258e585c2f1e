"""Write graph/text/data/plurals.tsv: the English plurals that the suffix rules of graph.text.normalise get wrong.

The word pairs are facts read from lemminflect's tables (MIT, from the NIH SPECIALIST lexicon); run it in the development
environment after a change of the suffix rules: `python scripts/build/build_plurals.py`.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import lemminflect

from graph.text.normalise import singular_by_suffix

_OVERRIDES = {"leaves": "leaf", "aids": "aids"}


def main() -> None:
    """Compare every noun form of the lexicon with the suffix rules and keep the disagreements."""
    resources = Path(lemminflect.__file__).parent / "resources"
    singulars: dict[str, str] = {}
    with gzip.open(resources / "lemma_lu.csv.gz", "rt", encoding="utf-8") as lines:
        for form, category, lemmas in csv.reader(lines):
            if category == "noun" and form.isalpha() and form.isascii():
                singulars[form] = lemmas.split("/")[0]
    singulars = {form: lemma for form, lemma in singulars.items() if form.islower()} | _OVERRIDES
    known = set(singulars.values())
    rows = {form: lemma for form, lemma in singulars.items() if singular_by_suffix(form) != lemma and lemma.isalpha()}
    rows |= {lemma: lemma for lemma in known if singular_by_suffix(lemma) != lemma and lemma not in singulars}
    out = Path(__file__).parents[2] / "graph" / "data" / "plurals.tsv"
    out.parent.mkdir(exist_ok=True)
    out.write_text("".join(f"{form}\t{lemma}\n" for form, lemma in sorted(rows.items())), encoding="utf-8")
    print(f"{len(rows)} exceptions written to {out.name}")


if __name__ == "__main__":
    main()
