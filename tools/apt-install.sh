#!/usr/bin/env bash
# Installs packages of a Debian system, as root or with `sudo -n`; where neither works, says what to do.
#
#   tools/apt-install.sh PACKAGE...
#
# DRY_RUN=1 in the environment: say what would be done, do nothing, fail.
set -euo pipefail

missing=()
for package in "$@"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

give_up() {
  echo "error: $1" >&2
  echo "hint: install ${missing[*]} by hand (on Debian: apt-get install ${missing[*]}), then call make again" >&2
  exit 2
}

command -v apt-get >/dev/null || give_up "this system has no apt-get, and needs: ${missing[*]}"
as_root=(env DEBIAN_FRONTEND=noninteractive)
if ((EUID != 0)); then
  sudo -n true 2>/dev/null || give_up "not root, and sudo asks for a password; needed: ${missing[*]}"
  as_root=(sudo -n "${as_root[@]}")
fi
install=("${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}")
[[ -z ${DRY_RUN:-} ]] || give_up "dry run, not run: ${install[*]}"

echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The lists of packages may be old or absent: the first try may fail for that alone.
if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
  "${as_root[@]}" apt-get update >"$log" 2>&1 </dev/null || true
  if ! "${install[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    give_up "apt-get could not install ${missing[*]}"
  fi
fi
