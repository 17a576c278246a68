/**
 * The armed faults; five that are armed by one button each, and a form for all others.
 */
import { ownMember } from "../../../contract/OwnMember.js"
import { useSignal } from "@preact/signals"
import { change, read } from "./api.js"
import type { ArmedFault, FaultKind, FaultParameter, Faults } from "./controlResponses.js"
import { countText, words } from "./format.js"
import { Button, Field, Pick, Text } from "./parts.js"
import { catalogue, state, useReading } from "./state.js"

const parametersText = (fault: ArmedFault["fault"]): string =>
  Object.entries(fault)
    .filter(([name]) => name !== "type")
    .map(([name, value]) => `${words(name)} ${value}`)
    .join(", ")

const disarm = (body: { readonly id?: number }, said: string) => async (): Promise<string> => {
  await change("/faults/disarm", body)
  return said
}

/** What is armed, in a line that every page has. */
export const ArmedLine = () => {
  const { faults = [], random_faults = false } = state.value ?? {}
  if (faults.length === 0 && !random_faults) return null
  const names = faults.map(
    ({ callsLeft, fault, operation }) => `${words(fault.type)} (${operation ?? "any operation"}, ${callsLeft}×)`
  )
  return (
    <p class="line bad" role="note" data-testid="armed-line">
      <strong>Armed:</strong>
      <span>{[...names, ...(random_faults ? ["random faults"] : [])].join("; ")}</span>
      <a href="#/faults">Faults</a>
      <Button class="small" id="disarm-all" action={disarm({}, "Every fault is disarmed.")}>
        Disarm
      </Button>
    </p>
  )
}

interface Card {
  readonly name: string
  readonly meaning: string
  readonly fault: { readonly type: string; readonly [parameter: string]: string | number }
}

const cards: ReadonlyArray<Card> = [
  {
    name: "No response",
    meaning: "The next call is carried out, and its response never comes. Does the shop ask before it tries again?",
    fault: { type: "noResponse" }
  },
  {
    name: "Connection breaks",
    meaning: "The next call is carried out, and the connection breaks before the response.",
    fault: { type: "connectionReset" }
  },
  {
    name: "Error 500",
    meaning: "The gateway says that it failed, and has done nothing.",
    fault: { type: "serverError", effect: "none" }
  },
  {
    name: "Slow",
    meaning: "The response to the next call comes after 5 seconds.",
    fault: { type: "latency", milliseconds: 5000 }
  },
  {
    name: "Token refused",
    meaning: "The token of the next call is refused. Does the shop get a new one?",
    fault: { type: "tokenRefused" }
  }
]

const FaultCards = () => (
  <ul class="cards">
    {cards.map(({ fault, meaning, name }) => (
      <li key={name} class="panel">
        <h3>{name}</h3>
        <p class="quiet">{meaning}</p>
        <Button
          id={`arm-${fault.type}`}
          label={`Arm: ${name}`}
          action={async () => {
            await change("/faults", { fault })
            return `${name} is armed for the next call.`
          }}
        >
          Arm
        </Button>
      </li>
    ))}
  </ul>
)

const Armed = ({ armed, kinds }: { readonly armed: ArmedFault; readonly kinds: ReadonlyArray<FaultKind> }) => {
  const { callsLeft, fault, id, operation } = armed
  return (
    <li class="armed">
      <strong>{words(fault.type)}</strong>
      <span class="quiet">{parametersText(fault)}</span>
      <span>{`${operation ?? "any operation"}, for ${countText(callsLeft, "call")} more`}</span>
      <Button id={`disarm-${id}`} action={disarm({ id }, `${words(fault.type)} is disarmed.`)}>
        Disarm
      </Button>
      <p class="quiet">{kinds.find(({ name }) => name === fault.type)?.description}</p>
    </li>
  )
}

interface ParameterProps {
  readonly name: string
  readonly parameter: FaultParameter
  readonly value: string
  readonly onPick: (value: string) => void
}

const Parameter = ({ name, onPick, parameter, value }: ParameterProps) => (
  <div>
    <Field name={words(name)}>
      <Text more={{ type: typeof parameter.default === "number" ? "number" : "text" }} value={value} onType={onPick} />
    </Field>
    <p class="quiet">{`${parameter.description} Default: ${parameter.default}.`}</p>
  </div>
)

const CustomForm = ({ kinds }: { readonly kinds: ReadonlyArray<FaultKind> }) => {
  const chosen = useSignal(kinds[0]?.name ?? "")
  const operation = useSignal("")
  const calls = useSignal("1")
  const given = useSignal<{ readonly [name: string]: string }>({})
  const kind = kinds.find(({ name }) => name === chosen.value)
  const parameters = Object.entries(kind?.parameters ?? {})
  const valueOf = (name: string, parameter: FaultParameter) => ownMember(given.value, name) ?? String(parameter.default)
  const arm = async () => {
    const values = parameters.map(([name, parameter]) => {
      const text = valueOf(name, parameter)
      return [name, typeof parameter.default === "number" ? Number(text) : text]
    })
    await change("/faults", {
      fault: { type: chosen.value, ...Object.fromEntries(values) },
      ...(operation.value === "" ? {} : { operation: operation.value }),
      calls: Number(calls.value)
    })
    return `${words(chosen.value)} is armed.`
  }
  return (
    <div class="arm">
      <div class="fields">
        <Pick
          label="Fault"
          options={kinds.map(({ name }) => [name, words(name)])}
          value={chosen.value}
          onPick={(name) => {
            chosen.value = name
            given.value = {}
          }}
        />
        <Pick
          label="Operation"
          options={[["", "any"], ...catalogue().operations.map((name) => [name, name] as const)]}
          value={operation.value}
          onPick={(name) => (operation.value = name)}
        />
        <Field name="Calls">
          <Text more={{ type: "number", min: 1 }} value={calls.value} onType={(count) => (calls.value = count)} />
        </Field>
      </div>
      <p class="quiet">{kind?.description}</p>
      <div class="fields">
        {parameters.map(([name, parameter]) => (
          <Parameter
            key={name}
            name={name}
            parameter={parameter}
            value={valueOf(name, parameter)}
            onPick={(value) => (given.value = { ...given.value, [name]: value })}
          />
        ))}
      </div>
      <Button class="primary" action={arm}>
        Arm fault
      </Button>
    </div>
  )
}

/** The faults. */
export const FaultsPage = () => {
  const kinds = useReading("", () => read<Faults>("/faults"))?.kinds ?? []
  const armed = state.value?.faults ?? []
  return (
    <section id="faults" aria-label="Faults">
      <h2>Armed</h2>
      {armed.length === 0 ? (
        <p class="quiet">No faults are armed. Every call gets its regular response.</p>
      ) : (
        <ul class="plain">
          {armed.map((one) => (
            <Armed key={one.id} armed={one} kinds={kinds} />
          ))}
        </ul>
      )}
      <h2>Arm one for the next call</h2>
      <FaultCards />
      <details class="custom">
        <summary>Custom: any fault, operation and number of calls</summary>
        {kinds.length === 0 ? null : <CustomForm kinds={kinds} />}
      </details>
    </section>
  )
}
