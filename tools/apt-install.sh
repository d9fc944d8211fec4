#!/usr/bin/env bash
# Sees to it that packages of a Debian system are there. Says which are missing, and the command that installs them;
# where INSTALL_PACKAGES is set, as .ci/run sets it, installs them, as root or with `sudo -n`.
#
#   tools/apt-install.sh PACKAGE...
set -euo pipefail

missing=()
for package in "$@"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

give_up() {
  echo "error: $1" >&2
  echo "hint: $2, then call make again" >&2
  exit 2
}
by_hand="install ${missing[*]} (on Debian, as root: apt-get install ${missing[*]})"

command -v apt-get >/dev/null || give_up "this system has no apt-get, and needs: ${missing[*]}" "$by_hand"
[[ -n ${INSTALL_PACKAGES:-} ]] ||
  give_up "missing on this system: ${missing[*]}" "$by_hand, or let make do it: make INSTALL_PACKAGES=1 ..."
as_root=(env DEBIAN_FRONTEND=noninteractive)
if ((EUID != 0)); then
  sudo -n true 2>/dev/null || give_up "not root, and sudo asks for a password; needed: ${missing[*]}" "$by_hand"
  as_root=(sudo -n "${as_root[@]}")
fi

echo "installing ${missing[*]}"
install=("${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The lists of packages may be old or absent: the first try may fail for that alone.
if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
  "${as_root[@]}" apt-get update >"$log" 2>&1 </dev/null || true
  if ! "${install[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    give_up "apt-get could not install ${missing[*]}" "$by_hand"
  fi
fi
