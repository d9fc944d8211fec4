#!/usr/bin/env bash
# Makes a virtual environment with this project in it, editable; does nothing if it is there and current.
#
#   tools/venv.sh [--optional] [--uv UV] [--lowest] FOLDER PYTHON EXTRAS
#
# EXTRAS is a comma-separated list, or empty. One stamp file per list tells that it is installed: it is older
# than pyproject.toml when something may have changed. A folder made with another Python is made anew.
# What is optional and cannot be installed is remembered, with the reason, and not tried again until pyproject.toml is newer,
# or until it is asked for without --optional. With the program uv, which is faster than pip, it can be the lowest versions
# that pyproject.toml allows of what it names.
set -euo pipefail

optional='' uv='' resolution=highest
while [[ $1 == --* ]]; do
  case $1 in
    --optional) optional=1 ;;
    --uv) uv=$2 && shift ;;
    --lowest) resolution=lowest-direct ;;
  esac
  shift
done
folder=$1 python=$2 extras=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)

if ! identity=$("$python" -c 'import sys; print(sys.version_info >= (3, 11), sys.version.split()[0], sys.base_prefix)'); then
  echo "error: there is no Python '$python'; say which one with: make PYTHON=..." >&2
  exit 2
fi
if [[ $identity != True* ]]; then
  echo "error: $python is Python ${identity#False }; this needs 3.11 or later" >&2
  echo "hint: say which one to use with: make PYTHON=python3.11" >&2
  exit 2
fi
# An interpreter of another /usr (tools/other_pythons.py) may have the version and the path of the machine's own.
identity="$identity $root${UNPACKED_USR:+ in $UNPACKED_USR}"

if [[ -e $folder && $(cat "$folder/.made-with" 2>/dev/null) != "$identity" ]]; then
  rm -rf "$folder"
fi
if [[ ! -e $folder ]]; then
  # Debian ships venv, and the pip to put into it, as a package of its own.
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$root/tools/apt-install.sh" "python$version-venv"
  fi
  echo "making $folder with Python $("$python" -c 'import sys; print(sys.version.split()[0])')"
  "$python" -m venv "$folder"
  echo "$identity" >"$folder/.made-with"
fi

stamp=$folder/.installed-${extras:-base}
[[ ! $stamp -nt $root/pyproject.toml ]] || exit 0
failure=$folder/.failed-${extras:-base}
if [[ -n $optional && $failure -nt $root/pyproject.toml ]]; then
  echo "amqp-codegen[$extras] could not be installed in $folder before: $(grep -i error "$failure" | tail -n 1)"
  exit 0
fi
what=$root${extras:+[$extras]}
echo "installing amqp-codegen${extras:+[$extras]} in $folder"
if [[ -n $uv ]]; then
  install=("$uv" pip install --quiet --python "$folder/bin/python" --upgrade --resolution $resolution)
else
  install=("$folder/bin/python" -m pip install --quiet --quiet --disable-pip-version-check)
fi
if ! "${install[@]}" --editable "$what" </dev/null 2>"$failure"; then
  cat "$failure" >&2
  [[ -n $optional ]] || exit 1
  exit 0
fi
rm "$failure"
touch "$stamp"
