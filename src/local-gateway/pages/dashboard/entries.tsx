/**
 * Entries of the log, as a payment's timeline and the log itself show them.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { ownMember } from "../../../contract/OwnMember.js"
import { causeText, durationText, logWords } from "../LogWords.js"
import { CallEditor } from "./callEditor.js"
import type { EntryOf, LogEntry } from "./controlResponses.js"
import { callAsCurl, inShell } from "./copies.js"
import { amountText, millisText, prettyBody, words } from "./format.js"
import { Block, Chip, Copy, PaymentLink, Status, Time } from "./parts.js"
import { catalogue, gatewayUrl } from "./state.js"

/** Headers, one to a line. */
const headerLines = (headers: { readonly [name: string]: string }): ReadonlyArray<string> =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

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

const Call = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const { duration_millis, error_codes = [], fault, headers, method, operation, path, query } = entry
  const { request_body, response_body, status } = entry
  const line = `${method} ${path}${query === "" ? "" : `?${query}`}`
  return (
    <Unfolded
      summary={
        <>
          <Status status={status} />
          {error_codes.map((code) => (
            <span key={code} class="tag" title="error_code">
              {code}
            </span>
          ))}
          <span class="what">{operation ?? method}</span>
          <span class="path">{`${method} ${path}`}</span>
          {fault === undefined ? null : <span class="tag">fault: {words(fault)}</span>}
          <Took millis={duration_millis} />
        </>
      }
    >
      {() => (
        <>
          <div class="exchange">
            <div>
              <Block title="Request line and headers" text={[line, ...headerLines(headers)].join("\n")} />
              <Block title="Request body" text={prettyBody(request_body)} />
            </div>
            <div>
              <Block title="Response body" text={prettyBody(response_body) || "(none, or a file)"} />
            </div>
          </div>
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
      )}
    </Unfolded>
  )
}

/** The response of a shop: status, headers and body. */
export const ShopResponse = ({ entry }: { readonly entry: EntryOf<"notification"> }) => {
  const { headers = {}, problem, response_body, status, url } = entry
  return (
    <div class="exchange">
      <div>
        <Block title="Request" text={`GET ${url}`} />
      </div>
      <div>
        {status === 0 ? (
          <p class="problem">{problem ?? "There was no response."}</p>
        ) : (
          <Block
            title="Status and headers of the response"
            text={[`HTTP ${status}`, ...headerLines(headers)].join("\n")}
          />
        )}
        {response_body === undefined ? null : (
          <Block title="Body of the response" text={prettyBody(response_body) || "(empty)"} />
        )}
      </div>
    </div>
  )
}

/** How long something took. */
export const Took = ({ millis }: { readonly millis: number | undefined }) =>
  millis === undefined ? null : <span class="quiet number">{millisText(millis)}</span>

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

const Notification = ({ entry }: { readonly entry: EntryOf<"notification"> }) => {
  const { attempt, duration_millis, problem, status, url } = entry
  const { attempt: again, notified } = logWords
  return (
    <Unfolded
      summary={
        <>
          <Status status={status} />
          <span class="what">{attempt <= 1 ? notified : `${notified}, ${again} ${attempt}`}</span>
          <span class="path">{`GET ${url}`}</span>
          {problem === undefined ? null : <span class="problem">{problem}</span>}
          <Took millis={duration_millis} />
        </>
      }
    >
      {() => (
        <>
          <ShopResponse entry={entry} />
          <CopyNotification {...entry} />
        </>
      )}
    </Unfolded>
  )
}

interface Currency {
  readonly currency?: string | undefined
}

const Change = ({ currency, entry }: { readonly entry: EntryOf<"state"> } & Currency) => {
  const { from, received, refunded, sub_state, to } = entry
  const meaning = ownMember(catalogue().paymentSubStates, sub_state ?? "")
  const shown = entry.currency ?? currency
  return (
    <>
      {from === undefined || from === to ? null : (
        <>
          <Chip state={from} />
          <span role="img" aria-label="to">
            →
          </span>
        </>
      )}
      <Chip state={to} />
      <span class="quiet">{causeText(entry)}</span>
      {sub_state === undefined ? null : (
        <span class="quiet">{`${sub_state}${meaning === undefined ? "" : `: ${meaning}`}`}</span>
      )}
      {received === 0 ? null : <span class="number">received {amountText(received, shown)}</span>}
      {refunded === 0 ? null : <span class="number">refunded {amountText(refunded, shown)}</span>}
    </>
  )
}

const Content = ({ currency, entry }: { readonly entry: LogEntry } & Currency) => {
  const { mayBeRefused, movedForward, refused } = logWords
  switch (entry.type) {
    case "request":
      return <Call entry={entry} />
    case "state":
      return <Change entry={entry} currency={currency} />
    case "recurrence":
    case "preauthorization":
      return (
        <>
          <Chip state={entry.to} />
          <span class="quiet">{causeText(entry)}</span>
        </>
      )
    case "operation":
      return (
        <>
          <span class="what">{words(entry.operation)}</span>
          <Chip state={entry.result.toUpperCase()} />
          {entry.amount === undefined ? null : (
            <span class="number">{amountText(entry.amount, entry.currency ?? currency)}</span>
          )}
        </>
      )
    case "notification":
      return <Notification entry={entry} />
    case "warning":
      return (
        <>
          <span class="what">{words(entry.operation)}</span>
          <span class="warning">{`${mayBeRefused}: ${entry.refusal}`}</span>
        </>
      )
    case "control":
      return (
        <>
          <span class="what">{words(entry.action)}</span>
          {entry.request === undefined ? null : <code class="path">{entry.request}</code>}
          {entry.problem === undefined ? null : <span class="problem">{`${refused}: ${entry.problem}`}</span>}
        </>
      )
    case "time":
      return <span>{`${movedForward} ${durationText(entry.advanced_millis / 1000)}`}</span>
    case "fault":
      return (
        <>
          <span class="what">{words(entry.fault)}</span>
          <span class="quiet">{entry.change}</span>
        </>
      )
  }
}

interface EntryProps extends Currency {
  readonly entry: LogEntry
  /** Whether it links to its payment. */
  readonly linked?: boolean
  /** Whether the time has milliseconds. */
  readonly precise?: boolean
}

/** An entry, as a row of a list. Entries never change. */
export const Entry = ({ currency, entry, linked = false, precise = false }: EntryProps) => (
  <li class="entry" data-type={entry.type}>
    <Time at={entry.at} precise={precise} />
    <span class="type">{logWords.kinds[entry.type]}</span>
    <div class="content">
      <Content entry={entry} currency={currency} />
    </div>
    {linked && "payment_id" in entry && entry.payment_id !== undefined ? <PaymentLink id={entry.payment_id} /> : null}
  </li>
)
