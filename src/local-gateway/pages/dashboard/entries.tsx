/**
 * Entries of the log, as a payment's timeline and the log itself show them.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { logKinds, piecesOf, type Piece } from "../LogWords.js"
import { CallEditor } from "./callEditor.js"
import type { EntryOf, LogEntry } from "./controlResponses.js"
import { callAsCurl, inShell } from "./copies.js"
import { prettyBody } from "./format.js"
import { Block, Chip, Copy, PaymentLink, Status, Time } from "./parts.js"
import { catalogue, gatewayUrl } from "./state.js"

/** A line of pieces, each as it looks. */
export const Line = ({ pieces }: { readonly pieces: ReadonlyArray<Piece> }) =>
  pieces.map(([look, text], index) => {
    if (look === "chip") return <Chip key={index} state={text} />
    return look === "status" ? (
      <Status key={index} text={text} />
    ) : (
      <span key={index} class={look}>
        {text}
      </span>
    )
  })

interface UnfoldedProps {
  readonly summary: ComponentChildren
  readonly children: () => ComponentChildren
}

/** A line that is opened to see more. Most are never opened, and have no more until then. */
export const Unfolded = ({ children, summary }: UnfoldedProps) => {
  const wasOpened = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (wasOpened.value ||= currentTarget.open)}>
      <summary>{summary}</summary>
      {wasOpened.value ? children() : null}
    </details>
  )
}

/** What was sent, and beside it what came back: titled texts. */
const Exchange = ({ received, sent }: { readonly [Side in "sent" | "received"]: Readonly<Record<string, string>> }) => (
  <div class="exchange">
    {[sent, received].map((side, index) => (
      <div key={index}>
        {Object.entries(side).map(([title, text]) => (
          <Block key={title} title={title} text={text} />
        ))}
      </div>
    ))}
  </div>
)

/** A line before headers, one to a line. */
const headText = (line: string, headers: { readonly [name: string]: string }): string =>
  [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n")

const Call = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const { headers, method, path, query, request_body, response_body } = entry
  const line = `${method} ${path}${query === "" ? "" : `?${query}`}`
  return (
    <>
      <Exchange
        sent={{ "Request line and headers": headText(line, headers), "Request body": prettyBody(request_body) }}
        received={{ "Response body": prettyBody(response_body) || "(none, or a file)" }}
      />
      <div class="group">
        <Copy
          text={() => callAsCurl(entry, gatewayUrl.value)}
          done="The call is on the clipboard. It takes the token from $TOKEN."
        >
          Copy as curl
        </Copy>
        <CallEditor entry={entry} />
      </div>
    </>
  )
}

/** A notification, and the response of the shop. */
export const ShopResponse = ({ entry }: { readonly entry: EntryOf<"notification"> }) => {
  const { headers = {}, problem = "There was no response.", response_body, status, url } = entry
  return (
    <Exchange
      sent={{ Request: `GET ${url}` }}
      received={
        status === 0
          ? { "No response": problem }
          : {
              "Status and headers of the response": headText(`HTTP ${status}`, headers),
              "Body of the response": response_body === undefined ? "" : prettyBody(response_body) || "(empty)"
            }
      }
    />
  )
}

/** The button that copies a notification. */
export const CopyNotification = ({ payment_id, url }: { readonly payment_id: number; readonly url: string }) => (
  <Copy
    aria-label={`Copy as curl: the notification of payment ${payment_id}`}
    text={() => `curl -i ${inShell(url)}`}
    done="The notification is on the clipboard."
  >
    Copy as curl
  </Copy>
)

interface EntryProps {
  readonly entry: LogEntry
  readonly currency?: string | undefined
  /** Whether it links to its payment. */
  readonly linked?: boolean
  /** Whether the time has milliseconds. */
  readonly precise?: boolean
}

/** An entry, as a row of a list. Entries never change. */
export const Entry = ({ currency, entry, linked = false, precise = false }: EntryProps) => {
  const line = <Line pieces={piecesOf(entry, catalogue().paymentSubStates, currency)} />
  return (
    <li class="entry" data-type={entry.type}>
      <Time at={entry.at} precise={precise} />
      <span class="type">{logKinds[entry.type]}</span>
      <div class="content">
        {entry.type === "request" ? (
          <Unfolded summary={line}>{() => <Call entry={entry} />}</Unfolded>
        ) : entry.type === "notification" ? (
          <Unfolded summary={line}>
            {() => (
              <>
                <ShopResponse entry={entry} />
                <CopyNotification {...entry} />
              </>
            )}
          </Unfolded>
        ) : (
          line
        )}
      </div>
      {linked && "payment_id" in entry && entry.payment_id !== undefined ? <PaymentLink id={entry.payment_id} /> : null}
    </li>
  )
}
