/**
 * The reference: copies samples, and sends requests to this gateway.
 *
 * @import { Merchants } from "./page/controlResponses.js"
 */
import { base, read } from "./page/api.js"
import { element, fill } from "./page/dom.js"

const isControl = document.body.dataset["api"] === "control"
const apiUrl = `${location.origin}${base}${isControl ? "/local-gateway" : "/api"}`

/** Shows the buttons that copy: without a script they would do nothing. */
const offerCopies = () => {
  for (const button of document.querySelectorAll("button.copy")) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    button.textContent = "Copy"
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "").then(() => {
        button.textContent = "Copied"
      })
    })
  }
}

/** The credentials of the first merchant. @type {() => Promise<string>} */
const credentials = async () => {
  /** @type {Merchants} */
  const { merchants } = await read("/merchants")
  const [merchant] = merchants
  if (merchant === undefined) throw new Error("The gateway has no merchant.")
  return `Basic ${btoa(`${merchant.client_id}:${merchant.client_secret}`)}`
}

/** A token of the first merchant. @type {() => Promise<string>} */
const token = async () => {
  const response = await fetch(`${apiUrl}/oauth2/token`, {
    method: "POST",
    headers: { authorization: await credentials() },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "payment-all" })
  })
  const { access_token } = await response.json()
  return `Bearer ${access_token}`
}

/** @type {(operation: string) => Promise<string | undefined>} */
const authorizationOf = async (operation) => {
  if (isControl) return undefined
  return operation === "getAccessToken" ? credentials() : token()
}

/** The address of a form, with its parameters. @type {(form: HTMLFormElement) => URL} */
const addressOf = (form) => {
  let path = form.dataset["path"] ?? ""
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll("input")) {
    if (field.dataset["in"] === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (field.value !== "") query.set(field.name, field.value)
  }
  const url = new URL(`${apiUrl}${path}`)
  url.search = query.toString()
  return url
}

/** The body of a form, as its operation takes it. @type {(form: HTMLFormElement) => string | undefined} */
const bodyOf = (form) => {
  const field = form.querySelector("textarea")
  if (field === null) return undefined
  if (form.dataset["type"] !== "application/x-www-form-urlencoded") return field.value
  /** @type {Record<string, unknown>} */
  const members = JSON.parse(field.value)
  return new URLSearchParams(
    Object.entries(members).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
  ).toString()
}

/** @type {(text: string) => string} */
const readable = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** @type {(form: HTMLFormElement) => Promise<void>} */
const send = async (form) => {
  const place = form.querySelector(".response")
  if (!(place instanceof HTMLElement)) return
  try {
    const body = bodyOf(form)
    const authorization = await authorizationOf(form.dataset["operation"] ?? "")
    const response = await fetch(addressOf(form), {
      method: form.dataset["method"] ?? "GET",
      headers: {
        accept: "application/json",
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { "content-type": form.dataset["type"] ?? "application/json" })
      },
      ...(body === undefined ? {} : { body })
    })
    const text = readable(await response.text())
    fill(place, element("p", {}, `${response.status} ${response.statusText}`), element("pre", { tabindex: "0" }, text))
  } catch (failure) {
    fill(place, element("p", {}, `That failed. ${String(failure)}`))
  }
}

offerCopies()
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send(form)
  })
}
