#!/usr/bin/env bash
# Install the tools from npm that the slower proofs run, into .ci/tools/node_modules. Needs npm.
set -euo pipefail
cd "$(dirname "$0")/tools"
npm install --no-package-lock --no-audit --no-fund --loglevel=error
node_modules/.bin/node --version
