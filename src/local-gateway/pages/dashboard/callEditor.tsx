/**
 * A call of the log, edited and sent again.
 */
import { useSignal } from "@preact/signals"
import { millisText, statusText } from "../LogWords.js"
import { send, type Reply } from "./api.js"
import type { EntryOf } from "./controlResponses.js"
import { prettyBody } from "./format.js"
import { accessOf, basicAuthorization, tokenOf } from "./order.js"
import { Block, Field, Form, Status, type Fields } from "./parts.js"

/** What is sent again of the headers. The credentials are those of the shop, since the log withholds the caller's. */
const headersOf = async ({ headers, path }: EntryOf<"request">): Promise<{ readonly [name: string]: string }> => {
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(accept|accept-language|content-type)$/.test(name))
  )
  if (!("authorization" in headers)) return kept
  const access = await accessOf()
  const isForToken = path === "/api/oauth2/token"
  return { ...kept, authorization: isForToken ? basicAuthorization(access) : `Bearer ${await tokenOf(access)}` }
}

/** The form, with the response of the last call. */
const CallForm = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const { method, path, query, request_body } = entry
  const reply = useSignal<Reply | undefined>(undefined)
  // A form's fields stand in the log one to a line.
  const body = /^\s*[[{]/.test(request_body) ? prettyBody(request_body) : request_body
  const call = async ({ body, target = path }: Fields) => {
    reply.value = await send(target, { method, headers: await headersOf(entry), ...(body ? { body } : {}) })
    return `The gateway responded with status ${reply.value.status}.`
  }
  return (
    <Form class="panel editor stack" aria-label="Edit and send again" action={call}>
      <Field name={`${method}, path`}>
        <input type="text" name="target" spellcheck={false} defaultValue={query === "" ? path : `${path}?${query}`} />
      </Field>
      {method === "GET" ? null : (
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
        <button type="submit" class="primary">
          Send
        </button>
        <span class="quiet">With a token of the shop.</span>
        {reply.value === undefined ? null : (
          <>
            <Status text={statusText(reply.value.status)} />
            <span class="quiet number">{millisText(reply.value.millis)}</span>
          </>
        )}
      </div>
      {reply.value === undefined ? null : (
        <Block title="Response to the call sent again" text={prettyBody(reply.value.body)} />
      )}
    </Form>
  )
}

/** The button that opens the form. Only calls of the gateway's API are sent again. */
export const CallEditor = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const isOpen = useSignal(false)
  if (!entry.path.startsWith("/api/")) return null
  return (
    <>
      <button type="button" class="small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        Edit and send again
      </button>
      {isOpen.value ? <CallForm entry={entry} /> : null}
    </>
  )
}
