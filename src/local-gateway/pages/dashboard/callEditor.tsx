/**
 * A call of the log, edited and sent again.
 */
import { useSignal } from "@preact/signals"
import type { EntryOf } from "./controlResponses.js"
import { millisText, prettyBody } from "./format.js"
import { basicAuthorization, send, tokenOf, type ApiResponse } from "./order.js"
import { Block, Button, Field, Status, Text } from "./parts.js"
import { accessOf } from "./state.js"

const tokenPath = "/api/oauth2/token"

/** What is sent again of the headers. The credentials are those of the shop, since the log withholds the caller's. */
const headersOf = async ({ headers, path }: EntryOf<"request">): Promise<{ readonly [name: string]: string }> => {
  const kept = Object.entries(headers).filter(([name]) => /^(accept|accept-language|content-type)$/.test(name))
  if (!("authorization" in headers)) return Object.fromEntries(kept)
  const access = await accessOf()
  const authorization = path === tokenPath ? basicAuthorization(access) : `Bearer ${await tokenOf(access)}`
  return { ...Object.fromEntries(kept), authorization }
}

/** A body to be edited, as it is written in the log: indented where it is JSON. */
const editable = (body: string): string => (/^\s*[[{]/.test(body) ? prettyBody(body) : body)

/** The form, with the response of the last call. */
const CallForm = ({ entry }: { readonly entry: EntryOf<"request"> }) => {
  const { method, path, query, request_body } = entry
  const target = useSignal(`${path}${query === "" ? "" : `?${query}`}`)
  const body = useSignal(editable(request_body))
  const response = useSignal<ApiResponse | undefined>(undefined)
  const call = async () => {
    response.value = await send(method, target.value, await headersOf(entry), method === "GET" ? "" : body.value)
    return `The gateway responded with status ${response.value.status}.`
  }
  return (
    <div class="editor" role="group" aria-label="Edit and send again">
      <Field name={`${method}, path`}>
        <Text value={target.value} onType={(path) => (target.value = path)} />
      </Field>
      {method === "GET" ? null : (
        <Field name="Body">
          <textarea
            rows={Math.min(16, body.peek().split("\n").length + 1)}
            spellcheck={false}
            value={body.value}
            onInput={({ currentTarget }) => (body.value = currentTarget.value)}
          />
        </Field>
      )}
      <div class="group">
        <Button class="primary" action={call}>
          Send
        </Button>
        <span class="quiet">With a token of the shop.</span>
        {response.value === undefined ? null : (
          <>
            <Status status={response.value.status} />
            <span class="quiet number">{millisText(response.value.millis)}</span>
          </>
        )}
      </div>
      {response.value === undefined ? null : (
        <Block title="Response to the call sent again" text={prettyBody(response.value.body)} />
      )}
    </div>
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
