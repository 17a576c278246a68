/**
 * The gateway itself: clearings, tokens, its whole state.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { base, change, read } from "./api.js"
import type { ClearingView } from "./controlResponses.js"
import { amountText, countText } from "./format.js"
import { Button, Question, Table } from "./parts.js"
import { announce, listKey, useReading } from "./state.js"

/** Longer lists show only the newest. */
const most = 500

const Panel = ({
  children,
  meaning,
  title
}: {
  readonly title: string
  readonly meaning: string
  readonly children: ComponentChildren
}) => (
  <section class="panel">
    <h2>{title}</h2>
    <p class="quiet">{meaning}</p>
    {children}
  </section>
)

/** Saves a clearing as the file that the gateway sends by mail. */
const saveXml = ({ number, xml }: ClearingView): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([xml], { type: "application/xml" }))
  link.download = `clearing-${number}.xml`
  link.click()
  URL.revokeObjectURL(link.href)
}

const Clearings = () => {
  const found = useReading(listKey.value, () => read<{ readonly clearings: ReadonlyArray<ClearingView> }>("/clearings"))
  const clearings = found?.clearings ?? []
  return (
    <Panel title="Clearings" meaning="What is paid out to the merchants, with the XML that the gateway sends by mail.">
      {found !== undefined && clearings.length === 0 ? (
        <p class="quiet">
          No clearings yet. Choose when they are made: <a href="#/settings?query=clearings">the setting clearings</a>.
        </p>
      ) : null}
      {clearings.length === 0 ? null : (
        <Table
          caption="Clearings"
          heads={["Number", "Date", "Transfer", "Fee", "Shop", "File"]}
          rows={clearings
            .toReversed()
            .slice(0, most)
            .map((clearing) => ({
              key: `${clearing.goid} ${clearing.number}`,
              cells: [
                <span class="id">{clearing.number}</span>,
                clearing.date,
                <span class="number">{amountText(clearing.transfer, clearing.currency)}</span>,
                <span class="number">{amountText(clearing.fee, clearing.currency)}</span>,
                <span class="id">{clearing.goid}</span>,
                <button
                  type="button"
                  class="small"
                  aria-label={`Save clearing ${clearing.number} as XML`}
                  onClick={() => saveXml(clearing)}
                >
                  XML
                </button>
              ]
            }))}
        />
      )}
    </Panel>
  )
}

/** The value of a text of JSON; undefined where it is none. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const StatePanel = () => {
  const file = useRef<HTMLInputElement>(null)
  const load = async () => {
    const [seed] = file.current?.files ?? []
    if (seed === undefined) return "Choose a seed file first."
    const content = jsonIn(await seed.text())
    if (content === undefined) return "This file is not well-formed JSON."
    const taken = await change<{ readonly merchants: number; readonly payments: number; readonly cards: number }>(
      "/seed",
      content
    )
    if (file.current !== null) file.current.value = ""
    return `Loaded ${countText(taken.merchants, "merchant")}, ${countText(taken.payments, "payment")} and ${countText(taken.cards, "card")}.`
  }
  return (
    <Panel
      title="State"
      meaning="The whole state as a seed file: merchants with their secrets, payments, cards, settings and time."
    >
      <div class="group">
        <a href={`${base}/local-gateway/seed`} download="local-gateway-seed.json" class="button">
          Save state
        </a>
        <input ref={file} type="file" accept="application/json,.json" aria-label="Seed file" />
        <Button action={load}>Load this file</Button>
      </div>
    </Panel>
  )
}

const Reset = () => {
  const isAsked = useSignal(false)
  const answer = async (isYes: boolean) => {
    isAsked.value = false
    if (!isYes) return announce("Nothing was reset.")
    await change("/reset")
    announce("The gateway is back in its initial state.")
  }
  return (
    <Panel
      title="Reset"
      meaning="Returns to the initial state. All later payments, cards, log entries, tokens and faults are dropped."
    >
      <div class="group">
        <button type="button" class="danger" onClick={() => (isAsked.value = true)}>
          Reset the gateway
        </button>
      </div>
      {isAsked.value ? (
        <Question
          question="Drop all payments, cards, log entries and settings since the start?"
          yes="Reset"
          onAnswer={(isYes) => void answer(isYes)}
        />
      ) : null}
    </Panel>
  )
}

const revoke = async (): Promise<string> => {
  await change("/revoke-tokens")
  return "All tokens have been revoked."
}

/** The gateway. */
export const GatewayPage = () => (
  <section id="gateway" aria-label="Gateway">
    <Clearings />
    <Panel title="Tokens" meaning="Revokes every access token. Clients must request a new one.">
      <div class="group">
        <Button action={revoke}>Revoke all tokens</Button>
      </div>
    </Panel>
    <StatePanel />
    <Reset />
    <Panel title="Documents" meaning="The gateway's API and the control API, as OpenAPI.">
      <div class="group">
        <a href={`${base}/openapi.json`} class="button">
          The gateway's API
        </a>
        <a href={`${base}/local-gateway/openapi.json`} class="button">
          The control API
        </a>
      </div>
    </Panel>
  </section>
)
