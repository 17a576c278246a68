import type { CheckoutResult } from "effect-gopay/promise"
import { type ReactNode, useEffect, useState } from "react"
import { loadGoPay, pay } from "./overlay.js"

export interface PayButtonProps {
  /** `gateway.getEmbedJsUrl()`, from the shop's server. */
  readonly scriptUrl: string
  /** Creates the payment on the shop's server, and returns its `gw_url`. */
  readonly createPayment: () => Promise<string>
  /** Called when the payer is done. Default: the browser goes on to the shop's return page. */
  readonly onClose?: (result: CheckoutResult) => void
  readonly children: ReactNode
}

/** A button that opens GoPay's pay page over the page of the shop. */
export const PayButton = ({ children, createPayment, onClose, scriptUrl }: PayButtonProps) => {
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready")

  // Loaded while the payer reads the cart, so that the pay page opens at once.
  useEffect(() => void loadGoPay(scriptUrl).catch(() => {}), [scriptUrl])

  const open = async () => {
    setState("busy")
    try {
      const gwUrl = await createPayment()
      // A payer who closes the pay page can open it again: nothing reports that it was closed.
      setState("ready")
      const result = await pay(scriptUrl, gwUrl)
      if (onClose === undefined) location.assign(result.url)
      else onClose(result)
    } catch {
      setState("failed")
    }
  }

  return (
    <>
      <button type="button" disabled={state === "busy"} onClick={() => void open()}>
        {children}
      </button>
      {state === "failed" && <p role="alert">We cannot open the payment now. Please try again in a minute.</p>}
    </>
  )
}
