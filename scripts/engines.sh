#!/usr/bin/env bash
# Runs the packages for shop engines against the engines' real servers, with the packed package and a PostgreSQL of their own:
# `bash scripts/engines.sh`, or `bash scripts/engines.sh vendure`. It takes some minutes and gigabytes, so it runs before a release.
# Shows the server's output when a test fails. `ENGINE_PACKAGES` names a folder for the tarballs of those that passed.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm run -s build
tarball=$work/$(npm pack --silent --ignore-scripts --pack-destination "$work")

engines=("$@")
[ $# -gt 0 ] || engines=(vendure medusa payload)
for engine in "${engines[@]}"; do
  mkdir "$work/$engine"
  tar -C "examples/engines/$engine" --exclude node_modules --exclude dist -c . | tar -C "$work/$engine" -x
  (
    cd "$work/$engine"
    # npm accepts a provenance statement only if the package names the repository that it was built from.
    if [ -n "${GITHUB_REPOSITORY:-}" ]; then
      npm pkg set repository.type=git "repository.url=git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git" "repository.directory=examples/engines/$engine"
    fi
    npm install --no-save --no-package-lock --no-audit --no-fund "$tarball" --loglevel=error >/dev/null
    npm run -s build
  )
  npx tsx test/system/withPostgres.ts env -C "$work/$engine" npm run -s test || {
    tail -n 200 "$work/$engine/dist/server.log" >&2
    exit 1
  }
  packed=$(cd "$work/$engine" && npm pack --silent --ignore-scripts --pack-destination "$work")
  npx publint --strict "$work/$packed"
  if [ -n "${ENGINE_PACKAGES:-}" ]; then mkdir -p "$ENGINE_PACKAGES" && mv "$work/$packed" "$ENGINE_PACKAGES"; fi
done
