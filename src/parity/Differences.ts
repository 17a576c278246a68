/**
 * The differences between two recordings of the same steps.
 */
import { isList, type RecordedResponse, type RecordedStep, type Recording } from "./Recording.js"
import type { Json } from "./Step.js"

/**
 * Compares what another gateway made of the steps of a recording: statuses, headers, and of the bodies the members,
 * their order and their values. Steps that one of them skipped are passed over. Each difference is a line.
 */
export const differencesBetween = (recorded: Recording, other: Recording): ReadonlyArray<string> =>
  recorded.steps.flatMap((step, index) => {
    const response = responseOf(step)
    const otherResponse = responseOf(other.steps[index])
    if (response === undefined || otherResponse === undefined) return []
    const generalize = "isContractual" in step && step.isContractual ? typesOf : same
    return inResponse(response, otherResponse, generalize).map((difference) => `${step.name}: ${difference}`)
  })

const responseOf = (step: RecordedStep | undefined): RecordedResponse | undefined =>
  step !== undefined && "response" in step ? step.response : undefined

const inResponse = (
  one: RecordedResponse,
  other: RecordedResponse,
  generalize: (value: Json) => Json
): ReadonlyArray<string> => [
  ...(one.status === other.status ? [] : [told("status", one.status, other.status)]),
  ...headersIn(new Map(Object.entries(one.headers)), new Map(Object.entries(other.headers))),
  ...inValue("body", generalize(one.body), generalize(other.body))
]

const headersIn = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((name) =>
    one.get(name) === other.get(name) ? [] : [told(name, one.get(name), other.get(name))]
  )

const inValue = (path: string, one: Json, other: Json): ReadonlyArray<string> => {
  if (isList(one) && isList(other)) {
    if (one.length === 0 || other.length === 0) return one.length === other.length ? [] : [told(path, one, other)]
    return one
      .slice(0, other.length)
      .flatMap((element, index) => inValue(`${path}[${index}]`, element, other[index] ?? null))
  }
  if (isObject(one) && isObject(other)) {
    const members = new Map(Object.entries(one))
    const otherMembers = new Map(Object.entries(other))
    const common = [...members].filter(([name]) => otherMembers.has(name)).map(([name]) => name)
    const otherCommon = [...otherMembers].filter(([name]) => members.has(name)).map(([name]) => name)
    return [
      ...[...members].flatMap(([name, value]) =>
        otherMembers.has(name) ? [] : [told(`${path}.${name}`, value, undefined)]
      ),
      ...[...otherMembers].flatMap(([name, value]) =>
        members.has(name) ? [] : [told(`${path}.${name}`, undefined, value)]
      ),
      ...(common.join() === otherCommon.join()
        ? []
        : [told(`order of ${path}`, common.join(", "), otherCommon.join(", "))]),
      ...common.flatMap((name) => inValue(`${path}.${name}`, members.get(name) ?? null, otherMembers.get(name) ?? null))
    ]
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [told(path, one, other)]
}

const told = (path: string, one: Json | undefined, other: Json | undefined): string =>
  `${path} is ${shown(one)} in the recording, ${shown(other)} here`

const shown = (value: Json | undefined): string => (value === undefined ? "absent" : JSON.stringify(value))

const isObject = (value: Json): value is { readonly [member: string]: Json } =>
  value !== null && typeof value === "object" && !isList(value)

const same = (value: Json): Json => value

/** Only what kind each value is. */
const typesOf = (value: Json): Json => {
  if (value === null || typeof value === "boolean") return "<any>"
  if (typeof value === "number") return "<number>"
  if (typeof value === "string") return /^<\w+>$/.test(value) ? value : "<text>"
  if (isList(value)) return value.map(typesOf)
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, typesOf(content)]))
}
