/**
 * The pictures of a shop's processes that share a ledger, drawn from what they send to a local gateway and from the
 * ledger's history.
 */
import { setImmediate } from "node:timers/promises"
import Database from "libsql"
import type { Sequence, Step } from "../src/html/SequenceDiagram.js"
import { createLedger, fileStore } from "../src/ledger/promise/index.js"
import type { DrawnEntry } from "../src/local-gateway/pages/LogSequence.js"
import { mountLocalGateway } from "../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../src/promise/index.js"
import { changeOf, openWorld } from "../src/testing/ShopWorld.js"
import { clocked } from "../src/testing/TestStore.js"
import { type DrawnPicture, timelessSequence } from "./DrawnPicture.js"

const key = "complaint-77"
const ledgerLane = "Ledger"

/** The name of a process as that of its lane. */
const laneOf = (process: string): string => process.replace(/^p/, "P")

const noteIn = (lane: string, text: string): Step => ({
  kind: "note",
  at: "",
  lane,
  text,
  said: `${lane}: ${text}`
})

/** A shop with a paid payment. Its processes share a ledger, and what they do is drawn. */
const openShop = async () => {
  const steps: Array<Step> = []
  let log: Array<DrawnEntry> = []
  let moved = 0
  const store = await clocked(fileStore(":memory:", { driver: Database }), () => Date.now() + moved)
  const world = openWorld(store, () => moved)
  const local = mountLocalGateway({
    settings: { notificationTiming: "never" },
    onEvent: (event) => log.push(event),
    onRequest: (request) => log.push({ ...request, type: "request" })
  })
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("The local gateway has no merchant.")
  const observer = createGatewayClient({
    ...merchant,
    fetch: async (input, init) => local.fetch(new Request(input, init))
  })
  const ledger = createLedger({ gateway: observer, store })
  await ledger.migrate()
  const { id } = await observer.createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "http://localhost/return" }
  })
  await local.payByCard(id)
  const stopped: Array<() => Promise<void>> = [ledger.close, observer.close, local.close, store.close]

  let drawn = 0
  /** Draws the steps of the change that were committed since the last call. */
  const drawCommitted = async (): Promise<void> => {
    const history = await ledger.operator.getHistory(key)
    for (const [index, { process = "", status }] of history.entries()) {
      // The step that records the refund's id does not change the status.
      if (index < drawn || status === history[index - 1]?.status) continue
      const from = laneOf(process)
      const said = `${from} → ${ledgerLane}: ${status}`
      steps.push({ kind: "message", at: "", from, to: ledgerLane, look: "call", text: status, said })
    }
    drawn = history.length
  }

  /** Starts a process. `beforeChange` is called before it hands a change over. */
  const begin = (beforeChange = async (): Promise<unknown> => undefined) => {
    const process = world.beginProcess()
    const lane = laneOf(process.name)
    const gateway = createGatewayClient({
      ...merchant,
      fetch: async (input: string | URL | Request, init?: RequestInit) => {
        const request = new Request(input, init)
        const url = new URL(request.url)
        await drawCommitted()
        if (changeOf(request.method, url.pathname) !== undefined) await beforeChange()
        const receive = process.send(request.method, url, await request.clone().text())
        if (receive === undefined) return world.dead()
        log = []
        const response = await local.fetch(request)
        const isDead = receive(response.status, await response.clone().text()) === "dead"
        const entries = log.map((entry) => (isDead && entry.type === "request" ? { ...entry, status: 0 } : entry))
        if (isDead) entries.push({ type: "killed", at: Date.now() })
        steps.push(...timelessSequence(entries, { shop: lane }).steps)
        return isDead ? world.dead() : response
      }
    })
    const own = createLedger({ gateway, store: process.store, processName: process.name, pollEvery: "10 millis" })
    stopped.unshift(own.close, gateway.close)
    return {
      death: process.death,
      refund: async () => {
        steps.push(noteIn(lane, `refund("${key}")`))
        return own.refund(key, id, { amount: 139_950 })
      },
      /** Draws what the refund returned. */
      drawOutcome: ({ _tag }: { readonly _tag: string }) => steps.push(noteIn(lane, _tag))
    }
  }

  return {
    begin,
    /** Kills the process that hands the next change over, before it has the response. */
    killNext: () => {
      world.next.killAt = "afterSending"
    },
    pass: (millis: number, words: string) => {
      moved += millis
      steps.push({ kind: "break", at: "", text: words, said: words })
    },
    /** Waits for the last step of the refund, which records its id: the process goes on when its caller has the outcome. */
    finish: async (): Promise<void> => {
      while ((await ledger.operator.getHistory(key)).at(-1)?.refundId === undefined) await setImmediate()
      await drawCommitted()
    },
    drawn: (title: string): Sequence => ({
      title,
      lanes: ["Process 1", "Process 2", ledgerLane, "Gateway"],
      steps: [...steps]
    }),
    [Symbol.asyncDispose]: async () => {
      world.end()
      for (const stop of stopped) await stop()
    }
  }
}

const playKill = async (): Promise<Sequence> => {
  await using shop = await openShop()
  shop.killNext()
  const killed = shop.begin()
  await Promise.race([killed.death, killed.refund()])
  shop.pass(60_000, "its lease expires")
  const next = shop.begin()
  const outcome = await next.refund()
  await shop.finish()
  next.drawOutcome(outcome)
  return shop.drawn("A process is killed while it refunds")
}

const playTwoProcesses = async (): Promise<Sequence> => {
  await using shop = await openShop()
  let drawSecond = async (): Promise<unknown> => undefined
  const first = shop.begin(async () => {
    const outcome = second.refund()
    drawSecond = async () => second.drawOutcome(await outcome)
  })
  const second = shop.begin()
  const outcome = await first.refund()
  await shop.finish()
  first.drawOutcome(outcome)
  await drawSecond()
  return shop.drawn("Two processes refund under the same key")
}

const page = "docs/ledger.md"

export const killPicture: DrawnPicture = { file: "killed-process.svg", page, play: playKill }
export const twoProcessesPicture: DrawnPicture = { file: "two-processes.svg", page, play: playTwoProcesses }
