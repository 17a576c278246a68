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
import { methodsOf } from "../../src/client/gateway/Operations.js"

/** What becomes of a charge. */
export interface Fate {
  /** A pending one is decided after so many milliseconds. */
  readonly payment: "paid" | "declined" | "paidLater" | "declinedLater"
  /** A lost request makes no payment, a lost response does. */
  readonly fault?: "requestLost" | "responseLost" | { readonly refusedBy: 340 | 341 | 342 | 343 } | undefined
}

export interface RecurrencesModel {
  readonly service: GatewayService
  /** Pays a payment by card. */
  readonly payByCard: (id: GatewayId) => Effect.Effect<void>
  /** Every charge that was made. */
  readonly charges: Effect.Effect<ReadonlyArray<PaymentResponse>>
  /** Decides what becomes of the next charges. */
  decide: () => Fate
}

const target = { type: "ACCOUNT", goid: 8_123_456_789 } as const

/** In milliseconds: how long a charge is pending. */
const later = 2 * 86_400_000

interface Entry {
  readonly payment: CreatePaymentResponse
  readonly becomes?: { readonly state: "PAID" | "CANCELED"; readonly at: number }
}

export const makeRecurrencesModel = (): RecurrencesModel => {
  const entries = new Map<string, Entry>()
  const nowOf = ({ becomes, payment }: Entry, now: number): CreatePaymentResponse =>
    becomes === undefined || now < becomes.at ? payment : { ...payment, state: becomes.state }

  const found = (id: GatewayId): Effect.Effect<CreatePaymentResponse> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
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

  const createRecurrence = (firstPaymentId: GatewayId, request: CreateRecurrenceRequest) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { additional_params, amount, currency, order_number } = request
      const record: ChangeRecord = {
        operation: "createRecurrence",
        paymentId: firstPaymentId,
        amount,
        currency,
        orderNumber: order_number,
        sentAt: new Date(now).toISOString()
      }
      const look = yield* BeforeSend
      const mayBeSent = look === undefined || (yield* Effect.orElseSucceed(look(record), () => false))
      if (!mayBeSent) return yield* unavailable("It was held back.")
      const { fault, payment } = model.decide()
      if (typeof fault === "object") return yield* refused(fault.refusedBy)
      const first = yield* found(firstPaymentId)
      if (first.recurrence?.recurrence_state === "STOPPED") return yield* refused(342)
      if (first.state !== "PAID") return yield* refused(340)
      if (fault === "requestLost") return yield* unknown(record)
      const isLater = payment === "paidLater" || payment === "declinedLater"
      const end = payment === "paid" || payment === "paidLater" ? "PAID" : "CANCELED"
      const child = add(
        {
          parent_id: Number(firstPaymentId),
          order_number,
          state: isLater ? "CREATED" : end,
          amount,
          currency,
          ...paramsOf(additional_params)
        },
        isLater ? { state: end, at: now + later } : undefined
      )
      return fault === "responseLost" ? yield* unknown(record) : child
    })

  const model: RecurrencesModel = {
    decide: () => ({ payment: "paid" }),
    payByCard: (id) =>
      change(id, ({ recurrence }) => ({
        state: "PAID",
        ...(recurrence === undefined ? undefined : { recurrence: { ...recurrence, recurrence_state: "STARTED" } })
      })),
    charges: Effect.map(Clock.currentTimeMillis, (now) =>
      Array.from(entries.values())
        .filter(({ payment }) => payment.parent_id !== undefined)
        .map((entry) => nowOf(entry, now))
    ),
    service: {
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
      warm: () => Effect.void,
      goid: Effect.succeed(target.goid),
      baseUrl: Effect.succeed("https://gateway.example/api"),
      getEmbedJsUrl: () => Effect.succeed("https://gateway.example/embed.js")
    }
  }
  return model
}

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

const refused = (code: 340 | 341 | 342 | 343) =>
  Effect.fail(
    new GatewayError({
      operation,
      reason: {
        _tag: "OperationRefused",
        message: `The gateway refused it (${code}).`,
        isRetryable: false,
        goalReached: false,
        status: 409,
        code
      }
    })
  )
