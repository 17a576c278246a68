/**
 * Scenes that no random day reaches, each of them once: a payment that is not the requested one, a payment that is taken
 * over, a forgotten charge, cut texts, a decision that is reversed.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureLog } from "../support/LogGuard.js"
import { isThorough } from "../support/Runs.js"
import { sceneCount, simulateScene } from "./Scenes.js"

const last = isThorough ? 200 : sceneCount

it.effect(
  `in each scene money is taken, returned and charged once, whatever comes first: seeds 1 to ${last}`,
  () =>
    Effect.gen(function* () {
      captureLog(/^The outcome of a change is unknown|^The ledger|onError|^onChange of the ledger failed/)
      for (let seed = 1; seed <= last; seed++) {
        assert.deepStrictEqual(yield* simulateScene(seed), [], `seed ${seed}`)
      }
    }),
  300_000
)
