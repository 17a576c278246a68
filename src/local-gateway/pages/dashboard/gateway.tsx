/**
 * The gateway itself: clearings, tokens, its whole state.
 */
import { useRef } from "preact/hooks"
import { amountText } from "../LogWords.js"
import { base, change, read, type Views } from "./api.js"
import { countText } from "./format.js"
import { Button, changing, Panel, Table } from "./parts.js"
import { revision, state, useReading } from "./state.js"

/** Longer lists show only the newest. */
const maxRows = 500

const cellsOf = ({ currency, date, fee, goid, number, transfer, xml }: Views["/clearings"]["clearings"][number]) => [
  <span class="id">{number}</span>,
  date,
  <span class="number">{amountText(transfer, currency)}</span>,
  <span class="number">{amountText(fee, currency)}</span>,
  <span class="id">{goid}</span>,
  <a href={`data:application/xml,${encodeURIComponent(xml)}`} download={`clearing-${number}.xml`}>
    Save clearing {number} as XML
  </a>
]

const Clearings = () => {
  const hour = (state.value?.now ?? "").slice(0, 13)
  const found = useReading(`${revision.value} ${hour}`, () => read("/clearings"))
  return (
    <Panel title="Clearings" meaning="What is paid out to the merchants, with the XML that the gateway sends by mail.">
      <Table
        title="Newest clearings"
        heads={["Number", "Date", "Transfer", "Fee", "Shop", "File"]}
        rows={(found?.clearings ?? []).slice(-maxRows).toReversed().map(cellsOf)}
      />
      {found?.clearings.length === 0 && (
        <p class="quiet">
          No clearings yet. Choose when they are made: <a href="#/settings">the setting clearings</a>.
        </p>
      )}
    </Panel>
  )
}

const StatePanel = () => {
  const file = useRef<HTMLInputElement>(null)
  const load = async () => {
    const [seed] = file.current?.files ?? []
    if (seed === undefined) return "Choose a seed file first."
    const content: unknown = JSON.parse(await seed.text())
    const { payments } = await change<{ readonly payments: number }>("/seed", content)
    return `Loaded ${countText(payments, "payment")}.`
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
        <Button label="Load this file" action={load} />
      </div>
    </Panel>
  )
}

/** Resets the gateway. It asks first, since that cannot be undone. */
const reset = async (): Promise<string> => {
  if (!confirm("Drop all payments, cards, log entries and settings since the start?")) return "Nothing was reset."
  await change("/reset")
  return "The gateway is back in its initial state."
}

export const GatewayPage = () => (
  <section id="gateway" aria-label="Gateway">
    <Clearings />
    <Panel title="Tokens" meaning="Revokes every access token. Clients must request a new one.">
      <Button label="Revoke all tokens" action={changing("All tokens have been revoked.", "/revoke-tokens")} />
    </Panel>
    <StatePanel />
    <Panel
      title="Reset"
      meaning="Returns to the initial state. All later payments, cards, log entries, tokens and faults are dropped."
    >
      <Button label="Reset the gateway" class="danger" action={reset} />
    </Panel>
    <p>
      <a href={`${base}/openapi.json`}>The gateway's API</a> and{" "}
      <a href={`${base}/local-gateway/openapi.json`}>the control API</a>, as OpenAPI.
    </p>
  </section>
)
