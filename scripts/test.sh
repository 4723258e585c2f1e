#!/usr/bin/env bash
# Sets kgqa up in .venv with its development tools, where they are not yet, and runs every check and test.
EXTRA="dev,cluster,rdf"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
.venv/bin/ruff check .
.venv/bin/ruff format --check --quiet .
.venv/bin/mypy
# What the tests of Neo4j and its Browser need. Where it is missing and cannot be installed, those tests are skipped.
missing() { for command in "$@"; do command -v "$command" >/dev/null 2>&1 || return 0; done; return 1; }
if missing java mvn chromium chromedriver && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "kgqa: installing Java, Maven and Chromium for the tests of Neo4j (once)" >&2
    packages=(openssl)
    missing java && packages+=(default-jre-headless)
    missing mvn && packages+=(maven)
    missing chromium chromedriver && packages+=(chromium chromium-driver)
    { apt-get update && apt-get install --yes --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 || true
fi
if [ -z "${KGQA_TEST_NEO4J:-}" ] && missing java mvn; then
    echo "kgqa: no Java or no Maven, so the tests of Neo4j are skipped; on Debian and Ubuntu: apt-get install default-jre-headless maven" >&2
else
    .venv/bin/python scripts/neo4j_server.py fetch >/dev/null
    export KGQA_TEST_NEO4J=1
    if missing chromium chromedriver; then
        echo "kgqa: no Chromium, so the tests of Neo4j Browser are skipped; on Debian and Ubuntu: apt-get install chromium chromium-driver" >&2
    else
        export KGQA_TEST_BROWSER=1
    fi
fi
if [ -n "${KGQA_TEST_CHAT:-}" ] || .venv/bin/python scripts/chat_server.py fetch >/dev/null; then
    export KGQA_TEST_CHAT="${KGQA_TEST_CHAT:-1}"
else
    echo "kgqa: no chat server can be installed here, so the tests that ask one are skipped" >&2
fi
exec .venv/bin/python -m pytest "$@"
