#!/usr/bin/env bash
# Sets kgqa up in .venv with its development tools, where they are not yet, and runs every check and test.
EXTRA="dev,cluster"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
.venv/bin/ruff check .
.venv/bin/ruff format --check --quiet .
.venv/bin/mypy
exec .venv/bin/python -m pytest "$@"
