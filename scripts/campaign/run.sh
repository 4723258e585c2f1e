#!/usr/bin/env bash
# Sets kgqa up in .venv, where it is not yet, and runs the campaigns: scripts/campaign/run.sh --hours 2
EXTRA="web"
source "$(dirname "${BASH_SOURCE[0]}")/../setup.sh"
exec .venv/bin/python scripts/campaign/run.py "$@"
