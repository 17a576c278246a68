/**
 * Everything to connect a shop: its keys, the test cards, and code in the reader's language.
 */
import { useSignal } from "@preact/signals"
import { ownMember } from "../../../basics/OwnMember.js"
import { grouped } from "../LogWords.js"
import type { State } from "./api.js"
import { environmentText, shopCode } from "./copies.js"
import { withheld } from "./format.js"
import { accessOf } from "./order.js"
import { Button, ChoiceField, Copy, Panel } from "./parts.js"
import { catalogue, gatewayUrl, remember, remembered, state } from "./state.js"

interface KeyProps {
  readonly name: string
  readonly value: string
  /** Replaces the value if that is a secret. */
  readonly text?: () => Promise<string>
  readonly of: string
}

const Key = ({ name, of, text, value }: KeyProps) => (
  <div class="key">
    <dt>{name}</dt>
    <dd>
      <code class="id">{value}</code>
      <Copy
        label="Copy"
        text={text ?? (() => value)}
        aria-label={`Copy the ${name} of ${of}`}
        done={`The ${name} is on the clipboard.`}
      />
    </dd>
  </div>
)

/** The secret of a shop, withheld until the reader asks for it, and the button that shows it. */
const useSecret = (goid: number | undefined) => {
  const secret = useSignal(withheld)
  const isShown = secret.value !== withheld
  const toggle = async () => {
    secret.value = isShown ? withheld : (await accessOf(goid)).client_secret
    return isShown ? "The secret is hidden." : "The secret is shown."
  }
  const button = <Button label={isShown ? "Hide the secret" : "Show the secret"} class="small" action={toggle} />
  return { client_secret: secret.value, button }
}

/** The variables of a shop. The secret is withheld at first; the copy has it. */
const EnvironmentText = ({ merchant }: { readonly merchant: State["merchants"][number] }) => {
  const { button, client_secret } = useSecret(merchant.goid)
  return (
    <>
      <pre tabIndex={0} aria-label={`.env of ${merchant.name}`} data-testid="env">
        {environmentText({ ...merchant, url: gatewayUrl.value, client_secret })}
      </pre>
      <div class="group">
        <Copy
          label="Copy environment variables"
          text={async () => environmentText(await accessOf(merchant.goid))}
          done="The environment variables are on the clipboard, including the secret."
        />
        {button}
      </div>
    </>
  )
}

const Merchant = ({ merchant }: { readonly merchant: State["merchants"][number] }) => {
  const { client_id, goid, name } = merchant
  const url = gatewayUrl.value
  return (
    <section class="panel stack">
      <h2>{name}</h2>
      <dl class="keys">
        <Key name="API" of={name} value={`${url}/api`} />
        <Key name="GoID" of={name} value={String(goid)} />
        <Key name="ClientID" of={name} value={client_id} />
        <Key name="ClientSecret" of={name} value={withheld} text={async () => (await accessOf(goid)).client_secret} />
      </dl>
      <h3>.env</h3>
      <EnvironmentText merchant={merchant} />
    </section>
  )
}

/** The variables of the first shop, for its `.env`. */
export const Environment = () => {
  const [merchant] = state.value?.merchants ?? []
  return (
    merchant && (
      <Panel title=".env" meaning="With these variables a shop, and this package's commands, find the gateway.">
        <EnvironmentText merchant={merchant} />
      </Panel>
    )
  )
}

/** "Connect your shop": code with the addresses and credentials of this gateway. The secret is withheld at first; the copy has it. */
export const Connect = () => {
  const language = useSignal(remembered("shop-language") ?? "")
  const write = ownMember(shopCode, language.value) ?? shopCode["Node.js"]
  const merchant = state.value?.merchants[0]
  const { button, client_secret } = useSecret(merchant?.goid)
  return (
    <Panel title="Connect your shop" meaning="This creates a payment and says where to send the payer.">
      <div class="group">
        <ChoiceField
          label="Language"
          data-testid="shop-language"
          options={Object.keys(shopCode).map((name) => [name, name])}
          chosen={language.value}
          onChange={({ currentTarget }) => {
            language.value = currentTarget.value
            remember("shop-language", currentTarget.value)
          }}
        />
        <Copy
          label="Copy with the secret"
          text={async () => write(await accessOf(merchant?.goid))}
          done="The code is on the clipboard, with the secret."
        />
        {button}
      </div>
      <pre tabIndex={0} data-testid="shop-code" aria-label="Connect your shop">
        {merchant === undefined ? "" : write({ ...merchant, url: gatewayUrl.value, client_secret })}
      </pre>
    </Panel>
  )
}

export const KeysPage = () => (
  <section id="keys" aria-label="Keys">
    {state.value?.merchants.map((merchant) => (
      <Merchant key={merchant.goid} merchant={merchant} />
    ))}
    <Panel
      title="Test cards"
      meaning="Any expiry date in the future and any CVC will do. You choose on the pay page how the payment ends."
    >
      <dl class="keys">
        {catalogue().testCards.map(({ brand, number }) => (
          <Key key={number} name={brand} of="the test card" value={grouped(number)} text={async () => number} />
        ))}
      </dl>
    </Panel>
    <Connect />
  </section>
)
