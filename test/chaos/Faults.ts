/**
 * The faults of the chaos runs.
 */
import type { Fault } from "../../src/local-gateway/index.js"

/** The faults that end a call at once. */
export const immediateFaults: ReadonlyArray<Fault> = [
  { type: "connectionReset", effect: "committed" },
  { type: "connectionReset", effect: "none" },
  { type: "commitLater", seconds: 1 },
  { type: "truncatedBody" },
  { type: "serverError", effect: "committed" },
  { type: "serverError", status: 503, effect: "none" },
  { type: "htmlBadGateway", effect: "committed" },
  { type: "htmlForbidden" },
  { type: "tokenRefused", status: 401 },
  { type: "refusal" },
  { type: "rateLimited", seconds: 0 },
  { type: "malformedJson" },
  { type: "wrongShape" },
  { type: "unknownEnumValues" },
  { type: "nullMembers" },
  { type: "extraMembers" }
]

/** All: those too that a call waits for until it gives up, or that come true much later. */
export const faults: ReadonlyArray<Fault> = [
  ...immediateFaults,
  { type: "noResponse", effect: "committed" },
  { type: "noResponse", effect: "none" },
  { type: "commitLater", seconds: 600 },
  { type: "latency", milliseconds: 100 },
  { type: "latency", milliseconds: 60_000 },
  { type: "slowBody", milliseconds: 60_000 }
]
