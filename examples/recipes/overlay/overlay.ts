/**
 * GoPay's pay page over a page of the shop, without a framework.
 */
import type { CheckoutResult, GoPayScript } from "effect-gopay/promise"

declare global {
  interface Window {
    _gopay?: GoPayScript
  }
}

const scripts = new Map<string, Promise<GoPayScript>>()

/** Loads GoPay's script once; `scriptUrl` is `gateway.getEmbedJsUrl()`, from the shop's server. */
export const loadGoPay = (scriptUrl: string): Promise<GoPayScript> => {
  const known = scripts.get(scriptUrl)
  if (known !== undefined) return known
  const loading = new Promise<GoPayScript>((resolve, reject) => {
    const script = document.createElement("script")
    script.src = scriptUrl
    script.onload = () => (window._gopay ? resolve(window._gopay) : reject(new Error("GoPay's script did not start.")))
    script.onerror = () => {
      scripts.delete(scriptUrl)
      script.remove()
      reject(new Error("GoPay's script could not be loaded."))
    }
    document.head.append(script)
  })
  scripts.set(scriptUrl, loading)
  return loading
}

/**
 * Opens the pay page; resolves when the payer is done, never when the payer closes it before. Then go to `url`, where the
 * server reads the payment: what the browser says proves nothing. Without the script, the browser goes to the pay page
 * instead.
 */
export const pay = async (scriptUrl: string, gwUrl: string): Promise<CheckoutResult> => {
  const gopay = await loadGoPay(scriptUrl).catch(() => undefined)
  return new Promise((resolve) => {
    if (gopay === undefined) location.assign(gwUrl)
    else gopay.checkout({ gatewayUrl: gwUrl, inline: true }, resolve)
  })
}
