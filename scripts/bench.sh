#!/usr/bin/env bash
# Measures what docs/benchmarks.md says: `bash scripts/bench.sh client` (a call, the network, many in flight), or `calls`,
# `network`, `flight`, `load`, `scale`, `ledger`, `reads`, `disk`. What follows the name goes to the program.
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-client}
shift || true
npm run -s build
run() { npx tsx "test/bench/$1.ts" "${@:2}"; }
withGc() { node --expose-gc --import tsx "test/bench/$1.ts" "${@:2}"; }
case $name in
  calls) run bench "$@" ;;
  network | load) run "$name" "$@" ;;
  flight) withGc inFlight "$@" ;;
  scale) withGc scale "$@" ;;
  ledger) run ledger; run throughput "$@" ;;
  reads) run ledgerReads "$@" ;;
  disk) run ledgerDisk "$@" ;;
  client) run bench; run network; withGc inFlight ;;
  *) echo "No such measurement: $name" >&2; exit 2 ;;
esac
