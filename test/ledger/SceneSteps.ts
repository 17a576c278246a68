/**
 * What scenes that a seed makes have in common.
 */
import * as Effect from "effect/Effect"
import type { LocalGateway } from "../../src/local-gateway/index.js"
import type { Chance } from "../simulation/Chance.js"
import type { paid, TestLedger, World } from "./World.js"

/** What does not hold. */
export type Violations = Array<string>

export type Services = Effect.Services<typeof paid> | LocalGateway

export type Scene = (world: World, chance: Chance, violations: Violations) => Effect.Effect<void, unknown, Services>

/** Only records it: its steps are made when the scene says so. */
export const later = { waitAtMost: 0 }

export const said = { by: "Jana", note: "as GoPay's administration shows" }

/** Lets time pass, with a worker that runs every few minutes. */
export const passMinutes = ({ pass }: World, ledger: TestLedger, minutes: number, step = 1) =>
  Effect.gen(function* () {
    for (let minute = 0; minute < minutes; minute += step) {
      yield* pass(`${step} minutes`)
      yield* ledger.runOnce()
    }
  })
