/**
 * The reference: shows the document of an API with Swagger UI, ready to try at this gateway.
 *
 * @import { Merchants } from "./page/controlResponses.js"
 * @import { SwaggerUi } from "./page/swaggerUi.js"
 */
import { base, read } from "./page/api.js"
import { byId } from "./page/dom.js"
import { t } from "./page/language.js"

const apiUrl = `${location.origin}${base}/api`

/**
 * A document that speaks of this gateway alone, at the address at which the browser has it: Swagger UI may call no other.
 *
 * @type {(document: any, isControl: boolean) => any}
 */
const ofThisGateway = (document, isControl) => {
  const [server] = document.servers
  const url = isControl ? `${location.origin}${base}/local-gateway` : apiUrl
  const flow = document.components.securitySchemes.oauth2?.flows.clientCredentials
  if (flow !== undefined) flow.tokenUrl = `${apiUrl}/oauth2/token`
  return { ...document, servers: [{ ...server, url }] }
}

/** Signs the first merchant in, so that every operation can be tried at once. @type {(ui: SwaggerUi) => Promise<void>} */
const signIn = async (ui) => {
  /** @type {Merchants} */
  const { merchants } = await read("/merchants")
  const [merchant] = merchants
  if (merchant === undefined) return
  const { client_id: clientId, client_secret: clientSecret } = merchant
  ui.initOAuth({ clientId, clientSecret, scopes: "payment-all" })
  ui.preauthorizeBasic("clientCredentials", clientId, clientSecret)
  const response = await fetch(`${apiUrl}/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "payment-all" })
  })
  const { access_token: token } = await response.json()
  ui.preauthorizeApiKey("accessToken", token)
}

/** @type {() => Promise<void>} */
const begin = async () => {
  const place = byId("reference")
  const address = place.dataset["document"] ?? ""
  const isControl = address.includes("/local-gateway/")
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches)
  dark.addEventListener("change", follow)
  follow()
  try {
    const response = await fetch(address)
    const spec = ofThisGateway(await response.json(), isControl)
    const ui = window.SwaggerUIBundle({
      spec,
      dom_id: "#reference",
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      validatorUrl: null,
      onComplete: () => void (isControl ? undefined : signIn(ui))
    })
  } catch (failure) {
    place.append(t("That failed. {}", String(failure)))
  }
}

void begin()
