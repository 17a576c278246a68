/**
 * Payments and recurrences of a gateway as a table in memory, with neither HTTP nor bodies, so that years of them pass in
 * seconds. What it answers is what the local gateway answers; only the fates of charges are decided by the test.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import {
  type AdditionalParam,
  BeforeSend,
  type ChangeRecord,
  type CreatePaymentResponse,
  type CreateRecurrenceRequest,
  GatewayError,
  type GatewayId,
  type GatewayService,
  type PaymentResponse
} from "../../src/index.js"
import { withPort } from "../../src/client/call/ClientPort.js"
import { methodsOf } from "../../src/client/call/Operation.js"

/** What becomes of a charge. */
export interface Fate {
  /** `Later`: it is pending for two days. A payer may pay a declined one all the same: within a day, or after four. */
  readonly payment: "paid" | "declined" | "paidLater" | "declinedLater" | "declinedThenPaid" | "declinedThenPaidLate"
  /**
   * One that is not sent, or lost, makes no payment; a late one makes it after a day and a half, a lost response at once. `isRepeated`:
   * something between has sent it twice, the first request was taken, and the client sees the refusal of the second.
   */
  readonly fault?: "notSent" | "requestLost" | "requestLate" | "responseLost" | Refusal | undefined
}

export interface Refusal {
  readonly refusedBy: 110 | 340 | 341 | 342 | 343
  readonly isRepeated?: boolean
}

/** A charge at the moment at which the gateway makes it. */
export interface MadeCharge {
  readonly child: PaymentResponse
  /** The time, in milliseconds. */
  readonly at: number
  /** Whether the client was answered with a refusal. */
  readonly isHidden: boolean
  /** The state of a payment when the request was sent. */
  readonly stateOf: (id: number) => string | undefined
}

export interface RecurrencesModel {
  readonly service: GatewayService
  /** Pays a payment by a card that expires in a month, `YYMM`. */
  readonly payByCard: (id: GatewayId, expiration: string) => Effect.Effect<void>
  /** Every charge that was made. */
  readonly charges: Effect.Effect<ReadonlyArray<PaymentResponse>>
  /** Whether a request is still on its way. */
  readonly isLate: () => boolean
  /** Decides what becomes of the next charges. */
  decide: () => Fate
  /** Happens while the request for a charge is on its way. */
  onTheWay: (orderNumber: string) => Effect.Effect<unknown>
  /** Happens when the request for a charge is refused, and no payment is made. */
  onRefused: (orderNumber: string, code: Refusal["refusedBy"]) => void
  /** Happens when a charge is made. */
  onCharge: (made: MadeCharge) => Effect.Effect<unknown>
}

const target = { type: "ACCOUNT", goid: 8_123_456_789 } as const

/** In milliseconds. */
const hour = 3_600_000

/** The state of a new charge, and what it becomes after some milliseconds. */
const courses: {
  readonly [payment in Fate["payment"]]: readonly [state: State, becomes?: State, after?: number]
} = {
  paid: ["PAID"],
  declined: ["CANCELED"],
  paidLater: ["CREATED", "PAID", 48 * hour],
  declinedLater: ["CREATED", "CANCELED", 48 * hour],
  declinedThenPaid: ["CANCELED", "PAID", 20 * hour],
  declinedThenPaidLate: ["CANCELED", "PAID", 96 * hour]
}

type State = "CREATED" | "PAID" | "CANCELED"

/** How long a late request is on its way. */
const lateness = 36 * hour

interface Entry {
  readonly payment: CreatePaymentResponse
  readonly becomes?: { readonly state: State; readonly at: number }
}

export const makeRecurrencesModel = (): RecurrencesModel => {
  const entries = new Map<string, Entry>()
  const nowOf = ({ becomes, payment }: Entry, now: number): CreatePaymentResponse =>
    becomes === undefined || now < becomes.at ? payment : { ...payment, state: becomes.state }

  /** The requests that are on their way, in the order in which they arrive. */
  const late: Array<{ readonly at: number; readonly arrive: Effect.Effect<unknown> }> = []
  /** The time, when all has arrived that has by then. */
  const arrived = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (;;) {
      const [first] = late
      if (first === undefined || first.at > now) return now
      late.shift()
      yield* first.arrive
    }
  })

  const found = (id: GatewayId): Effect.Effect<CreatePaymentResponse> =>
    Effect.flatMap(arrived, (now) => {
      const entry = entries.get(String(id))
      return entry === undefined
        ? Effect.die(new Error(`There is no payment ${id}.`))
        : Effect.succeed(nowOf(entry, now))
    })
  const add = (payment: Omit<CreatePaymentResponse, "id" | "gw_url">, becomes?: Entry["becomes"]) => {
    const id = 3_000_000_001 + entries.size
    const made = { ...payment, id, target, gw_url: `https://gateway.example/${id}` }
    entries.set(String(id), { payment: made, ...(becomes === undefined ? undefined : { becomes }) })
    return made
  }
  const change = (id: GatewayId, patch: (payment: PaymentResponse) => Partial<PaymentResponse>) =>
    Effect.map(found(id), (payment) => {
      entries.set(String(id), { payment: { ...payment, ...patch(payment) } })
    })
  const paramsOf = (params: ReadonlyArray<AdditionalParam> | undefined) =>
    params === undefined ? undefined : { additional_params: params }

  /** Makes a charge, which says itself what becomes of it. */
  const charged = (
    firstPaymentId: GatewayId,
    { additional_params, amount, currency, order_number }: CreateRecurrenceRequest,
    {
      at,
      isHidden,
      payment,
      sentAt
    }: Pick<Fate, "payment"> & Pick<MadeCharge, "at" | "isHidden"> & { readonly sentAt: number }
  ) =>
    Effect.suspend(() => {
      const [state, becomes, after = 0] = courses[payment]
      const child = add(
        { parent_id: Number(firstPaymentId), order_number, state, amount, currency, ...paramsOf(additional_params) },
        becomes === undefined ? undefined : { state: becomes, at: at + after }
      )
      const stateOf = (id: number) => {
        const entry = entries.get(String(id))
        return entry === undefined ? undefined : nowOf(entry, sentAt).state
      }
      return Effect.as(model.onCharge({ child, at, isHidden, stateOf }), child)
    })

  const createRecurrence = (firstPaymentId: GatewayId, request: CreateRecurrenceRequest) =>
    Effect.gen(function* () {
      const at = yield* arrived
      const { amount, currency, order_number } = request
      const record: ChangeRecord = {
        operation: "createRecurrence",
        paymentId: firstPaymentId,
        amount,
        currency,
        orderNumber: order_number,
        sentAt: new Date(at).toISOString()
      }
      const look = yield* BeforeSend
      const mayBeSent = look === undefined || (yield* Effect.orElseSucceed(look(record), () => false))
      if (!mayBeSent) return yield* unavailable("It was held back.")
      yield* model.onTheWay(order_number)
      const { fault, payment } = model.decide()
      if (fault === "notSent") return yield* unavailable("No connection was made.")
      if (typeof fault === "object" && fault.isRepeated !== true) {
        model.onRefused(order_number, fault.refusedBy)
        return yield* refused(fault.refusedBy)
      }
      const first = yield* found(firstPaymentId)
      if (first.recurrence?.recurrence_state === "STOPPED") return yield* refused(342)
      if (first.state !== "PAID") return yield* refused(340)
      if (fault === "requestLost") return yield* unknown(record)
      if (fault === "requestLate") {
        const arrival = at + lateness
        late.push({
          at: arrival,
          arrive: charged(firstPaymentId, request, { payment, at: arrival, sentAt: at, isHidden: false })
        })
        return yield* unknown(record)
      }
      const child = yield* charged(firstPaymentId, request, {
        payment,
        at,
        sentAt: at,
        isHidden: typeof fault === "object"
      })
      if (typeof fault === "object") return yield* refused(fault.refusedBy)
      return fault === "responseLost" ? yield* unknown(record) : child
    })

  const model: RecurrencesModel = {
    decide: () => ({ payment: "paid" }),
    onTheWay: () => Effect.void,
    onRefused: () => {},
    onCharge: () => Effect.void,
    isLate: () => late.length > 0,
    payByCard: (id, expiration) =>
      change(id, ({ recurrence }) => ({
        state: "PAID",
        payer: { payment_card: { card_expiration: expiration } },
        ...(recurrence === undefined ? undefined : { recurrence: { ...recurrence, recurrence_state: "STARTED" } })
      })),
    charges: Effect.map(arrived, (now) =>
      Array.from(entries.values())
        .filter(({ payment }) => payment.parent_id !== undefined)
        .map((entry) => nowOf(entry, now))
    ),
    service: asClient({
      ...methodsOf(() => () => Effect.die(new Error("The model has recurrences only."))),
      createPayment: ({ additional_params, amount, currency, order_number, recurrence }) =>
        Effect.sync(() =>
          add({
            order_number,
            state: "CREATED",
            amount,
            currency,
            ...(recurrence === undefined
              ? undefined
              : {
                  recurrence: {
                    recurrence_cycle: recurrence.recurrence_cycle,
                    recurrence_date_to: recurrence.recurrence_date_to,
                    recurrence_state: "REQUESTED"
                  }
                }),
            ...paramsOf(additional_params)
          })
        ),
      getPayment: found,
      getPaymentRefunds: () => Effect.succeed([]),
      createRecurrence,
      voidRecurrence: (id) =>
        Effect.as(
          change(id, ({ recurrence }) =>
            recurrence === undefined ? {} : { recurrence: { ...recurrence, recurrence_state: "STOPPED" } }
          ),
          { id: Number(id), result: "FINISHED" }
        ),
      sendRequest: () => Effect.die(new Error("The model has recurrences only.")),
      warm: Effect.void,
      goid: Effect.succeed(target.goid),
      baseUrl: Effect.succeed("https://gateway.example/api"),
      getEmbedJsUrl: Effect.succeed("https://gateway.example/embed.js")
    })
  }
  return model
}

/** Marks it as a client of this package: a ledger accepts no other. */
const asClient = (service: GatewayService): GatewayService => withPort(service, { style: "Effect", merchant: {} })

const operation = "createRecurrence"

const unavailable = (message: string) =>
  Effect.fail(new GatewayError({ operation, reason: { _tag: "GatewayUnavailable", message, isRetryable: true } }))

const unknown = (change: ChangeRecord) =>
  Effect.fail(
    new GatewayError({
      operation,
      reason: { _tag: "OutcomeUnknown", message: "No response came.", isRetryable: false, change }
    })
  )

const refused = (code: Refusal["refusedBy"]) => {
  const details = { message: `The gateway refused it (${code}).`, isRetryable: false, status: 409 } as const
  return Effect.fail(
    new GatewayError({
      operation,
      reason:
        code === 110
          ? { ...details, _tag: "InvalidRequest", refusedBy: "gateway", errors: [] }
          : { ...details, _tag: "OperationRefused", goalReached: false, code }
    })
  )
}
