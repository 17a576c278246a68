/**
 * The contract of client and local gateway, where there is neither a server nor Node: in a page, a worker or workerd.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Client from "../../src/index.js"
import type { mountLocalGateway } from "../../src/local-gateway/web.js"
import { everyProgram } from "./EveryProgram.js"
import { partsAtOnce } from "./partsAtOnce.js"

/** Runs every program of the client against a mounted gateway, and rejects where they do not agree. */
export const contractOf = async (mount: typeof mountLocalGateway): Promise<void> => {
  const local = mount({
    url: "https://shop.example/gopay",
    settings: partsAtOnce,
    notificationReceiver: async () => 200
  })
  const [merchant] = await local.listMerchants()
  if (merchant === undefined) throw new Error("there is no merchant")
  const options = { ...merchant, clientSecret: Redacted.make(merchant.clientSecret) }
  const layer = Layer.provide(Client.Gateway.layer(options), FetchHttpClient.layer)
  const programs = everyProgram((id) => Effect.promise(() => local.payByCard(id)))
  const toGateway = Effect.provideService(FetchHttpClient.Fetch, (input, init) => local.fetch(new Request(input, init)))
  await Effect.runPromise(programs.pipe(Effect.provide(layer), toGateway))
  await local.close()
}
