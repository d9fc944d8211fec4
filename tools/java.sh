#!/usr/bin/env bash
# Sees to it that there is a Java that Spark runs on, 17 or later; where there is none, says what to do.
# Where INSTALL_PACKAGES is set, installs one (tools/apt-install.sh).
#
#   tools/java.sh
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)

# As Spark looks for it: JAVA_HOME first, then PATH.
major_version() {
  local java=java text
  [[ -z ${JAVA_HOME:-} ]] || java=$JAVA_HOME/bin/java
  text=$("$java" -version 2>&1) || return 0
  sed -n 's/.* version "\([0-9]*\).*/\1/p' <<<"$text" | head -n 1
}

found=$(major_version)
((${found:-0} < 17)) || exit 0
if [[ -n ${JAVA_HOME:-} ]]; then
  echo "error: JAVA_HOME is $JAVA_HOME, which has no Java of version 17 or later" >&2
  echo "hint: set it to another one, or unset it, then call make again" >&2
  exit 2
fi
# Not every release of Debian and Ubuntu has both.
for version in 17 21; do
  if [[ -n ${INSTALL_PACKAGES:-} ]] && "$root/tools/apt-install.sh" "openjdk-$version-jre-headless" 2>/dev/null; then
    found=$(major_version)
    ((${found:-0} < 17)) || exit 0
  fi
done
echo "error: Spark needs Java 17 or later, and there is ${found:+only Java }${found:-none}" >&2
echo "hint: install Java 17 or 21 (on Debian, as root: apt-get install openjdk-17-jre-headless), then call make again" >&2
exit 2
