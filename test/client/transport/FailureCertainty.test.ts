/**
 * The table of failures, but for what needs a gateway in a process of its own: `TransportFailures.test.ts` sees all.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as programs from "../../../src/index.js"
import { NodeHttpClient } from "../../../src/node/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { type FailingGateway, startFailingGateway } from "./FailingGateway.js"
import { failures } from "./FailureTable.js"
import { observer } from "./RefundObservation.js"

const { observe, styles } = observer({ createGatewayClient, NodeHttpClient, programs })

let gateway: FailingGateway
beforeAll(async () => {
  gateway = await startFailingGateway()
})
afterAll(() => gateway.stop())

const seenHere = Object.entries(failures).filter(([, { isBusy }]) => isBusy !== true)

describe.each(seenHere)("when %s, a refund", (_, failure) => {
  it.each(Object.entries(styles))(`in the style "%s" was certainly not sent, or perhaps`, async (style, make) => {
    const expected = style === "fetch" ? failure.overFetch : failure.overSockets
    expect(await observe(gateway, failure, make)).toMatchObject({ certainty: expected })
  })
})
