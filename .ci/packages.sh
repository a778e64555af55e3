#!/usr/bin/env bash
# Install the programs from Debian that the tests run: a browser, a voice, Graphviz. Needs apt and root; prints what it lacks elsewhere.
set -euo pipefail
packages=(chromium espeak-ng graphviz)
programs=(chromium espeak-ng dot)
missing=()
for i in "${!programs[@]}"; do command -v "${programs[$i]}" >/dev/null || missing+=("${packages[$i]}"); done
if [ ${#missing[@]} -eq 0 ]; then echo "there already: ${packages[*]}"; exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then echo "install these first: ${missing[*]}" >&2; exit 1; fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}"
