/**
 * The local gateway of a tab, in a worker of its own. Its state is kept in IndexedDB, by the tab's name.
 */
import { mountLocalGateway } from "../../dist/local-gateway/web.js"
import { ask, isRequest, membersOf, receivedRequest, sentResponse, tell } from "./Exchange.js"

const opened = new Promise<IDBDatabase>((resolve, reject) => {
  const opening = indexedDB.open("effect-gopay-try", 1)
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("states"))
  opening.addEventListener("success", () => resolve(opening.result))
  opening.addEventListener("error", () => reject(opening.error))
})

const stored = async (mode: IDBTransactionMode, request: (states: IDBObjectStore) => IDBRequest) => {
  const transaction = (await opened).transaction("states", mode)
  return new Promise<string | undefined>((resolve, reject) => {
    const asked = request(transaction.objectStore("states"))
    transaction.addEventListener("complete", () => resolve(asked.result))
    transaction.addEventListener("abort", () => reject(transaction.error))
  })
}

/** What a program in the shop may do beside paying and refunding. */
const controls = [
  "payByCard",
  "payByBankTransfer",
  "declineAttempt",
  "declinePayment",
  "cancelPayment",
  "timeOutPayment",
  "armFault",
  "disarmFaults",
  "advanceTime",
  "deliverNotifications",
  "changeSettings",
  "listPayments",
  "listEvents",
  "exportSeed",
  "loadSeed",
  "reset"
] as const

let shop: MessagePort | undefined
/** Aborted when the shop ends: what it was asked is never answered. */
let shopEnds = new AbortController()

const endShop = (next?: MessagePort): void => {
  // Requests that a shop made before it was ended arrive too late.
  shop?.close()
  shop = next
  shopEnds.abort(new Error("The shop was stopped."))
  shopEnds = new AbortController()
}

/** Rejects once the shop ends. */
const ended = ({ signal }: AbortController): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))

const [tab = "", address = ""] = JSON.parse(self.name)

const local = mountLocalGateway({
  url: address,
  settings: { notificationTiming: "notificationFirst", notificationHosts: [self.location.hostname] },
  load: () => stored("readonly", (states) => states.get(tab)),
  save: async (state) => void (await stored("readwrite", (states) => states.put(state, tab))),
  notificationReceiver: async (url) => {
    if (shop === undefined) throw new Error("The shop does not run.")
    return Number(await Promise.race([ask(shop, { type: "notification", url }), ended(shopEnds)]))
  },
  onRequest: (entry) => tell({ type: "log", entry: { ...entry, type: "request" } }),
  onEvent: (entry) => tell({ type: "log", entry })
})

const answer = async (message: unknown): Promise<unknown> => {
  if (isRequest(message)) return sentResponse(local.fetch(receivedRequest(message)))
  const { args, name } = membersOf(message)
  const control = controls.find((known) => known === name)
  if (control === undefined || !Array.isArray(args)) return { error: `local has no ${String(name)}.` }
  try {
    return { value: await Reflect.apply(local[control], undefined, args) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Empties the gateway. Posted on the worker's own channel, this arrives after what was logged; replies on ports may not. */
const reset = async (round: unknown): Promise<void> => {
  endShop()
  await local.reset()
  tell({ type: "emptied", round })
}

const serve = ({ data, ports: [port] }: MessageEvent): void => {
  const { round, type } = membersOf(data)
  if (type === "reset") return void reset(round)
  if (type === "shop") {
    endShop(port)
    port?.addEventListener("message", serve)
    port?.start()
    return
  }
  void answer(data).then((answered) => port?.postMessage(answered))
}
self.addEventListener("message", serve)

void local.listMerchants().then(([merchant]) => tell({ type: "ready", merchant }))
