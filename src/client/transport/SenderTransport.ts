/**
 * A transport over what sends requests on the platform at hand.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { sentIfAllowed } from "./PreSendCheck.js"
import type { Sender } from "./Sender.js"
import type { TransportFailure } from "./TransportFailure.js"
import type { TransportResponse } from "./TransportRequest.js"
import type { Transport } from "./Transport.js"

/** Makes a transport of a sender. */
export const make = ({ send }: Sender): Transport => {
  const transport: Transport = (request, limits) =>
    request.check === undefined
      ? Effect.callback<TransportResponse, TransportFailure>((resume) => {
          const time = Duration.toMillis(limits.time)
          const end = send(request, { time, bytes: limits.bytes }, (outcome) =>
            resume("_tag" in outcome ? Effect.fail(outcome) : Effect.succeed(outcome))
          )
          return Effect.sync(end)
        })
      : sentIfAllowed(request, limits, transport)
  return transport
}
