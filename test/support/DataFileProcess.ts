/**
 * A gateway that keeps its state in the file that is named, with a shop that creates payments in it for ever. Each that
 * was answered is printed by its id.
 */
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { LocalGateway } from "../../src/local-gateway/index.js"

const [, , dataFile = ""] = process.argv

const createForEver = async ({ merchant }: typeof LocalGateway.Service): Promise<never> => {
  const { clientId, clientSecret, environment, goid } = merchant
  const call = async (path: string, authorization: string, type: string, body: string): Promise<string> => {
    const headers = { authorization, "content-type": type }
    return (await fetch(`${environment}/api${path}`, { method: "POST", headers, body })).text()
  }
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const token = await call("/oauth2/token", basic, "application/x-www-form-urlencoded", "grant_type=client_credentials")
  const bearer = `Bearer ${/"access_token":"([^"]+)"/.exec(token)?.[1]}`
  const order = JSON.stringify({
    amount: 100,
    currency: "CZK",
    order_number: "1",
    callback: { return_url: "https://shop.example/return" },
    target: { type: "ACCOUNT", goid }
  })
  for (;;) {
    const payment = await call("/payments/payment", bearer, "application/json", order)
    writeSync(1, `${/^\{"id":(\d+)/.exec(payment)?.[1]}\n`)
  }
}

await Effect.runPromise(
  Effect.flatMap(LocalGateway, (gateway) => Effect.promise(() => createForEver(gateway))).pipe(
    Effect.provide(LocalGateway.layerServer({ dataFile }))
  )
)
