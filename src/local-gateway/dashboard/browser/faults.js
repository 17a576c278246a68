/**
 * The armed faults, and a form to arm one.
 *
 * @import { ArmedFault, FaultKind, FaultParameter, Faults } from "./page/controlResponses.js"
 * @import { Page, View } from "./page/page.js"
 */
import { change, ControlFailure, read } from "./page/api.js"
import { byId, element, fill, labelled, section, select, write } from "./page/dom.js"
import { countText, words } from "./page/format.js"

/** @type {(fault: ArmedFault["fault"]) => string} */
const parametersText = (fault) =>
  Object.entries(fault)
    .filter(([name]) => name !== "type")
    .map(([name, value]) => `${words(name)} ${value}`)
    .join(", ")

/** @type {(parameter: FaultParameter) => HTMLInputElement | HTMLSelectElement} */
const parameterField = ({ choices, default: byDefault }) => {
  if (choices === undefined) {
    return element("input", { type: typeof byDefault === "number" ? "number" : "text", value: byDefault })
  }
  const field = select(
    {},
    choices.map((choice) => [String(choice), String(choice)])
  )
  field.value = String(byDefault)
  return field
}

/** @type {(page: Page, kinds: ReadonlyArray<FaultKind>) => (armed: ArmedFault) => HTMLElement} */
const armedRow =
  (page, kinds) =>
  ({ callsLeft, fault, id, operation }) => {
    const disarm = element(
      "button",
      {
        type: "button",
        "data-testid": `disarm-${id}`,
        click: () =>
          page.act(disarm, async () => {
            await change("/faults/disarm", { id })
            return `${words(fault.type)} is disarmed.`
          })
      },
      "Disarm"
    )
    return element(
      "li",
      { class: "armed" },
      element("strong", {}, words(fault.type)),
      element("span", { class: "quiet" }, parametersText(fault)),
      element("span", {}, `${operation ?? "any operation"}, for ${countText(callsLeft, "call")} more`),
      disarm,
      element(
        "p",
        { class: "quiet" },
        kinds.flatMap((kind) => (kind.name === fault.type ? [kind.description] : []))
      )
    )
  }

/** @type {(page: Page, kinds: ReadonlyArray<FaultKind>) => HTMLElement} */
const armForm = (page, kinds) => {
  const kind = select(
    {},
    kinds.map((kind) => [kind.name, `${words(kind.name)} – ${kind.description}`])
  )
  const description = element("p", { class: "quiet" })
  const parameters = element("div", { class: "fields" })
  const operation = select({}, [
    ["", "any"],
    ...page.catalogue.operations.map((name) => /** @type {const} */ ([name, name]))
  ])
  const calls = element("input", { type: "number", min: 1, value: 1 })
  const arm = element("button", { type: "submit", class: "primary" }, "Arm fault")
  /** @type {ReadonlyArray<readonly [string, FaultParameter, HTMLInputElement | HTMLSelectElement]>} */
  let fields = []
  const showKind = () => {
    const chosen = kinds.find(({ name }) => name === kind.value)
    write(description, chosen?.description ?? "")
    fields = Object.entries(chosen?.parameters ?? {}).map(([name, parameter]) => [
      name,
      parameter,
      parameterField(parameter)
    ])
    fill(
      parameters,
      fields.map(([name, parameter, field]) =>
        element(
          "div",
          {},
          labelled(words(name), field),
          element("p", { class: "quiet" }, `${parameter.description} Default: ${parameter.default}.`)
        )
      )
    )
  }
  kind.addEventListener("change", showKind)
  showKind()
  return element(
    "form",
    {
      class: "arm",
      submit: (event) => {
        event.preventDefault()
        page.act(arm, async () => {
          const given = fields.map(([name, parameter, field]) => [
            name,
            typeof parameter.default === "number" ? Number(field.value) : field.value
          ])
          await change("/faults", {
            fault: { type: kind.value, ...Object.fromEntries(given) },
            ...(operation.value === "" ? {} : { operation: operation.value }),
            calls: Number(calls.value)
          })
          return `${words(kind.value)} is armed.`
        })
      }
    },
    element(
      "div",
      { class: "fields" },
      labelled("Fault", kind),
      labelled("Operation", operation),
      labelled("Calls", calls)
    ),
    description,
    parameters,
    arm
  )
}

/**
 * The faults. Their tab is hidden where the gateway has none.
 *
 * @param {Page} page
 * @returns {View}
 */
export const faultsView = (page) => {
  const place = byId("faults")
  const tab = byId("faults-tab")
  const count = byId("faults-count")
  const armed = element("ul", { class: "plain" })
  let seen = ""
  let hasForm = false
  /** @type {ReadonlyArray<FaultKind>} */
  let kinds = []
  const showArmed = section(
    armed,
    /** @param {ReadonlyArray<ArmedFault>} list */ (list) =>
      list.length === 0
        ? [element("li", { class: "quiet" }, "No faults are armed. Every call gets its regular response.")]
        : list.map(armedRow(page, kinds))
  )

  return {
    update: async ({ newest }) => {
      const key = [page.epoch(), newest].join()
      if (key === seen) return
      try {
        /** @type {Faults} */
        const faults = await read("/faults")
        tab.hidden = false
        if (!hasForm) {
          place.append(element("h2", {}, "Armed"), armed, element("h2", {}, "Arm a fault"), armForm(page, faults.kinds))
          hasForm = true
        }
        kinds = faults.kinds
        showArmed(faults.armed)
        write(count, faults.armed.length === 0 ? "" : String(faults.armed.length))
      } catch (failure) {
        if (!(failure instanceof ControlFailure) || failure.status !== 404) throw failure
        tab.hidden = true
      }
      seen = key
    }
  }
}
