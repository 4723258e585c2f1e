#!/usr/bin/env bash
# Checks the types of the packages and of the scripts, each folder of scripts with its own modules; needs .venv.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
failed=0
.venv/bin/mypy || failed=1
for folder in scripts/*/; do
    MYPYPATH="$PWD:$PWD/$folder:$PWD/scripts/judge:$PWD/scripts/serve" .venv/bin/mypy --config-file pyproject.toml --no-error-summary \
        $(git ls-files "$folder*.py" | grep -v __init__) || failed=1
done
exit "$failed"
