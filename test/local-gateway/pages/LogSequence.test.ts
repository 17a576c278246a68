/**
 * The log as a picture, read as those read it who do not see it.
 */
import { assert, describe, it } from "@effect/vitest"
import { sequenceDiagram } from "../../../src/html/SequenceDiagram.js"
import { pictureMarkup } from "../../../src/html/PictureNode.js"
import {
  type DrawnEntry,
  logSequence,
  type NotificationUnderWay
} from "../../../src/local-gateway/pages/LogSequence.js"

const drawn = (
  entries: ReadonlyArray<DrawnEntry>,
  language: "cs" | "en" = "en",
  underWay: ReadonlyArray<NotificationUnderWay> = []
) =>
  logSequence(entries, {
    language,
    reason: (subState) => `why ${subState}`,
    underWay,
    clock: (at) => at.toISOString().slice(11, 19),
    day: (at) => at.toISOString().slice(0, 10)
  })

const said = (entries: ReadonlyArray<DrawnEntry>, language: "cs" | "en" = "en") =>
  drawn(entries, language).steps.map((step) => step.said)

const at = "2026-11-29T12:00:00.000Z"

describe("The picture of a log says", () => {
  it("what the gateway did between a call and its response, though that is logged before the call", () => {
    assert.deepStrictEqual(
      said([
        { at, type: "state", by: "merchant", to: "CREATED" },
        { at, type: "request", operation: "createPayment", status: 200 },
        { at, type: "state", by: "payer", from: "CREATED", to: "PAID" },
        { at, type: "notification", attempt: 1, status: 500 },
        { at, type: "notification", attempt: 2, status: 200 }
      ]),
      [
        "12:00:00 Shop → Gateway: createPayment",
        "12:00:00 Gateway: CREATED",
        "12:00:00 Gateway → Shop: 200",
        "12:00:00 Payer → Gateway: pays",
        "12:00:00 Gateway: PAID",
        "12:00:00 Gateway → Shop: notification of PAID",
        "12:00:00 Shop → Gateway: 500, not taken",
        "12:00:00 Gateway → Shop: notification, attempt 2",
        "12:00:00 Shop → Gateway: 200, taken"
      ]
    )
  })

  it("of a payer who has returned while the payment is processed nothing more", () => {
    assert.deepStrictEqual(
      said([
        { at, type: "state", by: "payer", from: "CREATED", to: "PAYMENT_METHOD_CHOSEN", paymentId: 1 },
        { at, type: "payer", action: "returned", paymentId: 1 },
        { at, type: "state", by: "payer", from: "PAYMENT_METHOD_CHOSEN", to: "PAID", paymentId: 1 }
      ]),
      [
        "12:00:00 Payer → Gateway: tries to pay",
        "12:00:00 Gateway: PAYMENT METHOD CHOSEN",
        "12:00:00 Payer → Shop: returns",
        "12:00:00 Gateway: PAID"
      ]
    )
  })

  it("what the shop asked before it answered a notification, between the two", () => {
    const after = (seconds: number) => `2026-11-29T12:00:0${seconds}.000Z`
    assert.deepStrictEqual(
      said([
        { at, type: "state", by: "payer", from: "CREATED", to: "PAID" },
        { at: after(1), type: "request", operation: "getPayment", status: 200 },
        { at: after(2), type: "operation", operation: "refund", result: "finished" },
        { at: after(2), type: "request", operation: "refundPayment", status: 200 },
        { at: after(3), type: "notification", attempt: 1, status: 302, duration_millis: 3_000 }
      ]),
      [
        "12:00:00 Payer → Gateway: pays",
        "12:00:00 Gateway: PAID",
        "12:00:00 Gateway → Shop: notification of PAID",
        "12:00:01 Shop → Gateway: getPayment",
        "12:00:01 Gateway → Shop: 200",
        "12:00:02 Shop → Gateway: refundPayment",
        "12:00:02 Gateway: refund: finished",
        "12:00:02 Gateway → Shop: 200",
        "12:00:03 Shop → Gateway: 302, not taken"
      ]
    )
    const late = drawn([{ at, type: "notification", attempt: 1, status: 302 }]).steps.at(-1)
    assert.strictEqual(late?.kind === "message" && late.look, "refused")
  })

  it("a hold that the payer began where it began, and one that the shop ended within its call", () => {
    assert.deepStrictEqual(
      said([
        { at, type: "state", by: "payer", from: "CREATED", to: "AUTHORIZED" },
        { at, type: "preauthorization", by: "payer", to: "AUTHORIZED" },
        { at, type: "request", operation: "getPayment", status: 200 },
        { at, type: "preauthorization", by: "merchant", to: "CAPTURED" },
        { at, type: "request", operation: "captureAuthorization", status: 200 }
      ]),
      [
        "12:00:00 Payer → Gateway: pays, and it is held",
        "12:00:00 Gateway: AUTHORIZED",
        "12:00:00 Gateway: hold: AUTHORIZED",
        "12:00:00 Shop → Gateway: getPayment",
        "12:00:00 Gateway → Shop: 200",
        "12:00:00 Shop → Gateway: captureAuthorization",
        "12:00:00 Gateway: hold: CAPTURED",
        "12:00:00 Gateway → Shop: 200"
      ]
    )
  })

  it("a notification of what a request did behind that request's response, however early it went out", () => {
    const after = (millis: number) => `2026-11-29T12:00:00.${String(millis).padStart(3, "0")}Z`
    assert.deepStrictEqual(
      said([
        { at, type: "operation", operation: "refund", result: "finished" },
        { at, type: "state", by: "merchant", from: "PAID", to: "REFUNDED" },
        { at: after(9), type: "request", operation: "refundPayment", status: 0, fault: "connectionReset" },
        { at: after(15), type: "request", operation: "getPayment", status: 200 },
        { at: after(20), type: "notification", attempt: 1, status: 200, duration_millis: 19 }
      ]),
      [
        "12:00:00 Shop → Gateway: refundPayment",
        "12:00:00 Gateway: refund: finished",
        "12:00:00 Gateway: REFUNDED",
        "12:00:00 Gateway: fault: connection reset",
        "12:00:00 Gateway → Shop: no response, lost",
        "12:00:00 Gateway → Shop: notification of REFUNDED",
        "12:00:00 Shop → Gateway: getPayment",
        "12:00:00 Gateway → Shop: 200",
        "12:00:00 Shop → Gateway: 200, taken"
      ]
    )
  })

  it("a notification after the time has moved, though the clock leapt while it was answered", () => {
    assert.deepStrictEqual(
      said([
        { at, type: "request", operation: "createPayment", status: 200 },
        { at: "2026-11-29T12:00:05.000Z", type: "time", advancedMillis: 5_000 },
        { at: "2026-11-29T12:00:05.000Z", type: "notification", attempt: 1, status: 200, durationMillis: 20_000 }
      ]).slice(2),
      ["time has moved by 5\u00a0s", "12:00:05 Gateway → Shop: notification", "12:00:05 Shop → Gateway: 200, taken"]
    )
  })

  it("why an attempt was declined, each step in 3-D Secure, and that the payer is back", () => {
    assert.deepStrictEqual(
      said([
        { at, type: "state", by: "payer", from: "CREATED", to: "PAYMENT_METHOD_CHOSEN", sub_state: "_101" },
        {
          at,
          type: "state",
          by: "payer",
          from: "PAYMENT_METHOD_CHOSEN",
          to: "PAYMENT_METHOD_CHOSEN",
          sub_state: "_5006"
        },
        {
          at,
          type: "state",
          by: "payer",
          from: "PAYMENT_METHOD_CHOSEN",
          to: "PAYMENT_METHOD_CHOSEN",
          subState: "_101"
        },
        { at, type: "payer", action: "threeDSecure" },
        { at, type: "state", by: "payer", from: "PAYMENT_METHOD_CHOSEN", to: "PAID", sub_state: "_5001" },
        { at, type: "payer", action: "returned" }
      ]),
      [
        "12:00:00 Payer → Gateway: tries to pay",
        "12:00:00 Gateway: PAYMENT METHOD CHOSEN",
        "12:00:00 Gateway → Payer: declined: why _5006",
        "12:00:00 Payer → Gateway: tries to pay",
        "12:00:00 Gateway → Payer: asks for 3-D Secure",
        "12:00:00 Payer → Gateway: pays",
        "12:00:00 Gateway: PAID",
        "12:00:00 Payer → Shop: returns"
      ]
    )
    const declinedAtOnce = said([
      { at, type: "state", by: "payer", from: "CREATED", to: "PAYMENT_METHOD_CHOSEN", sub_state: "_5002" },
      { at, type: "state", by: "payer", from: "PAYMENT_METHOD_CHOSEN", to: "CANCELED", sub_state: "_5002" }
    ])
    assert.deepStrictEqual(declinedAtOnce, [
      "12:00:00 Payer → Gateway: tries to pay",
      "12:00:00 Gateway: PAYMENT METHOD CHOSEN",
      "12:00:00 Gateway → Payer: declined: why _5002",
      "12:00:00 Payer → Gateway: does not pay",
      "12:00:00 Gateway: CANCELED"
    ])
  })

  it("repeated attempts as one, as long as they end alike and nothing comes between", () => {
    const attempt = (attempt: number, status: number): DrawnEntry => ({ at, type: "notification", attempt, status })
    assert.deepStrictEqual(
      said([
        ...[1, 2, 3, 4].map((number) => attempt(number, 500)),
        attempt(5, 302),
        { at, type: "control" },
        attempt(6, 302),
        { at, type: "request", operation: "getPayment", status: 200 },
        attempt(7, 302),
        attempt(8, 200)
      ]),
      [
        "12:00:00 Gateway → Shop: notification",
        "12:00:00 Shop → Gateway: 500, not taken",
        "12:00:00 Gateway → Shop: notification, attempts 2–4",
        "12:00:00 Shop → Gateway: 500, not taken",
        "12:00:00 Gateway → Shop: notification, attempts 5–6",
        "12:00:00 Shop → Gateway: 302, not taken",
        "12:00:00 Shop → Gateway: getPayment",
        "12:00:00 Gateway → Shop: 200",
        "12:00:00 Gateway → Shop: notification, attempt 7",
        "12:00:00 Shop → Gateway: 302, not taken",
        "12:00:00 Gateway → Shop: notification, attempt 8",
        "12:00:00 Shop → Gateway: 200, taken"
      ]
    )
  })

  it("a notification that the shop has not answered yet, before what the shop asked since", () => {
    const later = "2026-11-29T12:00:01.000Z"
    const { steps } = drawn(
      [
        { at, payment_id: 7, type: "state", by: "payer", from: "CREATED", to: "PAID" },
        { at: later, payment_id: 7, type: "request", operation: "getPayment", status: 200 }
      ],
      "cs",
      [{ at, payment_id: 7, attempt: 1 }]
    )
    assert.deepStrictEqual(
      steps.map((step) => step.said),
      [
        "12:00:00 Plátce → Brána: platí",
        "12:00:00 Brána: zaplaceno",
        "12:00:00 Brána → Obchod: notifikace: zaplaceno",
        "12:00:01 Obchod → Brána: getPayment",
        "12:00:01 Brána → Obchod: 200",
        "12:00:00 Brána: obchod zatím neodpověděl"
      ]
    )
  })

  it("that money moved and the response was lost, and why", () => {
    assert.deepStrictEqual(
      said([
        { at, type: "operation", operation: "refund", result: "finished" },
        { at, type: "state", by: "merchant", from: "PAID", to: "REFUNDED" },
        { at, type: "request", operation: "refundPayment", status: 0, fault: "connectionReset" }
      ]),
      [
        "12:00:00 Shop → Gateway: refundPayment",
        "12:00:00 Gateway: refund: finished",
        "12:00:00 Gateway: REFUNDED",
        "12:00:00 Gateway: fault: connection reset",
        "12:00:00 Gateway → Shop: no response, lost"
      ]
    )
  })

  it("when time has moved, and when another day has begun", () => {
    assert.deepStrictEqual(
      said(
        [
          { at, type: "request", operation: "createPayment", status: 200 },
          { at: "2026-12-30T12:00:00.000Z", type: "state", by: "time", from: "CREATED", to: "TIMEOUTED" },
          { at: "2026-12-30T12:00:00.000Z", type: "time", advanced_millis: 31 * 24 * 3_600_000 },
          { at: "2026-12-30T12:00:01.000Z", type: "notification", attempt: 0, status: 0 }
        ],
        "cs"
      ),
      [
        "12:00:00 Obchod → Brána: createPayment",
        "12:00:00 Brána → Obchod: 200",
        "2026-12-30",
        "12:00:00 Brána: vypršelo",
        "čas se posunul o 31\u00a0d",
        "12:00:01 Brána: neoznámeno"
      ]
    )
  })

  it("that the shop was killed, in the shop's lane, under the name that it is given", () => {
    const { lanes, steps } = logSequence(
      [
        { at, type: "operation", operation: "refund", result: "finished" },
        { at, type: "request", operation: "refundPayment", status: 0 },
        { at, type: "killed" }
      ],
      { language: "en", shop: "Process 1", reason: String, clock: () => "", day: () => "" }
    )
    assert.deepStrictEqual(lanes, ["Payer", "Process 1", "Gateway"])
    assert.deepStrictEqual(
      steps.map(({ said: words }) => words.trim()),
      [
        "Process 1 → Gateway: refundPayment",
        "Gateway: refund: finished",
        "Gateway → Process 1: no response, lost",
        "Process 1: is killed"
      ]
    )
    const last = steps.at(-1)
    assert.isTrue(last?.kind === "note" && last.lane === "Process 1" && last.isBad)
  })

  it("no markup that is not its own", () => {
    const attack = `"><script>alert(1)</script>`
    const { text } = pictureMarkup(
      sequenceDiagram(drawn([{ at, type: "request", operation: attack, status: 200, fault: attack }]))
    )
    assert.notInclude(text, "<script")
    assert.match(text, /^<svg viewBox="0 0 460 \d+" class="sequence" role="list" aria-label="Who said what to whom">/)
    assert.lengthOf(text.match(/role="listitem"/g) ?? [], 3)
  })
})
