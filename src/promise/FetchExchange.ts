/**
 * Exchanges over `fetch` alone.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Answer, type Exchange, noAnswer, type NoAnswer, timedOut } from "../client/Exchange.js"

/** The longest time that a timer can wait for: 24 days. */
const longestTimer = 2_147_483_647

/** Makes exchanges over a `fetch`. It must not retry. */
export const make =
  (fetch: typeof globalThis.fetch): Exchange =>
  ({ body, headers, method, url }, limit) =>
    Effect.callback<Answer, NoAnswer>((resume) => {
      const controller = new AbortController()
      const timer = setTimeout(
        () => {
          resume(Effect.fail(timedOut))
          controller.abort()
        },
        Math.min(Duration.toMillis(limit), longestTimer)
      )
      const answer = async (): Promise<Answer> => {
        const init: RequestInit = { method, headers, redirect: "manual", signal: controller.signal }
        const response = await fetch(url, body === undefined ? init : { ...init, body })
        const data = await response.arrayBuffer()
        return { status: response.status, data, header: (name) => response.headers.get(name) ?? undefined }
      }
      answer().then(
        (answer) => {
          clearTimeout(timer)
          resume(Effect.succeed(answer))
        },
        (failure: unknown) => {
          clearTimeout(timer)
          resume(Effect.fail(noAnswer(failure)))
        }
      )
      return Effect.sync(() => {
        clearTimeout(timer)
        controller.abort()
      })
    })
