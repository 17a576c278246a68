/**
 * "Connect your shop": code in the reader's language, with the addresses and credentials of this gateway.
 */
import { signal } from "@preact/signals"
import { ownMember } from "../../../contract/OwnMember.js"
import { withheld } from "./format.js"
import { Copy, Pick } from "./parts.js"
import { shopCode } from "./shopCode.js"
import { accessOf, gatewayUrl, state } from "./state.js"

const remembered = "effect-gopay-shop-language"

const names = Object.keys(shopCode)

/** The language chosen before; a browser may keep nothing. */
const chosenBefore = (): string | null => {
  try {
    return localStorage.getItem(remembered)
  } catch {
    return null
  }
}

const chosen = signal<string | undefined>(undefined)

const choose = (name: string): void => {
  chosen.value = name
  try {
    localStorage.setItem(remembered, name)
  } catch {
    // Then it is chosen again.
  }
}

/** The panel. On the page the secret is withheld; the copy has it. */
export const Connect = () => {
  chosen.value ??= names.find((name) => name === chosenBefore()) ?? names[0]
  const language = chosen.value ?? ""
  const merchant = state.value?.merchants[0]
  const write = ownMember(shopCode, language)
  const shown =
    merchant === undefined || write === undefined
      ? ""
      : write({ ...merchant, url: gatewayUrl.value, client_secret: withheld })
  return (
    <section class="panel connect">
      <h2>Connect your shop</h2>
      <p class="quiet">This creates a payment and says where to send the payer.</p>
      <div class="group">
        <Pick
          label="Language"
          data-testid="shop-language"
          options={names.map((name) => [name, name])}
          value={language}
          onPick={choose}
        />
        <Copy
          class=""
          id="copy-shop-code"
          text={async () => write?.(await accessOf(merchant?.goid)) ?? ""}
          done="The code is on the clipboard, with the secret."
        >
          Copy with the secret
        </Copy>
      </div>
      <pre tabIndex={0} data-testid="shop-code" aria-label="Connect your shop">
        {shown}
      </pre>
    </section>
  )
}
