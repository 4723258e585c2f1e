#!/usr/bin/env bash
# Sets kgqa up in .venv, where it is not yet, and asks it a question: scripts/ask.sh "What causes tsunamis?"
EXTRA=""
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
exec .venv/bin/kgqa ask "$@"
