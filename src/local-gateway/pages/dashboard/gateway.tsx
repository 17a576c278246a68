/**
 * The gateway itself: clearings, tokens, its whole state.
 */
import { useRef } from "preact/hooks"
import { amountText } from "../LogWords.js"
import { base, change, read, type ClearingView } from "./api.js"
import { countText } from "./format.js"
import { Button, Panel, Table } from "./parts.js"
import { revision, state, useReading } from "./state.js"

/** Longer lists show only the newest. */
const most = 500

const cellsOf = ({ currency, date, fee, goid, number, transfer, xml }: ClearingView) => [
  <span class="id">{number}</span>,
  date,
  <span class="number">{amountText(transfer, currency)}</span>,
  <span class="number">{amountText(fee, currency)}</span>,
  <span class="id">{goid}</span>,
  // The file that the gateway sends by mail.
  <a
    href={`data:application/xml,${encodeURIComponent(xml)}`}
    download={`clearing-${number}.xml`}
    aria-label={`Save clearing ${number} as XML`}
  >
    XML
  </a>
]

const Clearings = () => {
  const hour = (state.value?.now ?? "").slice(0, 13)
  const found = useReading(`${revision.value} ${hour}`, () =>
    read<{ readonly clearings: ReadonlyArray<ClearingView> }>("/clearings")
  )
  return (
    <Panel title="Clearings" meaning="What is paid out to the merchants, with the XML that the gateway sends by mail.">
      <Table
        title="Newest clearings"
        heads={["Number", "Date", "Transfer", "Fee", "Shop", "File"]}
        rows={(found?.clearings ?? []).slice(-most).toReversed().map(cellsOf)}
      />
      {found?.clearings.length === 0 ? (
        <p class="quiet">
          No clearings yet. Choose when they are made: <a href="#/settings">the setting clearings</a>.
        </p>
      ) : null}
    </Panel>
  )
}

const StatePanel = () => {
  const file = useRef<HTMLInputElement>(null)
  const load = async () => {
    const [seed] = file.current?.files ?? []
    if (seed === undefined) return "Choose a seed file first."
    const content: unknown = JSON.parse(await seed.text())
    const { cards, merchants, payments } = await change<{ readonly [name: string]: number }>("/seed", content)
    const counts = [countText(merchants ?? 0, "merchant"), countText(payments ?? 0, "payment")]
    return `Loaded ${counts.join(", ")} and ${countText(cards ?? 0, "card")}.`
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

const question = "Drop all payments, cards, log entries and settings since the start?"

/** Resets the gateway. It asks first, since that cannot be undone. */
const reset = async (): Promise<string> => {
  if (!confirm(question)) return "Nothing was reset."
  await change("/reset")
  return "The gateway is back in its initial state."
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
    <Panel
      title="Reset"
      meaning="Returns to the initial state. All later payments, cards, log entries, tokens and faults are dropped."
    >
      <div class="group">
        <Button class="danger" action={reset}>
          Reset the gateway
        </Button>
      </div>
    </Panel>
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
