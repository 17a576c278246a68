/**
 * The reference: shows the document of an API with Swagger UI, ready to try at this gateway.
 *
 * @import { Merchants } from "./page/controlResponses.js"
 * @import { SwaggerUi } from "./page/swaggerUi.js"
 */
import { base, read } from "./page/api.js"
import { byId } from "./page/dom.js"
import { mendSwaggerUi } from "./mendSwaggerUi.js"
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

/**
 * The credentials of a merchant, and a token.
 *
 * @typedef {{ readonly clientId: string, readonly clientSecret: string, readonly token: string }} Access
 */

/** That of the first merchant; undefined where it cannot be had. @type {() => Promise<Access | undefined>} */
const access = async () => {
  try {
    /** @type {Merchants} */
    const { merchants } = await read("/merchants")
    const [merchant] = merchants
    if (merchant === undefined) return undefined
    const { client_id: clientId, client_secret: clientSecret } = merchant
    const response = await fetch(`${apiUrl}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "payment-all" })
    })
    const { access_token: token } = await response.json()
    return { clientId, clientSecret, token }
  } catch {
    return undefined
  }
}

/** Signs in, so that every operation can be tried at once. @type {(ui: SwaggerUi, access: Access) => void} */
const signIn = (ui, { clientId, clientSecret, token }) => {
  ui.initOAuth({ clientId, clientSecret, scopes: "payment-all" })
  ui.preauthorizeBasic("clientCredentials", clientId, clientSecret)
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
  mendSwaggerUi(place)
  try {
    const [response, merchant] = await Promise.all([fetch(address), isControl ? undefined : access()])
    const spec = ofThisGateway(await response.json(), isControl)
    const ui = window.SwaggerUIBundle({
      spec,
      dom_id: "#reference",
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      validatorUrl: null,
      onComplete: () => {
        if (merchant !== undefined) signIn(ui, merchant)
      }
    })
  } catch (failure) {
    place.append(t("That failed. {}", String(failure)))
  }
}

void begin()
