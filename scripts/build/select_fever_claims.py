"""Write the claims of FEVER whose article is in an index of passages, each with the title of the article in its field "page".

python scripts/build/select_fever_claims.py FEVER.jsonl INDEX OUT.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kgqa.evaluation.datasets.claim_datasets import claim_page
from kgqa.retrieval.corpus import open_passage_index


def main() -> None:
    """Write the claims."""
    fever, index, out = map(Path, sys.argv[1:])
    titles = {title.lower(): title for title in open_passage_index(index).titles()}
    with fever.open(encoding="utf-8") as lines, out.open("w", encoding="utf-8") as file:
        for row in map(json.loads, lines):
            page = claim_page(row, titles)
            if page is not None:
                file.write(json.dumps({**row, "page": page}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
