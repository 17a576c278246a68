/**
 * The requests that a fault of the local gateway has hit: what a campaign counts.
 */
import * as Effect from "effect/Effect"
import type { LoggedRequest } from "../../src/local-gateway/index.js"

export const faultyRequests = <R>({
  listRequests
}: {
  readonly listRequests: Effect.Effect<ReadonlyArray<LoggedRequest>, never, R>
}) => Effect.map(listRequests, (requests) => requests.filter(({ fault }) => fault !== undefined))
