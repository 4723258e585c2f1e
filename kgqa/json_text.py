"""Records as lines of JSON: what is printed by `--json` and sent by the HTTP API, the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_CREDENTIALS = re.compile(r"(?<![\w+])((?:bolt|neo4j)(?:\+s|\+ssc)?://)[^/\n\"]*@")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""What steers a terminal, reverses the order of a text or ends a line in some readers."""


def json_text(record: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """Return a JSON object on a line: halves of surrogate pairs are replaced, controls and marks of direction escaped."""
    text = json.dumps(record, ensure_ascii=False)
    whole = without_credentials(_SURROGATE.sub("\ufffd", text))
    whole = _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", whole)
    return json.dumps(json.loads(whole)) if ascii_only else whole


def without_credentials(text: str) -> str:
    """Return a text without the user and the password of addresses of Neo4j servers."""
    return _CREDENTIALS.sub(r"\1", text)
