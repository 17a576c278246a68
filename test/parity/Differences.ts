/**
 * The differences between two recordings of the same steps.
 */
import {
  isList,
  type Json,
  type RecordedResponse,
  type RecordedStep,
  type Recording
} from "../../src/command-line/record/Recorder.js"

/** What a comparison has found, and how much it has seen. */
export interface Comparison {
  /** Each in a line. */
  readonly differences: ReadonlyArray<string>
  /** How many steps, headers and fields of bodies were compared; of each step the status too. */
  readonly compared: { readonly steps: number; readonly headers: number; readonly fields: number }
  /** What was not compared, each with the reason in a line. */
  readonly leftOut: ReadonlyArray<string>
}

/** Records what a comparison comes across. */
interface Findings {
  readonly differ: (path: string, one: Json | undefined, other: Json | undefined) => void
  readonly leaveOut: (reason: string) => void
  readonly count: (what: "steps" | "headers" | "fields") => void
}

/**
 * Compares what another gateway made of the steps of a recording: statuses, headers, and of the bodies the members,
 * their order and their values, lists to their end.
 */
export const compareRecordings = (recorded: Recording, other: Recording): Comparison => {
  const differences: Array<string> = []
  const leftOut: Array<string> = []
  const compared = { steps: 0, headers: 0, fields: 0 }
  const others = new Map(other.steps.map((step) => [step.name, step]))
  for (const step of recorded.steps) {
    if ("pays" in step) continue
    const findings: Findings = {
      differ: (path, one, another) => differences.push(`${step.name}: ${told(path, one, another)}`),
      leaveOut: (reason) => leftOut.push(`${step.name}: ${reason}`),
      count: (what) => compared[what]++
    }
    const response = responseOf(step)
    const otherResponse = responseOf(others.get(step.name))
    if (response === undefined) findings.leaveOut("it was skipped in the recording")
    else if (otherResponse === undefined)
      differences.push(`${step.name}: it has a response in the recording, none here`)
    else compareResponses(response, otherResponse, step.isContractual === true, findings)
  }
  return { differences, compared, leftOut }
}

const responseOf = (step: RecordedStep | undefined): RecordedResponse | undefined =>
  step !== undefined && "response" in step ? step.response : undefined

const compareResponses = (
  one: RecordedResponse,
  other: RecordedResponse,
  isContractual: boolean,
  findings: Findings
): void => {
  findings.count("steps")
  if (one.status !== other.status) findings.differ("status", one.status, other.status)
  const [headers, otherHeaders] = [new Map(Object.entries(one.headers)), new Map(Object.entries(other.headers))]
  for (const name of new Set([...headers.keys(), ...otherHeaders.keys()])) {
    findings.count("headers")
    if (headers.get(name) !== otherHeaders.get(name)) findings.differ(name, headers.get(name), otherHeaders.get(name))
  }
  const generalize = isContractual ? typesOf : same
  compareValues("body", generalize(one.body), generalize(other.body), isContractual, findings)
}

const compareValues = (path: string, one: Json, other: Json, isContractual: boolean, findings: Findings): void => {
  if (isList(one) && isList(other)) return compareLists(path, one, other, isContractual, findings)
  if (isObject(one) && isObject(other)) return compareObjects(path, one, other, isContractual, findings)
  findings.count("fields")
  if (JSON.stringify(one) !== JSON.stringify(other)) findings.differ(path, one, other)
}

/** How much a shop has of something is its contract's matter, but not whether it has anything. */
const compareLists = (
  path: string,
  one: ReadonlyArray<Json>,
  other: ReadonlyArray<Json>,
  isContractual: boolean,
  findings: Findings
): void => {
  findings.count("fields")
  const common = Math.min(one.length, other.length)
  one
    .slice(0, common)
    .forEach((element, index) =>
      compareValues(`${path}[${index}]`, element, other[index] ?? null, isContractual, findings)
    )
  if (one.length === other.length) return
  if (isContractual && common > 0) {
    findings.leaveOut(`${path} from its ${common + 1}. element on, which is a matter of the contract`)
    return
  }
  for (let index = common; index < Math.max(one.length, other.length); index++) {
    findings.differ(`${path}[${index}]`, one[index], other[index])
  }
}

const compareObjects = (
  path: string,
  one: JsonObject,
  other: JsonObject,
  isContractual: boolean,
  findings: Findings
): void => {
  const members = new Map(Object.entries(one))
  const otherMembers = new Map(Object.entries(other))
  const common = [...members.keys()].filter((name) => otherMembers.has(name))
  const otherCommon = [...otherMembers.keys()].filter((name) => members.has(name))
  for (const name of new Set([...members.keys(), ...otherMembers.keys()])) {
    const [value, otherValue] = [members.get(name), otherMembers.get(name)]
    if (value === undefined || otherValue === undefined) {
      findings.count("fields")
      findings.differ(`${path}.${name}`, value, otherValue)
    } else compareValues(`${path}.${name}`, value, otherValue, isContractual, findings)
  }
  if (common.join() !== otherCommon.join()) {
    findings.differ(`order of ${path}`, common.join(", "), otherCommon.join(", "))
  }
}

const told = (path: string, one: Json | undefined, other: Json | undefined): string =>
  `${path} is ${shown(one)} in the recording, ${shown(other)} here`

const shown = (value: Json | undefined): string => (value === undefined ? "absent" : JSON.stringify(value))

interface JsonObject {
  readonly [member: string]: Json
}

const isObject = (value: Json): value is JsonObject => value !== null && typeof value === "object" && !isList(value)

const same = (value: Json): Json => value

/** Only what kind each value is. */
const typesOf = (value: Json): Json => {
  if (value === null || typeof value === "boolean") return "<any>"
  if (typeof value === "number") return "<number>"
  if (typeof value === "string") return /^<\w+>$/.test(value) ? value : "<text>"
  if (isList(value)) return value.map(typesOf)
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, typesOf(content)]))
}
