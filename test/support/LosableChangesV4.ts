/**
 * Each change of API v4 in a client of the local gateway, made ready for its response to be lost, late or doubled.
 */
import { startLocalGateway, type RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import {
  type CallEventV4,
  type ChangeRecordV4,
  type ChangeOperationV4,
  createGatewayClient,
  type CreatePaymentRequestV4,
  type CreateRecurrenceRequestV4,
  GatewayErrorV4,
  type GatewayClientV4,
  type OutcomeUnknownV4
} from "../../src/promise/v4/index.js"
import { orderV4, recurrenceV4 } from "./GatewayV4.js"

/** What the tests sell. */
export const order: CreatePaymentRequestV4 = { ...orderV4, amount: 1_000 }

/** What the tests sell each month. */
export const subscription: CreateRecurrenceRequestV4 = { ...recurrenceV4, payment: order }

/** A server before the gateway. */
interface Between extends AsyncDisposable {
  readonly url: string
}

/** A client of a running local gateway. */
export interface Scene {
  readonly gateway: GatewayClientV4
  readonly local: RunningLocalGateway
  readonly events: ReadonlyArray<CallEventV4>
}

/** Runs a test with a client and a gateway of its own; `between` is what the client's requests pass through. */
export const scene = async (
  test: (scene: Scene) => Promise<void>,
  between: (url: string) => Promise<Between> = async (url) => ({ url, [Symbol.asyncDispose]: async () => {} })
): Promise<void> => {
  await using local = await startLocalGateway()
  const { clientId, clientSecret, environment, goid } = local.merchant
  await using server = await between(environment)
  const events: Array<CallEventV4> = []
  await using gateway = createGatewayClient({
    goid,
    clientId,
    clientSecret,
    environment: server.url,
    observer: (event) => events.push(event)
  })
  await test({ gateway, local, events })
}

/** Why a call was rejected. */
export const reasonOf = async (call: Promise<unknown>): Promise<GatewayErrorV4["reason"]> => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error
  )
  if (error instanceof GatewayErrorV4) return error.reason
  throw new Error(`not rejected with a GatewayErrorV4: ${String(error)}`)
}

/** A paid payment. */
export const paid = async ({ gateway, local }: Scene) => {
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  return id
}

/** A recurrence whose first payment is paid. */
export const started = async ({ gateway, local }: Scene) => {
  const { id } = await gateway.createRecurrence(subscription)
  const first = await gateway.startRecurrence(id)
  await local.payByCard(first.id)
  return { id, first: first.id }
}

/** A change made ready: how it is called, what is stored before, and how often it was made. */
export interface Losable {
  readonly call: () => Promise<unknown>
  readonly record: (sent: ChangeRecordV4) => ChangeRecordV4
  /** How often it was made, where one can see that. */
  readonly effects: () => Promise<number>
}

type Prepare = (scene: Scene) => Promise<Losable>

const asSent = (sent: ChangeRecordV4): ChangeRecordV4 => sent

const count = (isDone: boolean): number => (isDone ? 1 : 0)

/** Each change, made ready. */
export const losableV4: { readonly [Name in ChangeOperationV4]: Prepare } = {
  createPayment: async ({ gateway, local }) => ({
    call: () => gateway.createPayment(order),
    record: asSent,
    effects: async () => (await local.listPayments()).length
  }),
  cancelPayment: async ({ gateway }) => {
    const { id } = await gateway.createPayment(order)
    return {
      call: () => gateway.cancelPayment(id),
      record: asSent,
      effects: async () => count((await gateway.getPayment(id)).state === "CANCELED")
    }
  },
  refundPayment: async (all) => {
    const id = await paid(all)
    const refundsBefore = await all.gateway.getPaymentRefunds(id)
    return {
      call: () => all.gateway.refundPayment(id, { amount: 400 }),
      record: (sent) => ({ ...sent, refundsBefore, isOnlyWriter: true }),
      effects: async () => (await all.gateway.getPaymentRefunds(id)).length
    }
  },
  createRecurrence: async ({ gateway }) => ({
    call: () => gateway.createRecurrence(subscription),
    record: asSent,
    // A recurrence that no one starts is nowhere to be seen.
    effects: async () => 0
  }),
  startRecurrence: async ({ gateway, local }) => {
    const { id } = await gateway.createRecurrence(subscription)
    return {
      call: () => gateway.startRecurrence(id),
      record: asSent,
      effects: async () => (await local.listPayments()).length
    }
  },
  nextPayment: async (all) => {
    const { first, id } = await started(all)
    return {
      call: () => all.gateway.nextPayment(id, { order_number: "march" }),
      record: (sent) => ({ ...sent, paymentBefore: first }),
      effects: async () => (await all.local.listPayments()).length - 1
    }
  },
  stopRecurrence: async (all) => {
    const { id } = await started(all)
    return {
      call: () => all.gateway.stopRecurrence(id),
      record: asSent,
      effects: async () => count((await all.gateway.getRecurrence(id)).state === "STOPPED")
    }
  }
}

/** What a call was rejected with whose outcome is unknown. */
export const outcomeUnknown = async (call: Promise<unknown>): Promise<OutcomeUnknownV4> => {
  const reason = await reasonOf(call)
  if (reason._tag === "OutcomeUnknown") return reason
  throw new Error(`${reason._tag}: ${reason.message}`)
}
