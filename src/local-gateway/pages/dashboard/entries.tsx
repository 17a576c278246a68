/**
 * Entries of the log, for a payment's timeline and for the log itself.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren, FunctionComponent } from "preact"
import { apiOf } from "../../server/ApiPath.js"
import { kindOf, millisText, piecesOf, statusText, type Piece } from "../LogWords.js"
import { send, type Reply, type EntryOf, type LogEntry } from "./api.js"
import { callAsCurl, inShell, keptHeaders, targetOf } from "./copies.js"
import { prettyBody } from "./format.js"
import { accessOf, basicAuthorization, givesToken, tokenOf } from "./order.js"
import { Block, Chip, Copy, Field, Form, PaymentLink, Status, TextField, Time, useSlide, type Fields } from "./parts.js"
import { catalogue, gatewayUrl } from "./state.js"

const Line = ({ pieces }: { readonly pieces: ReadonlyArray<Piece> }) =>
  pieces.map(([look, text], index) => {
    if (look === "chip") return <Chip key={index} state={text} />
    if (look === "status") return <Status key={index} text={text} />
    return (
      <span key={index} class={look}>
        {text}
      </span>
    )
  })

/** A line that opens to show more. Most lines are never opened, so the content is made only then. */
export const Unfolded: FunctionComponent<{ readonly summary: ComponentChildren }> = ({ children, summary }) => {
  const wasOpened = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (wasOpened.value ||= currentTarget.open)}>
      <summary>{summary}</summary>
      {wasOpened.value && children}
    </details>
  )
}

/** The request and, next to it, the response, each with a title. */
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

/** A line followed by headers, one per line. */
const headText = (line: string, headers: { readonly [name: string]: string }): string =>
  [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n")

/** The headers to send again. The credentials are the shop's, since the log withholds the caller's. */
const headersOf = async (entry: EntryOf<"request">): Promise<{ readonly [name: string]: string }> => {
  const kept = Object.fromEntries(keptHeaders(entry))
  if (!("authorization" in entry.headers)) return kept
  const access = await accessOf()
  return {
    ...kept,
    authorization: givesToken(entry.path)
      ? basicAuthorization(access)
      : `Bearer ${await tokenOf(access, apiOf(entry.path))}`
  }
}

/** A call, edited and sent again, with the response to it. */
const CallForm = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const { method, request_body } = entry
  const target = targetOf(entry)
  const reply = useSignal<Reply | undefined>(undefined)
  // The fields of a form are logged one per line.
  const body = /^\s*[[{]/.test(request_body) ? prettyBody(request_body) : request_body
  const call = async ({ body, path = target }: Fields) => {
    reply.value = await send(path, { method, headers: await headersOf(entry), ...(body ? { body } : {}) })
    return `The gateway responded with status ${reply.value.status}.`
  }
  return (
    <Form class="panel editor stack" aria-label="Edit and send again" action={call}>
      <TextField label={`${method}, path`} name="path" spellcheck={false} defaultValue={target} />
      {method !== "GET" && (
        <Field name="Body">
          <textarea
            name="body"
            aria-label="Body"
            rows={Math.min(16, body.split("\n").length + 1)}
            spellcheck={false}
            defaultValue={body}
          />
        </Field>
      )}
      <div class="group">
        <button class="primary">Send</button>
        <span class="quiet">With a token of the shop.</span>
        {reply.value && <Status text={statusText(reply.value.status)} />}
        {reply.value && <span class="quiet number">{millisText(reply.value.millis)}</span>}
      </div>
      {reply.value && <Block title="Response to the call sent again" text={prettyBody(reply.value.body)} />}
    </Form>
  )
}

/** A call and its response. Only calls to the gateway's API can be sent again. */
const Call = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const { headers, method, request_body, response_body } = entry
  const isEdited = useSignal(false)
  const line = `${method} ${targetOf(entry)}`
  return (
    <>
      <Exchange
        sent={{ "Request line and headers": headText(line, headers), "Request body": prettyBody(request_body) }}
        received={{ "Response body": prettyBody(response_body) || "(none, or a file)" }}
      />
      <div class="group">
        <Copy
          label="Copy as curl"
          text={() => callAsCurl(entry, gatewayUrl.value)}
          done="The call is on the clipboard. It takes the token from $TOKEN."
        />
        {apiOf(entry.path) !== undefined && (
          <button class="small" aria-expanded={isEdited.value} onClick={() => (isEdited.value = !isEdited.value)}>
            Edit and send again
          </button>
        )}
        {isEdited.value && <CallForm entry={entry} />}
      </div>
    </>
  )
}

export const ShopResponse = ({ entry }: { readonly entry: EntryOf<"notification"> }) => {
  const { headers = {}, method = "GET", problem = "no response", response_body, status, url } = entry
  return (
    <Exchange
      sent={{ Request: `${method} ${url}` }}
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

export const CopyNotification = ({ payment_id, url }: { readonly payment_id: number; readonly url: string }) => (
  <Copy
    label="Copy as curl"
    aria-label={`Copy as curl: the notification of payment ${payment_id}`}
    text={() => `curl -i ${inShell(url)}`}
    done="The notification is on the clipboard."
  />
)

interface EntryLook {
  readonly currency?: string | undefined
  readonly linked?: boolean
  readonly precise?: boolean
}

const Entry = ({ currency, entry, linked = false, precise = false }: EntryLook & { readonly entry: LogEntry }) => {
  const line = <Line pieces={piecesOf(entry, catalogue().paymentSubStates, currency)} />
  const more =
    entry.type === "request"
      ? [<Call entry={entry} />]
      : entry.type === "notification" && [<ShopResponse entry={entry} />, <CopyNotification {...entry} />]
  return (
    <li class="entry" data-type={entry.type}>
      <Time at={entry.at} precise={precise} />
      <span class="type">{kindOf(entry)}</span>
      <div class="content">{more ? <Unfolded summary={line}>{more}</Unfolded> : line}</div>
      {linked && "payment_id" in entry && entry.payment_id !== undefined && <PaymentLink id={entry.payment_id} />}
    </li>
  )
}

/** A list of entries, the newest first. Entries never change. */
export const Entries = ({ entries, ...look }: EntryLook & { readonly entries: ReadonlyArray<LogEntry> }) => (
  <ol class="entries" ref={useSlide<HTMLOListElement>()}>
    {entries.map((entry) => (
      <Entry key={entry.number} entry={entry} {...look} />
    ))}
  </ol>
)
