/**
 * Callers of a server over kept connections.
 */
import { Agent, request } from "node:http"

export const connections = 50

interface Answer {
  readonly status: number
  readonly body: string
}

export const caller = (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const call = (method: string, path: string, headers: Record<string, string> = {}, body = "") =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk) => (text += chunk))
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }))
        response.on("error", reject)
      })
      sent.on("error", reject)
      sent.end(body)
    })
  return { call, close: () => agent.destroy() }
}

/** Fifty callers share the requests; each waits for its response. Returns the requests per second. */
export const rateOf = async (count: number, once: (index: number) => Promise<void>): Promise<number> => {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) await once(next++)
    })
  )
  return (count * 1000) / (performance.now() - started)
}

export const expectStatus = ({ body, status }: Answer, expected: number): string => {
  if (status !== expected) throw new Error(`Status ${status} in place of ${expected}: ${body}`)
  return body
}

/** Calls as a shop makes them, of payments that are created here: most read one, some are refused. */
export const mixedCalls = async (
  call: ReturnType<typeof caller>["call"],
  credentials: string,
  goid: number,
  payments = 500
): Promise<(index: number) => Promise<void>> => {
  const token: { readonly access_token: string } = JSON.parse(
    expectStatus(
      await call(
        "POST",
        "/api/oauth2/token",
        { authorization: `Basic ${credentials}` },
        "grant_type=client_credentials"
      ),
      200
    )
  )
  const authorization = `Bearer ${token.access_token}`
  const order = JSON.stringify({
    amount: 10_000,
    currency: "CZK",
    order_number: "load",
    target: { type: "ACCOUNT", goid },
    callback: { return_url: "http://localhost/return" }
  })
  const ids: Array<number> = []
  for (let index = 0; index < payments; index++) {
    const created = expectStatus(await call("POST", "/api/payments/payment", { authorization }, order), 200)
    ids.push(JSON.parse(created).id)
  }
  return async (index: number): Promise<void> => {
    const id = ids[index % ids.length]
    switch (index % 5) {
      case 0:
        expectStatus(await call("POST", `/api/payments/payment/${id}/refund`, { authorization }, "amount=1"), 409)
        return
      case 1:
        expectStatus(await call("GET", "/api/payments/payment/1", { authorization }), 404)
        return
      default:
        expectStatus(await call("GET", `/api/payments/payment/${id}`, { authorization }), 200)
    }
  }
}
