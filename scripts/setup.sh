# Sourced by ask.sh and test.sh: makes .venv in the repository with this package in it, and stays in the repository; $here is the
# folder before. EXTRA names an extra, or is empty.
set -euo pipefail
here="$PWD"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_python() {
    for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "kgqa: no Python 3.11, 3.12 or 3.13 found; install one, or name it: PYTHON=/path/to/python $0" >&2
    return 1
}

python="$(find_python)"
if [ ! -x .venv/bin/python ]; then
    "$python" -m venv .venv || {
        echo "kgqa: '$python -m venv' failed; on Debian and Ubuntu: apt-get install python3-venv" >&2
        rm -rf .venv
        exit 1
    }
fi
# What is installed is what the tests ran with, verified by hash, where there is a lock file for this Python and machine.
lock="scripts/locked/$(.venv/bin/python -c 'import platform, sys
print(f"{sys.implementation.cache_tag}-{sys.platform}-{platform.machine()}")')${EXTRA:+-${EXTRA//,/-}}.txt"
wanted="$(cat pyproject.toml kgqa/__init__.py $([ -f "$lock" ] && echo "$lock") | cksum) ${EXTRA:-}"
if [ "$(cat ".venv/installed${EXTRA:+-$EXTRA}" 2>/dev/null || true)" != "$wanted" ]; then
    echo "kgqa: installing into .venv (once, a minute or two)" >&2
    install=(.venv/bin/python -m pip install --quiet --disable-pip-version-check)
    if [ -f "$lock" ] && failure="$("${install[@]}" --require-hashes --requirement "$lock" 2>&1)"; then
        "${install[@]}" --no-deps --no-build-isolation --editable .
    else
        case "${failure:-}" in *"DO NOT MATCH THE HASHES"*) echo "$failure" >&2; exit 1 ;; esac
        echo "kgqa: no locked versions for this Python and machine, so the newest that fit are installed, without hashes" >&2
        "${install[@]}" --editable ".${EXTRA:+[$EXTRA]}"
    fi
    echo "$wanted" >".venv/installed${EXTRA:+-$EXTRA}"
fi
