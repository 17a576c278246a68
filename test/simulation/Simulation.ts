/**
 * Runs a plan: a gateway, a shop of several processes, the network between them, and everything that goes wrong. The
 * same plan gives the same story, to the last line.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import { createRecurrence, Gateway, refundPayment } from "../../src/index.js"
import { LocalGateway, readSeed, type SeedContent } from "../../src/local-gateway/index.js"
import { Judge } from "./Invariants.js"
import { LedgerJudge } from "./LedgerJudge.js"
import { type LedgerSurroundings, startLedgerShop } from "./LedgerShop.js"
import { Network } from "./Network.js"
import { Observation, type Violation } from "./Observation.js"
import type { Moment, Payer, Plan, PlannedEvent } from "./Plan.js"
import { Memory, payerSecrets, type RunningShop, startShop, type Surroundings } from "./Shop.js"
import { SimulatedDatabase } from "./SimulatedDatabase.js"
import { SimulatedStore } from "./SimulatedStore.js"
import { Process, RealWait, Restless, type StoryLine, Simulator } from "./Simulator.js"

/** What came of a simulation. */
export interface Outcome {
  readonly violation: Violation | undefined
  readonly story: ReadonlyArray<StoryLine>
  /** Calls of the client that ended. */
  readonly calls: number
  readonly requests: number
  /** What met with something, by the names of the chances. */
  readonly troubles: ReadonlySet<string>
  /** How often each thing that can go wrong did. */
  readonly hits: ReadonlyMap<string, number>
  /** How many keys a ledger took, and which of them it asked an operator about, by kind. */
  readonly alarms: { readonly keys: number; readonly asked: ReadonlyArray<string> }
}

const merchant = LocalGateway.merchant

/** How long everything has to come right when nothing goes wrong any more: late requests, repeated notifications. */
const settlingTime = 25 * 60_000

/** The same for strangers, who go on and on: all attempts to notify are over by then. */
const strangersTime = 60_000

/** How long finding out what became of every change may take. */
const sweepingTime = 30 * 60_000

/** How long a closed program may take to fall silent. */
const closingTime = 10 * 60_000

/** How long the processes of a ledger go on together when nothing goes wrong any more. */
const ledgerTime = 4 * 60_000

/** How long the last process of a ledger keeps running: longer than any pause between two checks. */
const lateTime = 5 * 3_600_000

/** When the initial payments came into their states, for which no notifications are sent any more. */
const beforeAll = -1

/** A place where a process runs, and runs again when it has died. */
interface Place {
  readonly index: number
  incarnation: number
  process: Process | undefined
  /** The process is still starting. */
  isStarting: boolean
  shop: RunningShop | undefined
}

/** Runs a plan to its end, or to the first thing that must not be. */
export const simulate = (plan: Plan): Outcome => {
  let isEnd = false
  const simulator: Simulator = new Simulator(plan.seed, () => isEnd || observation.isOver)
  const observation: Observation = new Observation(simulator)
  const director = new Process(simulator, "the director", false)
  const home = new Process(simulator, "the gateway", false)
  const memory = new Memory()
  const everyProcess: Array<Process> = []
  const places = Array.from({ length: plan.processes }, (_, index): Place => ({
    index,
    incarnation: 0,
    process: undefined,
    isStarting: false,
    shop: undefined
  }))

  observation.addSecret(merchant.clientSecret, "the ClientSecret")
  const credentials = `${merchant.clientId}:${merchant.clientSecret}`
  observation.addSecret(btoa(credentials), "the credentials")
  for (const secret of payerSecrets) observation.addSecret(secret, "what was sent of the payer")

  // ------------------------------------------------------------------------------------------------------------------
  // The gateway
  // ------------------------------------------------------------------------------------------------------------------

  let running: Context.Context<HttpClient.HttpClient | LocalGateway> | undefined
  const gateway = () => {
    if (running === undefined) throw new Error("the gateway is not there yet")
    return running
  }
  const service = () => Context.get(gateway(), LocalGateway)
  const books = (): SeedContent => home.runNow(service().exportSeed) ?? {}
  const judge = new Judge(observation, plan, books)
  const notifications = new Map<string, number>()

  const localGateway = LocalGateway.layerWith({
    settings: plan.settings,
    seed: Result.getOrThrow(readSeed(plan.books)),
    notificationReceiver: (url) =>
      Effect.callback<number, Error>((resume) => {
        const id = new URL(url).searchParams.get("id") ?? ""
        const count = (notifications.get(id) ?? 0) + 1
        notifications.set(id, count)
        notify(url, `notification ${id} ${count}`, (status) =>
          home.soon(() => resume(status === undefined ? Effect.fail(new Error("no response")) : Effect.succeed(status)))
        )
      }),
    onEvent: (happening) => {
      if (happening.type === "state") {
        if (happening.from === undefined) payByCard(happening.paymentId)
        if (happening.from !== happening.to) observation.stateChanged(happening.paymentId, happening.to)
        simulator.tell(home, `payment ${happening.paymentId} is ${happening.to}`)
      }
    }
  })

  /** Brings a notification to one of the processes. It gets no status if there is no answer. */
  const notify = (url: string, event: string, onStatus: (status: number | undefined) => void): void => {
    const chance = simulator.chance(event)
    const living = places.filter(({ process, shop }) => process?.isAlive === true && shop !== undefined)
    const place = living[chance.below(Math.max(1, living.length))]
    const isTroubled = !isQuiet && chance.percent(plan.trouble / 2) && !plan.spared.has(event)
    if (isTroubled) observation.troubles.add(event)
    const fate = isTroubled ? chance.pick("lost", "answer lost", "late", "brought twice") : "brought"
    if (isTroubled) observation.hit(`notification: ${fate}`)
    const shop = place?.shop
    const process = place?.process
    if (shop === undefined || process === undefined || fate === "lost") {
      simulator.tell(home, `${event}: ${shop === undefined ? "no one is there" : "lost"}`)
      if (shop === undefined) onStatus(undefined)
      return
    }
    const id = Number(new URL(url).searchParams.get("id"))
    const times = fate === "brought twice" ? 2 : 1
    for (let time = 1; time <= times; time++) {
      simulator.after(process, fate === "late" ? chance.pick(2_000, 30_000) : chance.between(1, 50) * time, () => {
        const since = simulator.now
        shop.notify(url, (status) => {
          simulator.tell(process, `${event}: answers ${status}`)
          if (status === 200 && ledger !== undefined) ledger.judge.recorded(id, since, event)
          else if (status === 200) {
            const states = observation.statesSince(id, since)
            const handled = (memory.handled.get(id) ?? []).filter(({ at }) => at >= since)
            if (!handled.some(({ state }) => states.has(state))) {
              judge.violate("fresh", `${event} was answered 200, and the shop was told ${JSON.stringify(handled)}`)
            }
          }
          if (fate !== "answer lost") simulator.after(home, chance.between(1, 50), () => onStatus(status))
        })
      })
    }
  }

  // ------------------------------------------------------------------------------------------------------------------
  // The shop
  // ------------------------------------------------------------------------------------------------------------------

  let isQuiet = false
  const network = new Network(
    simulator,
    observation,
    plan,
    home,
    () => Context.get(gateway(), HttpClient.HttpClient),
    judge
  )
  const store = new SimulatedStore(simulator, observation, plan, home)

  const database = plan.ledger === undefined ? undefined : new SimulatedDatabase(simulator, observation, plan, home)
  const ledger =
    database === undefined
      ? undefined
      : { database, judge: new LedgerJudge(simulator, observation, plan, database, judge, books) }
  /** What is to befall a process at a moment of a change. */
  const fates: Array<{ readonly process: Process; readonly moment: Moment; readonly befall: () => void }> = []
  const come = (process: Process, moment: Moment): void => {
    const index = isQuiet ? -1 : fates.findIndex((fate) => fate.process === process && fate.moment === moment)
    if (index >= 0) fates.splice(index, 1)[0]?.befall()
  }
  network.onChange = (...request) => {
    ledger?.judge.sends(...request)
    come(request[0], "sent")
  }
  network.onListed = (...list) => ledger?.judge.listed(...list)
  network.onAnswer = (process) => come(process, "answered")
  if (database !== undefined) {
    database.onStatement = (process, statement) => {
      if (statement.values.includes("locked")) come(process, "locked")
      if (statement.values.includes("sending") || statement.values.includes("creating")) come(process, "marked")
    }
  }
  let isLate = false

  const surroundings: Surroundings = {
    simulator,
    plan,
    observation,
    judge,
    network,
    store,
    memory,
    options: { ...merchant, timeout: plan.timeout, maxConcurrentRequests: plan.maxConcurrentRequests },
    isQuiet: () => isQuiet,
    onOrder: (name, paymentId) => {
      const event = plan.events.find((event) => event.kind === "order" && event.order.name === name)
      if (event?.kind === "order") simulator.after(director, event.after, () => pay(paymentId, event.payer))
    }
  }

  const ledgerSurroundings: LedgerSurroundings | undefined =
    ledger === undefined
      ? undefined
      : {
          ...surroundings,
          database: ledger.database,
          ledgerJudge: ledger.judge,
          isLate: () => isLate,
          onAddress: (event, paymentId) => {
            if (event.kind !== "sale") return
            simulator.after(director, event.after, () => pay(paymentId, event.payer))
            const { comesBackTo } = event
            if (comesBackTo === undefined) return
            const comeBack = () => ask(places[comesBackTo % places.length], (shop) => shop.comeBack?.(paymentId))
            // Before anything is paid, then, and whenever the page is reloaded.
            const reloads = simulator.chance(`reloads ${event.name}`)
            for (const after of [
              event.after / 2,
              event.after,
              ...[1, 2, 3].map(() => reloads.between(1, 90) * 1_000)
            ]) {
              simulator.after(director, after, comeBack)
            }
          }
        }

  /** A payment with a stored card, or a charge, is paid without a payer. */
  const payByCard = (paymentId: number): void => {
    if (ledger === undefined) return
    simulator.after(director, simulator.chance(`card of ${paymentId}`).below(5_000), () => {
      const orderNumber = books().payments?.find(({ id }) => id === paymentId)?.order_number
      const isByCard = plan.events.some(
        (event) => event.kind === "sale" && event.sale.orderNumber === orderNumber && event.sale.isByCard
      )
      // A charge that the gateway has not decided at once is decided later.
      const isCharge = books().payments?.find(({ id }) => id === paymentId)?.parent_id !== undefined
      if (isByCard) pay(paymentId, "pays")
      else if (isCharge) pay(paymentId, simulator.chance(`charge ${paymentId}`).pick("pays", "pays", "cancels"))
    })
  }

  const pay = (paymentId: number, how: Payer) => {
    simulator.tell({ name: "the payer" }, `of payment ${paymentId} ${how}`)
    const {
      cancelPayment: cancel,
      choosePaymentMethod,
      declinePayment: decline,
      payByBankTransfer,
      payByCard
    } = service()
    const actions = {
      pays: payByCard(paymentId),
      transfers: Effect.andThen(choosePaymentMethod(paymentId, "BANK_ACCOUNT"), payByBankTransfer(paymentId)),
      "is declined": decline(paymentId),
      cancels: cancel(paymentId),
      "stays away": Effect.void
    }
    home.start(Effect.exit(actions[how]), Context.empty())
  }

  const begin = (place: Place): void => {
    place.incarnation++
    const process = new Process(simulator, `shop ${place.index + 1}.${place.incarnation}`, true)
    everyProcess.push(process)
    place.process = process
    place.isStarting = true
    place.shop = undefined
    process.clockAhead = simulator.chance(`clock of ${process.name}`).pick(0, 0, -2_000, 2_000)
    process.whenDead(() => {
      for (const call of observation.calls) if (call.process === process) observation.calls.delete(call)
    })
    simulator.tell(process, "starts")
    const onReady = (shop: RunningShop) => {
      place.isStarting = false
      place.shop = shop
    }
    if (ledgerSurroundings === undefined) startShop(process, surroundings, onReady)
    else startLedgerShop(process, ledgerSurroundings, onReady)
  }

  /** Asks a place's process for something as soon as it is there. */
  const ask = (place: Place | undefined, what: (shop: RunningShop) => void): void => {
    if (place === undefined || (isQuiet && place.process?.isAlive !== true)) return
    if (place.process?.isAlive === true && place.shop !== undefined) what(place.shop)
    else simulator.after(director, 500, () => ask(place, what))
  }

  const beginIfGone = (place: Place): void => {
    if (place.process?.isAlive !== true || (place.shop === undefined && !place.isStarting)) begin(place)
  }

  const restart = (place: Place, after: number): void => {
    simulator.after(director, after, () => beginIfGone(place))
  }

  const happen = (event: PlannedEvent): void => {
    const place = "process" in event ? places[event.process] : undefined
    simulator.tell(director, event.name)
    switch (event.kind) {
      case "changes":
      case "reads":
      case "await":
      case "order":
      case "change":
      case "sale":
      case "decide":
        return ask(place, (shop) => shop.perform(event))
      case "rush": {
        for (const place of places) {
          const after = simulator.chance(`${event.name} ${place.index}`).below(event.within)
          simulator.after(director, after, () => ask(place, (shop) => shop.perform(event)))
        }
        return
      }
      case "kill": {
        const process = place?.process
        if (place === undefined || process?.isAlive !== true) return
        if (event.moment !== undefined) {
          const befall = () => {
            observation.hit(`killed: ${event.moment}`)
            process.die()
            restart(place, event.isDownFor)
          }
          fates.push({ process, moment: event.moment, befall })
          return
        }
        observation.hit("killed")
        process.tasksLeft = event.afterTasks + 1
        // One that has nothing to do does not get there: it dies all the same.
        simulator.after(director, 2_000, () => process.die())
        return restart(place, 2_000 + event.isDownFor)
      }
      case "stop": {
        if (place?.shop === undefined) return
        place.shop.stop()
        place.shop = undefined
        return restart(place, event.isDownFor)
      }
      case "clock": {
        if (place?.process !== undefined) place.process.clockAhead += event.by
        return
      }
      case "revoke":
        home.runNow(service().revokeTokens)
        return
      case "edit":
        return ledger?.database.edit(event.row, event.lasts)
      case "restore": {
        if (ledger === undefined) return
        for (const { process } of places) process?.die()
        ledger.database.restore(simulator.now - event.back)
        ledger.judge.restored()
        for (const place of places) restart(place, event.isDownFor)
        return
      }
      case "outage": {
        network.outage = { until: simulator.now + event.lasts, isSilent: event.isSilent }
        return
      }
      case "byHand": {
        const refund = refundPayment(event.id, { amount: event.amount }).pipe(
          Effect.provide(Gateway.layer(merchant)),
          Effect.provideService(HttpClient.HttpClient, Context.get(gateway(), HttpClient.HttpClient))
        )
        const refunds = () => books().payments?.find(({ id }) => id === event.id)?.refunds ?? []
        simulator.after(home, event.later, () => {
          const before = new Set(refunds().map(({ id }) => id))
          const made = Effect.map(Effect.exit(refund), () => {
            const entry = refunds().find(({ amount, id }) => amount === event.amount && !before.has(id))
            if (entry?.id !== undefined) ledger?.judge.refundedByHand(entry.id)
          })
          home.start(made, Context.empty())
        })
        return
      }
      case "chargedByHand": {
        const { amount, of, orderNumber } = event
        const id =
          typeof of === "number" ? of : books().payments?.find(({ order_number }) => order_number === of.order)?.id
        if (id === undefined) return
        const charge = createRecurrence(id, { amount, currency: "CZK", order_number: orderNumber }).pipe(
          Effect.provide(Gateway.layer(merchant)),
          Effect.provideService(HttpClient.HttpClient, Context.get(gateway(), HttpClient.HttpClient)),
          Effect.map((child) => ledger?.judge.chargedByHand(child.id))
        )
        home.start(Effect.exit(charge), Context.empty())
        return
      }
      case "pause": {
        const process = place?.process
        if (process?.isAlive !== true) return
        if (event.moment === undefined) process.pause(event.lasts)
        else {
          const befall = () => {
            observation.hit(`paused: ${event.moment}`)
            process.pause(event.lasts)
          }
          fates.push({ process, moment: event.moment, befall })
        }
        return
      }
      case "storeOutage": {
        if (ledger !== undefined) {
          ledger.database.outage = { until: simulator.now + event.lasts, isSilent: event.isSilent }
          return
        }
        store.outage = { until: simulator.now + event.lasts, isSilent: event.isSilent }
        return
      }
      case "strangers":
        return attack(event, simulator.now + event.lasts, 1)
    }
  }

  const attack = (event: Extract<PlannedEvent, { readonly kind: "strangers" }>, until: number, count: number): void => {
    if (simulator.now >= until) return
    const chance = simulator.chance(`${event.name} ${count}`)
    const known = [...memory.orders.keys()]
    const any = known[chance.below(Math.max(1, known.length))] ?? 1
    // They have chosen one payment, and stay with it.
    const parent = known[simulator.chance(event.name).below(2)] ?? any
    const others = observation.payments().filter((id) => !memory.orders.has(id))
    const junk =
      (chance.percent(30) ? others[chance.below(Math.max(1, others.length))] : undefined) ??
      3_900_000_000 + chance.below(1_000) * 13
    const query = {
      nothing: `id=${junk}`,
      "a known parent": `id=${junk}&parent_id=${parent}`,
      "known payments": `id=${any}`,
      "one known payment": `id=${parent}&parent_id=${junk}`
    }[event.claims]
    notify(`http://localhost/notify?${query}`, `${event.name} ${count}`, () => {})
    simulator.after(director, event.every, () => attack(event, until, count + 1))
  }

  // ------------------------------------------------------------------------------------------------------------------
  // The end
  // ------------------------------------------------------------------------------------------------------------------

  const calmDown = (): void => {
    simulator.tell(director, "nothing goes wrong any more")
    isQuiet = true
    network.isQuiet = true
    store.isQuiet = true
    if (ledger !== undefined) ledger.database.isQuiet = true
    for (const place of places) beginIfGone(place)
    if (ledger !== undefined) simulator.after(director, ledgerTime, beginAgain)
    else simulator.after(director, plan.mood === "strangers" ? strangersTime : settlingTime, sweep)
  }

  /** One process continues the work of the others, for a long time. */
  const beginAgain = (): void => {
    ledger?.judge.goesOn()
    for (const place of places) {
      place.shop?.stop()
      place.shop = undefined
    }
    simulator.after(director, closingTime, () => {
      ledger?.judge.drained()
      isLate = true
      if (places[0] !== undefined) begin(places[0])
      simulator.after(director, lateTime, sweep)
    })
  }

  const sweep = (): void => {
    observation.isQuiet = true
    if (ledger === undefined) checkNotifications()
    const hung = [...observation.calls].find(({ since, limit }) => simulator.now - since > limit)
    if (hung !== undefined) judge.violate("limits", `${hung.name} of ${hung.process.name} has not ended`)
    const cancel = simulator.after(director, sweepingTime, () =>
      judge.violate("limits", "checking all changes does not end")
    )
    const shop = places[0]?.shop
    if (shop === undefined) return judge.violate("limits", "the first process is not there after it was started")
    shop.sweep(() =>
      director.soon(() => {
        cancel()
        close()
      })
    )
  }

  const checkNotifications = (): void => {
    const parents = new Map(books().payments?.map(({ id, parent_id }) => [id, parent_id]))
    for (const [id, parent] of parents) {
      if (id === undefined) continue
      const last = observation.lastChangeOf(id)
      const isKnown = memory.orders.has(id)
      const isKnownCharge =
        parent !== undefined && memory.orders.has(parent) && plan.settings.notificationParentId === "sent"
      if (last === undefined || last.at === beforeAll || !notified.has(last.state) || !(isKnown || isKnownCharge))
        continue
      if (!(memory.handled.get(id) ?? []).some(({ at, state }) => at >= last.at && state === last.state)) {
        judge.violate("through", `the shop was never told that payment ${id} is ${last.state}`)
      }
    }
  }

  const close = (): void => {
    for (const { shop } of places) shop?.stop()
    simulator.after(director, closingTime, () => {
      judge.left(everyProcess)
      if (ledger === undefined) judge.settled([...memory.changes.values()].map(({ change }) => change))
      isEnd = true
    })
  }

  // ------------------------------------------------------------------------------------------------------------------

  for (const { amount, id, order_number, state } of plan.books.payments ?? []) {
    if (id === undefined) continue
    memory.orders.set(id, { order_number: order_number ?? "", amount, currency: "CZK" })
    observation.stateChanged(id, state, beforeAll)
  }
  home.start(
    Effect.scoped(
      Effect.flatMap(Layer.build(localGateway), (context) => {
        running = context
        return Effect.never
      })
    ),
    Context.make(Logger.CurrentLoggers, new Set())
  )
  for (const place of places) simulator.after(director, 1 + place.index, () => begin(place))
  for (const event of plan.events) simulator.after(director, event.at, () => happen(event))
  if (plan.events.some(({ kind }) => kind === "restore")) {
    const backUp = (): void => {
      ledger?.database.backUp()
      if (simulator.now < plan.lasts) simulator.after(director, 5_000, backUp)
    }
    simulator.after(director, 0, backUp)
  }
  simulator.after(director, plan.lasts, calmDown)

  try {
    simulator.run()
    if (!isEnd && !observation.isOver) judge.violate("limits", "everything stands still")
  } catch (failure) {
    if (!(failure instanceof RealWait || failure instanceof Restless)) throw failure
    observation.violate(failure.name, failure.message)
  } finally {
    database?.close()
  }
  return {
    violation: observation.violations[0],
    story: simulator.story,
    calls: observation.callsEnded,
    requests: observation.requests,
    troubles: observation.troubles,
    hits: observation.hits,
    alarms: { keys: ledger?.judge.accepted.size ?? 0, asked: ledger?.judge.alarms() ?? [] }
  }
}

/** The states for which the merchant is notified. */
const notified: ReadonlySet<string> = new Set([
  "PAID",
  "AUTHORIZED",
  "CANCELED",
  "TIMEOUTED",
  "REFUNDED",
  "PARTIALLY_REFUNDED"
])
