/**
 * "Connect your shop": code in the reader's language, with the addresses and credentials of this gateway.
 */
import { useSignal } from "@preact/signals"
import { ownMember } from "../../../contract/OwnMember.js"
import { shopCode } from "./copies.js"
import { withheld } from "./format.js"
import { accessOf } from "./order.js"
import { Copy, Field, Panel, Select } from "./parts.js"
import { gatewayUrl, remembered, state } from "./state.js"

const remember = remembered("shop-language")

/** The panel. On the page the secret is withheld; the copy has it. */
export const Connect = () => {
  const language = useSignal(remember.get() ?? "")
  const write = ownMember(shopCode, language.value) ?? shopCode["Node.js"]
  const merchant = state.value?.merchants[0]
  return (
    <Panel title="Connect your shop" meaning="This creates a payment and says where to send the payer.">
      <div class="group">
        <Field name="Language">
          <Select
            data-testid="shop-language"
            options={Object.keys(shopCode).map((name) => [name, name])}
            chosen={language.value}
            onChange={({ currentTarget }) => {
              language.value = currentTarget.value
              remember.set(currentTarget.value)
            }}
          />
        </Field>
        <Copy
          class=""
          text={async () => write(await accessOf(merchant?.goid))}
          done="The code is on the clipboard, with the secret."
        >
          Copy with the secret
        </Copy>
      </div>
      <pre tabIndex={0} data-testid="shop-code" aria-label="Connect your shop">
        {merchant === undefined ? "" : write({ ...merchant, url: gatewayUrl.value, client_secret: withheld })}
      </pre>
    </Panel>
  )
}
