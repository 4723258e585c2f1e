#!/usr/bin/env bash
# Sets kgqa up in .venv with its development tools, where they are not yet, and runs every check and test.
EXTRA="dev,cluster,rdf,web,mcp"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
.venv/bin/ruff check --quiet .
.venv/bin/ruff format --check --quiet .
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
# The servers are fetched while types are checked.
log="$(mktemp -d)"
trap 'rm -rf "$log"' EXIT
neo4j="" chat=""
if [ -z "${KGQA_TEST_NEO4J:-}" ] && missing java mvn; then
    echo "kgqa: no Java or no Maven, so the tests of Neo4j are skipped; on Debian and Ubuntu: apt-get install default-jre-headless maven" >&2
else
    .venv/bin/python scripts/serve/neo4j_server.py fetch >"$log/neo4j" 2>&1 &
    neo4j=$!
fi
if [ -z "${KGQA_TEST_CHAT:-}" ]; then
    .venv/bin/python scripts/serve/chat_server.py fetch >"$log/chat" 2>&1 &
    chat=$!
fi
# Readers that write their answers are tested with a small model that the tests train, where torch and transformers are: 5 GB,
# which KGQA_TEST_NEURAL=1 installs.
neural() { .venv/bin/python -c 'from importlib.util import find_spec as find; exit(not (find("torch") and find("transformers")))'; }
if [ "${KGQA_TEST_NEURAL:-}" = 1 ] && ! neural; then
    echo "kgqa: installing torch and transformers for the tests of generative readers (once, some minutes)" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir --editable ".[neural]" || true
fi
bash scripts/types.sh
if [ -n "$neo4j" ]; then
    wait "$neo4j" || { cat "$log/neo4j" >&2; exit 1; }
    export KGQA_TEST_NEO4J=1
    if missing chromium chromedriver; then
        echo "kgqa: no Chromium, so the tests of Neo4j Browser are skipped; on Debian and Ubuntu: apt-get install chromium chromium-driver" >&2
    else
        export KGQA_TEST_BROWSER=1
    fi
fi
if [ -n "$chat" ]; then
    if wait "$chat"; then
        export KGQA_TEST_CHAT=1
    else
        echo "kgqa: no chat server can be installed here, so the tests that ask one are skipped" >&2
    fi
fi
if [ "${KGQA_TEST_NEURAL:-}" != 0 ] && neural; then
    export KGQA_TEST_NEURAL=1
else
    unset KGQA_TEST_NEURAL
    echo "kgqa: tests of readers that write their answers are skipped; KGQA_TEST_NEURAL=1 installs torch and transformers for them" >&2
fi
rm -rf "$log"
# The tests start the command some thousand times: each start would compile the package anew.
unset PYTHONDONTWRITEBYTECODE
# A hanging test ends by itself (pyproject.toml); whatever else hangs is ended here, and says where it stands.
export PYTHONFAULTHANDLER=1
exec timeout --foreground --signal=ABRT --kill-after=60 50m .venv/bin/python -m pytest -n 2 "$@"
