/**
 * The turns of a payment's notifications, as long as the handler's scope is open.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { RequestBound } from "../call/WaitUntil.js"
import type { PaymentNotification } from "./Notification.js"
import * as Rounds from "./Rounds.js"

/** How a round has ended. */
export interface RoundResult {
  /** Whether the shop now knows of the payment. */
  readonly isDelivered: boolean
  /** Whether the round came to that by the parent that its notification claims. */
  readonly isByClaim: boolean
  readonly claimedParent: number | undefined
}

/** A notification's round, and how much longer it is put off, in milliseconds. */
export type PaymentRound = Omit<Rounds.Turn<RoundResult>, "isShared">

/** In milliseconds: the longest wait for a turn. After that the gateway has to repeat the notification. */
const waitAtMost = 30_000

const stopped: RoundResult = { isDelivered: false, isByClaim: false, claimedParent: undefined }

/**
 * Makes what lets one round at a time run for each payment. Rounds, and those who wait, are interrupted with the scope.
 */
export const make = (scope: Scope.Scope) => {
  const takeTurn = Rounds.make<RoundResult>(waitAtMost, stopped)

  /**
   * Runs a round when it is the payment's turn, or waits for another notification's that begins from now on: then
   * `round` is not run. Gives `undefined` when the turn did not come in half a minute, and a round that delivered
   * nothing once the scope has ended. Interrupting it does not interrupt the round.
   */
  return ({ id, parent_id }: PaymentNotification, round: PaymentRound): Effect.Effect<RoundResult | undefined> =>
    Effect.withFiber((fiber) => {
      if (scope.state._tag === "Closed") return Effect.succeed(stopped)
      const turn = takeTurn(id, {
        ...round,
        // A false claim by a stranger fails the stranger's own round only.
        isShared: ({ claimedParent, isByClaim, isDelivered }) =>
          isDelivered || !isByClaim || claimedParent === parent_id
      })
      // The scope would retain requests that were cut off for ever.
      const forked = fiber.getRef(RequestBound) ? Effect.forkDetach(turn) : Effect.forkIn(turn, scope)
      return forked.pipe(
        Effect.flatMap(Fiber.await),
        Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : stopped))
      )
    })
}
