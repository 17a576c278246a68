/**
 * What a process of a test shop sends, and where it is killed.
 */
import type { Story } from "./Story.js"
import type { KillPoint } from "./TestShopOperations.js"

/** A network failure, as the platform's transports report it. */
export const networkFailure = (connection: "refused" | "lost"): Error =>
  Object.assign(new Error(`The connection was ${connection}.`), {
    code: connection === "refused" ? "ECONNREFUSED" : "ECONNRESET"
  })

/** Whether a request asks the gateway to change something. */
const isChange = (method: string, { pathname }: URL): boolean =>
  method === "POST" && /\/payments\/payment(\/\d+\/[\w-]+)?$/.test(pathname)

/** Receives the response to a request: it arrives, it is lost, or the process is dead. */
type Receiving = (status: number, text: string) => "arrives" | "lost" | "dead"

/** A process of a shop, which can be killed at a change. @internal */
export type ShopProcess = ReturnType<typeof makeProcess>

/** Begins a process. Its next change takes a loss that is `armed`: the response is lost. @internal */
export const makeProcess = (name: string, { send, tell }: Story, loss: { armed: boolean }) => {
  let isKilled = false
  let killAt: KillPoint | undefined
  let die = (): void => {}
  const death = new Promise<void>((resolve) => {
    die = resolve
  })
  const kill = (point: KillPoint): undefined => {
    isKilled = true
    tell(`${name} is killed ${point === "beforeSending" ? "before sending" : "after sending"} a change`)
    die()
  }
  return {
    name,
    death,
    isKilled: () => isKilled,
    killAt: (point: KillPoint | undefined) => {
      killAt = point
    },
    /** Sends a request, unless the process is dead or dies. Gives what its response is received by. */
    send: (method: string, url: URL, body: string): Receiving | undefined => {
      if (isKilled) return undefined
      if (!isChange(method, url)) return () => (isKilled ? "dead" : "arrives")
      const point = killAt
      killAt = undefined
      if (point === "beforeSending") return kill(point)
      const responds = send(name, url.pathname.replace(/^.*\/api/, ""), body)
      const loses = loss.armed
      loss.armed = false
      return (status, text) => {
        responds(status, text)
        if (point !== undefined) kill(point)
        if (isKilled) return "dead"
        if (loses) tell("its response is lost")
        return loses ? "lost" : "arrives"
      }
    }
  }
}
