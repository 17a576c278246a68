/**
 * Faults: six with one button each, a form for all others, and the armed ones.
 */
import { useSignal } from "@preact/signals"
import { ownMember } from "../../../basics/OwnMember.js"
import { words } from "../LogWords.js"
import type { ChangeUnderFault } from "../../server/Fault.js"
import type { DashboardCatalogue } from "../Dashboard.js"
import { change, read, type Views } from "./api.js"
import { Button, changing, ChoiceField, Form, TextField, type Fields, type Options } from "./parts.js"
import { catalogue, state, useReading } from "./state.js"

type Kinds = Pick<Views["/faults"], "kinds">

type Fault = Readonly<Record<string, string | number>>

const parametersText = (fault: Fault): string =>
  Object.entries(fault)
    .filter(([name]) => name !== "type")
    .map(([name, value]) =>
      name === "effect" ? (value === "none" ? ", not carried out" : ", carried out") : `, ${words(name)} ${value}`
    )
    .join("")

/** Disarms a fault; without an id, all of them. */
const Disarm = ({ id, text }: { readonly text: string; readonly id?: number }) => (
  <span>
    {text}{" "}
    <Button
      label={id === undefined ? "Disarm all" : "Disarm"}
      class="small"
      action={changing("It is disarmed.", "/faults/disarm", { id })}
    />
  </span>
)

/** The armed faults, in a line on every page. */
export const ArmedLine = () => {
  const { faults = [], random_faults = false } = state.value ?? {}
  if (faults.length === 0 && !random_faults) return null
  return (
    <div class="line bad" role="note" data-testid="armed-line">
      <strong>Armed:</strong>
      {faults.map(({ callsLeft, fault, id, operation = "any operation" }) => (
        <Disarm
          key={id}
          text={`${words(fault.type)} (${operation}, ${callsLeft}×)${parametersText({ ...fault })}`}
          id={id}
        />
      ))}
      {random_faults && <Disarm text="random faults" />}
    </div>
  )
}

type CardFault = Fault & { readonly type: keyof DashboardCatalogue["changesUnderFaults"] }

/** The faults that a shop should withstand first. */
const cards: ReadonlyArray<readonly [name: string, fault: CardFault]> = [
  ["No response", { type: "noResponse" }],
  ["Connection breaks", { type: "connectionReset" }],
  ["Error 500", { type: "serverError", effect: "none" }],
  ["Slow", { type: "latency", milliseconds: 5000 }],
  ["Token refused", { type: "tokenRefused" }],
  ["Refused by a firewall", { type: "htmlForbidden" }]
]

/** Whether a change hit by a fault is carried out. */
const whenCarriedOut = ({ isCarriedOut }: ChangeUnderFault, { effect }: CardFault): "now" | "later" | "never" => {
  if (isCarriedOut === "later") return "later"
  return isCarriedOut === true || (isCarriedOut === "byEffect" && effect !== "none") ? "now" : "never"
}

const ofRefund = { now: "Money moves", later: "Money moves later", never: "No money moves" } as const
const ofChange = { now: "It is made", later: "It is made later", never: "It is not made" } as const

interface OutcomeProps {
  readonly change: ChangeUnderFault
  readonly fault: CardFault
  /** The change that the fault is to hit; a refund, if any call is. */
  readonly operation: string
}

/** The outcome of a refund or another change. */
const Outcome = ({ change, fault, operation }: OutcomeProps) => {
  const isRefund = operation === "" || operation === "refundPayment"
  const subject = isRefund ? "A refund" : <code>{operation}</code>
  return (
    <>
      <strong>{(isRefund ? ofRefund : ofChange)[whenCarriedOut(change, fault)]}.</strong>{" "}
      {change.client === "success" ? (
        <>{subject} succeeds.</>
      ) : (
        <>
          {subject} fails with <code>{change.client}</code>.
        </>
      )}
    </>
  )
}

const Consequence = ({ fault, operation }: Omit<OutcomeProps, "change">) => {
  const { changes, changesUnderFaults } = catalogue()
  if (operation !== "" && !changes.some((name) => name === operation)) {
    return (
      <p>
        <strong>No money moves.</strong> <code>{operation}</code> may be repeated.
      </p>
    )
  }
  const change: ChangeUnderFault = changesUnderFaults[fault.type]
  if (change.withNewToken === undefined) {
    return (
      <p>
        <Outcome change={change} fault={fault} operation={operation} />
      </p>
    )
  }
  return (
    <>
      <p>
        With a new token: <Outcome change={change.withNewToken} fault={fault} operation={operation} />
      </p>
      <p>
        With an older one: <Outcome change={change} fault={fault} operation={operation} />
      </p>
    </>
  )
}

const operationOptions = (): Options => [
  ["", "the next call, whichever it is"],
  ...catalogue().operations.map((name) => [name, name] as const)
]

const FaultCards = ({ kinds }: Kinds) => {
  const operation = useSignal("")
  const arming = operation.value === "" ? {} : { operation: operation.value }
  const next = operation.value === "" ? "the next call" : `the next ${operation.value}`
  return (
    <>
      <ChoiceField
        label="Which call"
        options={operationOptions()}
        chosen={operation.value}
        onChange={({ currentTarget }) => (operation.value = currentTarget.value)}
      />
      {operation.value === "" && (
        <p class="quiet">
          A client asks for a token first, and the fault may hit that request. To hit a refund, choose refundPayment.
        </p>
      )}
      <ul class="cards">
        {cards.map(([name, fault]) => (
          <li key={name} class="panel">
            <h3>{name}</h3>
            <div>
              <p class="quiet">{kinds.find((kind) => kind.name === fault.type)?.description}</p>
              <Consequence fault={fault} operation={operation.value} />
            </div>
            <code class="path">{`${fault.type}${parametersText(fault)}`}</code>
            <Button
              label="Arm"
              aria-label={`Arm: ${name}`}
              action={changing(`Armed for ${next}: ${name}.`, "/faults", { fault, ...arming })}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

const CustomForm = ({ kinds }: Kinds) => {
  const chosen = useSignal(kinds[0]?.name)
  const kind = kinds.find(({ name }) => name === chosen.value)
  const parameters = Object.entries(kind?.parameters ?? {})
  const arm = async ({ calls, operation, type = "", ...given }: Fields) => {
    const values = parameters.map(([name, parameter]) => {
      const text = ownMember(given, name) ?? ""
      return [name, typeof parameter.default === "number" ? Number(text) : text]
    })
    const fault = { type, ...Object.fromEntries(values) }
    await change("/faults", { fault, ...(operation ? { operation } : {}), calls: Number(calls) })
    return `${words(type)} is armed.`
  }
  return (
    <Form class="panel form stack" action={arm}>
      <div class="grid">
        <ChoiceField
          label="Fault"
          name="type"
          options={kinds.map(({ name }) => [name, words(name)])}
          chosen={chosen.value}
          onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
        />
        <ChoiceField label="Operation" name="operation" options={operationOptions()} />
        <TextField label="Calls" type="number" name="calls" min={1} defaultValue={1} />
      </div>
      <p class="quiet">{kind?.description}</p>
      <div class="grid">
        {parameters.map(([name, { default: byDefault, description }]) => (
          <div key={`${chosen.value} ${name}`}>
            <TextField
              label={words(name)}
              name={name}
              {...(typeof byDefault === "number" ? { type: "number", step: "any" } : {})}
              defaultValue={byDefault}
            />
            <p class="quiet">{`${description} Default: ${byDefault}.`}</p>
          </div>
        ))}
      </div>
      <button class="primary">Arm fault</button>
    </Form>
  )
}

export const FaultsPage = () => {
  const kinds = useReading("", () => read("/faults"))?.kinds
  return (
    <section id="faults" aria-label="Faults">
      <h2>Arm a fault</h2>
      {kinds && <FaultCards kinds={kinds} />}
      {kinds && (
        <details class="custom">
          <summary>Custom: any fault, operation and number of calls</summary>
          <CustomForm kinds={kinds} />
        </details>
      )}
    </section>
  )
}
