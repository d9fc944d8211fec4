#!/usr/bin/env bash
# Prints the interpreters to test on besides the main one, a line each: version, blank, path.
#
#   tools/other-pythons.sh MAIN_PYTHON
#
# Looks for Python 3.10 to 3.13 on PATH, then among pyenv's. One that does not start, or cannot make a virtual
# environment, is passed over.
set -euo pipefail
shopt -s nullglob

main=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
for version in 3.10 3.11 3.12 3.13; do
  [[ $version != "$main" ]] || continue
  candidates=()
  if found=$(command -v "python$version"); then candidates+=("$found"); fi
  candidates+=("${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*"/bin/python$version")
  for candidate in "${candidates[@]}"; do
    if "$candidate" -c 'import ensurepip, ssl, venv' >/dev/null 2>&1; then
      echo "$version $candidate"
      continue 2
    fi
  done
  echo "Python $version: not found, not tested" >&2
done
