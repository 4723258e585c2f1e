#!/usr/bin/env bash
# Sets kgqa up in .venv, where it is not yet, and asks it a question: scripts/ask.sh "What causes tsunamis?"
EXTRA="web"
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
kgqa="$PWD/.venv/bin/kgqa"
cd "$here"
exec "$kgqa" ask "$@"
