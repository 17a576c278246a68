/**
 * Whether a `notification_url` answers as a handler of notifications does.
 */
import { isError } from "../contract/AnyRealm.js"
import { type Finding, findingsOf } from "./Finding.js"

const { ok, problem, unknown } = findingsOf("notification_url")

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** What is wrong, by the status of the response. */
const wrong: Readonly<Record<number, string>> = {
  400: "it takes the id for none. Pass the query on to the handler",
  401: "it wants a login, and GoPay has none. Take it out of the login's reach",
  403: "it is forbidden. Take it out of the reach of logins, bot checks and lists of addresses",
  404: "it is not there. Check the path, and that the handler is mounted",
  405: "it takes no GET, and GoPay sends one"
}

/** A handler of notifications answers with an empty body. */
const isPage = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("text/html") === true

const answered = (response: Response): Finding => {
  const { headers, status } = response
  if (status >= 300 && status < 400) {
    return problem(
      `It redirects to ${new URL(headers.get("location") ?? "", response.url).origin}. Give the final address`
    )
  }
  if (isPage(response)) {
    return problem(
      `It answers ${status} with a page: a login, a bot check, or not the handler. Take it out of their reach`
    )
  }
  if (status === 200) return ok("It answers 200 to an unknown payment")
  if (status === 503) return ok("It answers 503 to an unknown payment, as the client's handler does: GoPay repeats it")
  return problem(`It answers ${status}: ${wrong[status] ?? "it fails. See the shop's log"}`)
}

/** Asks as GoPay does, about a payment that no one has. */
export const checkNotificationUrl = async (text: string | undefined): Promise<Finding> => {
  if (text === undefined) return unknown("Not checked. Give --notification-url")
  if (!URL.canParse(text)) return problem("It is no address. It begins with https://")
  const url = new URL(text)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return problem("It is not https. Notifications and payers must come over https")
  }
  url.searchParams.set("id", "1")
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(35_000) })
    await response.body?.cancel()
    return answered(response)
  } catch (error) {
    const cause = isError(error) && isError(error.cause) ? error.cause : error
    return problem(`It does not answer from here: ${isError(cause) ? cause.message : String(cause)}`)
  }
}
