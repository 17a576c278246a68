#!/usr/bin/env bash
# The generated tests of `npm run test:slow` with a hundred times as many cases, and a thousand killed processes over each
# store of the ledger. A failure prints the CHAOS_SEED that repeats it.
set -euo pipefail
cd "$(dirname "$0")/.."

export CHAOS_RUNS=${CHAOS_RUNS:-100000}
npx vitest run --project slow chaos Bookkeeping Hostile Generated
npx vitest run test/system/Ledger.test.ts
