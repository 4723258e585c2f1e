#!/usr/bin/env bash
# Sets kgqa up in .venv with its development tools, where they are not yet, and runs every check and test.
EXTRA="dev,cluster,rdf"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
.venv/bin/ruff check .
.venv/bin/ruff format --check --quiet .
.venv/bin/mypy
# A real Neo4j for the tests that need one; without Java or Maven, and no way to install them, those tests are skipped.
if { ! command -v java || ! command -v mvn; } >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "kgqa: installing Java and Maven for the tests of Neo4j (once)" >&2
    { apt-get update && apt-get install --yes --no-install-recommends default-jre-headless maven openssl; } >/dev/null 2>&1 || true
fi
if [ -n "${KGQA_TEST_NEO4J:-}" ] || { command -v java && command -v mvn; } >/dev/null 2>&1; then
    .venv/bin/python scripts/neo4j_server.py fetch >/dev/null
    export KGQA_TEST_NEO4J=1
else
    echo "kgqa: no Java or no Maven, so the tests of Neo4j are skipped; on Debian and Ubuntu: apt-get install default-jre-headless maven" >&2
fi
# Neo4j Browser, driven by Chromium, where both are there.
if [ "${KGQA_TEST_NEO4J:-}" = 1 ] && { command -v chromium && command -v chromedriver; } >/dev/null 2>&1; then
    export KGQA_TEST_BROWSER=1
else
    echo "kgqa: no Chromium, so the tests of Neo4j Browser are skipped; on Debian and Ubuntu: apt-get install chromium chromium-driver" >&2
fi
exec .venv/bin/python -m pytest "$@"
