import { mountLocalGateway } from "effect-gopay/local-gateway/web"
import { createGatewayClient } from "effect-gopay/promise"

const database = await new Promise<IDBDatabase>((resolve, reject) => {
  const opening = indexedDB.open("gopay", 1)
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("states"))
  opening.addEventListener("success", () => resolve(opening.result))
  opening.addEventListener("error", () => reject(opening.error))
})

const ask = (mode: IDBTransactionMode, request: (states: IDBObjectStore) => IDBRequest) =>
  new Promise<string | undefined>((resolve, reject) => {
    const transaction = database.transaction("states", mode)
    const asked = request(transaction.objectStore("states"))
    transaction.addEventListener("complete", () => resolve(asked.result))
    transaction.addEventListener("abort", () => reject(transaction.error))
  })

const local = mountLocalGateway({
  url: `${location.origin}/gopay`,
  settings: { notificationHosts: [location.hostname] },
  load: () => ask("readonly", (states) => states.get("gateway")),
  save: async (state) => void (await ask("readwrite", (states) => states.put(state, "gateway"))),
  notificationReceiver: async (url) => (await fetch(url)).status
})

const [merchant] = await local.listMerchants()
if (merchant === undefined) throw new Error("The seed has no merchant.")

/** A client whose requests never leave the page. */
export const gateway = createGatewayClient({
  ...merchant,
  fetch: (input, init) => local.fetch(new Request(input, init))
})
