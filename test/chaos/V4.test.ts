/**
 * Whatever breaks, the outcomes that a shop on API v4 gets for its changes agree with the local gateway's books, and no
 * change is made twice. It proves the transport and the client's rules; it does not prove GoPay, which was never
 * called.
 */
import { assert, it } from "@effect/vitest"
import * as Struct from "effect/Struct"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import {
  ChangeRecordV4,
  type ChangeOperationV4,
  createGatewayClient,
  GatewayErrorV4,
  type GatewayClientV4,
  type ReconciliationV4
} from "../../src/promise/v4/index.js"
import { orderV4, recurrenceV4 } from "../support/GatewayV4.js"
import { isCampaign, isThorough, runs, sayHowToRepeat, seed } from "../support/Runs.js"
import { immediateFaults } from "./Faults.js"
import { dice } from "./HostileResponse.js"

sayHowToRepeat()

/** 20,000 by `npm run chaos`. */
const changes = Math.ceil(runs / 5)

/** In one gateway, whose list of payments is read often. */
const batch = 200

const order = { ...orderV4, amount: 1_000 }

/** A change that is ready to be sent. */
interface Ready {
  readonly call: () => Promise<unknown>
  /** What was stored before it. */
  readonly known: Partial<ChangeRecordV4>
  /** How often it was made, so far; nothing where one cannot see it. */
  readonly effects: (() => Promise<number>) | undefined
}

interface Shop {
  readonly gateway: GatewayClientV4
  readonly local: RunningLocalGateway
  /** A name for each change. */
  readonly name: () => string
}

const paid = async ({ gateway, local }: Shop) => {
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  return id
}

const started = async ({ gateway, local }: Shop) => {
  const { id } = await gateway.createRecurrence({ ...recurrenceV4, payment: order })
  const first = await gateway.startRecurrence(id)
  await local.payByCard(first.id)
  return { id, first: first.id }
}

const payments = async ({ local }: Shop): Promise<number> => (await local.listPayments()).length

const prepare: { readonly [Name in ChangeOperationV4]: (shop: Shop) => Promise<Ready> } = {
  createPayment: async (shop) => ({
    call: () => shop.gateway.createPayment({ ...order, order_number: shop.name() }),
    known: {},
    effects: () => payments(shop)
  }),
  cancelPayment: async ({ gateway }) => {
    const { id } = await gateway.createPayment(order)
    return {
      call: () => gateway.cancelPayment(id),
      known: {},
      effects: async () => ((await gateway.getPayment(id)).state === "CANCELED" ? 1 : 0)
    }
  },
  refundPayment: async (shop) => {
    const id = await paid(shop)
    const listed = () => shop.gateway.getPaymentRefunds(id)
    return {
      call: () => shop.gateway.refundPayment(id, { amount: 400 }),
      known: { refundsBefore: await listed(), isOnlyWriter: true },
      effects: async () => (await listed()).filter(({ state }) => state !== "FAILED").length
    }
  },
  createRecurrence: async ({ gateway }) => ({
    call: () => gateway.createRecurrence({ ...recurrenceV4, payment: order }),
    known: {},
    effects: undefined
  }),
  startRecurrence: async (shop) => {
    const { id } = await shop.gateway.createRecurrence({
      type: "ON_DEMAND",
      recurrence_date_to: "2099-12-31",
      payment: order
    })
    return { call: () => shop.gateway.startRecurrence(id), known: {}, effects: () => payments(shop) }
  },
  nextPayment: async (shop) => {
    const { first, id } = await started(shop)
    const order_number = shop.name()
    return {
      call: () => shop.gateway.nextPayment(id, { order_number }),
      known: { paymentBefore: first },
      effects: () => payments(shop)
    }
  },
  stopRecurrence: async (shop) => {
    const { id } = await started(shop)
    return {
      call: () => shop.gateway.stopRecurrence(id),
      known: {},
      effects: async () => ((await shop.gateway.getRecurrence(id)).state === "STOPPED" ? 1 : 0)
    }
  }
}

const names = Struct.keys(prepare)

type Told = "done" | "not done" | ChangeRecordV4

const told = (call: Promise<unknown>): Promise<Told> =>
  call.then(
    () => "done" as const,
    (error: unknown) => {
      if (!(error instanceof GatewayErrorV4)) throw error
      return error.reason._tag === "OutcomeUnknown" ? error.reason.change : "not done"
    }
  )

/** How often a change was made, by its reported or reconciled outcome; `undefined` if that does not say. */
const effectsBy = (found: "done" | "not done" | ReconciliationV4["_tag"]): number | undefined => {
  switch (found) {
    case "done":
    case "Happened":
    case "StateReached":
      return 1
    case "not done":
    case "DidNotHappen":
    case "NotSeenYet": // All that was to come has come.
      return 0
    case "CannotTell":
      return undefined
  }
}

it(
  `${changes} changes of API v4 are each made once at most, and what is told of them is so`,
  { timeout: 3_600_000 },
  async () => {
    const { below } = dice(seed)
    const oneOf = <A>(all: ReadonlyArray<A>): A => all[below(all.length)] ?? assert.fail("there is none")
    const counts = new Map<string, number>()
    const hit = new Map<string, number>()
    for (let batches = 0; batches * batch < changes; batches++) {
      await using local = await startLocalGateway()
      const { clientId, clientSecret, environment, goid } = local.merchant
      await using gateway = createGatewayClient({ goid, clientId, clientSecret, environment, retry: { attempts: 1 } })
      let named = 0
      const shop: Shop = { gateway, local, name: () => `order-${named++}` }
      for (let change = 0; change < Math.min(batch, changes - batches * batch); change++) {
        const name = oneOf(names)
        const { call, effects, known } = await prepare[name](shop)
        const before = (await effects?.()) ?? 0
        const fault = below(10) < 7 ? oneOf(immediateFaults) : undefined
        if (fault !== undefined) await local.armFault(fault, { operation: `v4.${name}` })
        const outcome = await told(call())
        await local.disarmFaults()
        await local.advanceTime("2 seconds")
        const found =
          typeof outcome === "string"
            ? outcome
            : (await gateway.reconcile({ ...ChangeRecordV4.parse(JSON.stringify(outcome)), ...known }))._tag
        const made = effects === undefined ? undefined : (await effects()) - before
        const by = effectsBy(found)
        const what = `${name} under ${JSON.stringify(fault)}: ${found}`
        if (made !== undefined) assert.isAtMost(made, 1, what)
        if (made !== undefined && by !== undefined) assert.strictEqual(made, by, what)
        const key = `${name} ${typeof outcome === "string" ? outcome : `in doubt, found: ${found}`}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      for (const { fault } of await local.listRequests()) {
        if (fault !== undefined) hit.set(fault, (hit.get(fault) ?? 0) + 1)
      }
    }
    // Each kind in a long check; in a short one chance may leave out a few.
    const kinds = new Set(immediateFaults.map(({ type }) => type)).size
    if (isCampaign) assert.isAtLeast(hit.size, isThorough ? kinds : kinds - 4)
    if (isThorough)
      console.log(
        [...counts, ...hit]
          .map(([key, times]) => `${times} ${key}`)
          .toSorted()
          .join("\n")
      )
  }
)
