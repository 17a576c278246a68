#!/usr/bin/env bash
# Runs the recipes for shop engines against their real servers, with the packed package and a PostgreSQL of their own:
# `npm run engines`, or `npm run engines -- vendure`. It takes some minutes and a gigabyte, so it runs before a release.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm run -s build
tarball=$work/$(npm pack --silent --ignore-scripts --pack-destination "$work")

engines=("$@")
[ $# -gt 0 ] || engines=(vendure medusa)
for engine in "${engines[@]}"; do
  cp -R "examples/engines/$engine" "$work/$engine"
  (cd "$work/$engine" && npm install --no-package-lock --no-audit --no-fund "$tarball" >/dev/null)
  npx tsx test/system/withPostgres.ts env -C "$work/$engine" npm run -s test
done
