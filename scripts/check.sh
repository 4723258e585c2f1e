#!/usr/bin/env bash
# Checks in under a minute, once installed: format, lint, types and the fast unit tests. Arguments go to pytest.
EXTRA="dev,cluster,rdf,web,mcp"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
.venv/bin/ruff format --check --quiet .
.venv/bin/ruff check --quiet .
unset PYTHONDONTWRITEBYTECODE
bash scripts/types.sh >"${TMPDIR:-/tmp}/kgqa-mypy.$$" 2>&1 &
types=$!
tests=0
.venv/bin/python -m pytest -n 1 -m "not slow" tests/unit "$@" || tests=$?
wait "$types" || { cat "${TMPDIR:-/tmp}/kgqa-mypy.$$"; tests=1; }
rm -f "${TMPDIR:-/tmp}/kgqa-mypy.$$"
exit "$tests"
