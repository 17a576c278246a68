#!/usr/bin/env bash
# Runs the recipes for shop engines against their real servers, with the packed package and a PostgreSQL of their own:
# `bash scripts/engines.sh`, or `bash scripts/engines.sh vendure`. It takes some minutes and a gigabyte, so it runs before a release.
# Shows the server's output when a test fails.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm run -s build
tarball=$work/$(npm pack --silent --ignore-scripts --pack-destination "$work")

engines=("$@")
[ $# -gt 0 ] || engines=(vendure medusa)
for engine in "${engines[@]}"; do
  mkdir "$work/$engine"
  tar -C "examples/engines/$engine" --exclude node_modules --exclude dist -c . | tar -C "$work/$engine" -x
  (cd "$work/$engine" && npm install --no-package-lock --no-audit --no-fund "$tarball" --loglevel=error >/dev/null)
  npx tsx test/system/withPostgres.ts env -C "$work/$engine" npm run -s test || {
    tail -n 200 "$work/$engine/dist/server.log" >&2
    exit 1
  }
done
