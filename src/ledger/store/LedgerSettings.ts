/**
 * The options of a ledger, checked.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { LedgerSettings as Given } from "../model/LedgerOperations.js"
import { installationProblem } from "./Migrations.js"
import { timeZoneProblem } from "../../basics/Day.js"
import { schemaProblem } from "./Sql.js"

export type CheckedSettings = Result.Result.Success<ReturnType<typeof checkSettings>>

type GivenSettings = Partial<Omit<Given<never>, "store" | "migrate">>

export const defaultSettings = {
  compareFor: "21 days",
  concurrency: 8,
  dualApprovalAbove: Infinity,
  escalateAfter: "24 hours",
  installation: "main",
  lease: "30 seconds",
  migrate: false,
  noOtherRefunders: false,
  pollEvery: "1 second",
  processName: undefined,
  readsPerSecond: 10,
  retryAfterDays: [2, 5, 10],
  schema: undefined,
  timeZone: "Europe/Prague"
} satisfies { readonly [name in Exclude<keyof Given<never>, "store">]-?: Given<never>[name] }

export const isSetting = (name: string): boolean => Object.hasOwn(defaultSettings, name)

/** In days: the latest retry of a period, after its first attempt. */
const longestRetry = 366

/** The gateway at which a copy of the database could move real money. */
const productionScope = /^https:\/\/gate\.gopay\.cz\b/

export interface WrongOptions {
  readonly _tag: "WrongOptions"
  readonly message: string
}

/** Checks the options of a ledger against its gateway and database. Names every one that is wrong. */
export const checkSettings = (
  given: GivenSettings,
  { dialect, gatewayScope }: { readonly dialect: "sqlite" | "postgres"; readonly gatewayScope: string }
) => {
  const problems: Array<string> = []
  const report = (problem: string | undefined): void => {
    if (problem !== undefined) problems.push(problem)
  }
  const duration = (name: "compareFor" | "escalateAfter" | "lease" | "pollEvery"): Duration.Duration => {
    const value = given[name] ?? defaultSettings[name]
    const decoded = typeof value === "number" && !(value >= 0) ? Option.none() : Duration.fromInput(value)
    if (Option.isSome(decoded) && Duration.isFinite(decoded.value)) return decoded.value
    problems.push(`${name} is not a duration: give milliseconds, or text such as "20 seconds"`)
    return Duration.zero
  }
  const number = (name: "concurrency" | "readsPerSecond"): number => {
    const value: unknown = given[name] ?? defaultSettings[name]
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value
    problems.push(`${name} must be an integer above 0`)
    return 1
  }
  const { installation = defaultSettings.installation } = given
  if (given.installation === undefined && productionScope.test(gatewayScope)) {
    problems.push('production names its installation, such as installation: "production", so that a copy sends nothing')
  }
  report(installationProblem(installation))
  report(given.schema === undefined ? undefined : schemaProblem(given.schema))
  if (given.schema !== undefined && dialect === "sqlite") problems.push("schema is for PostgreSQL")
  const processName = given.processName ?? globalThis.crypto.randomUUID().slice(0, 8)
  if (!/^\P{Cc}{1,100}$/u.test(processName)) problems.push("processName must have 1 to 100 characters")
  const { dualApprovalAbove = defaultSettings.dualApprovalAbove } = given
  if (!(dualApprovalAbove >= 0)) problems.push("dualApprovalAbove must be an amount in minor units, 0 or more")
  const { retryAfterDays = defaultSettings.retryAfterDays, timeZone = defaultSettings.timeZone } = given
  const isAscending = retryAfterDays.every(
    (days, index) => days <= longestRetry && days > (retryAfterDays[index - 1] ?? 0)
  )
  if (!isAscending || retryAfterDays.length > 30) {
    problems.push(
      `retryAfterDays must be at most 30 ascending numbers of days, above 0 and at most ${longestRetry}, such as [2, 5, 10]`
    )
  }
  report(timeZoneProblem(timeZone))
  const settings = {
    installation,
    schema: given.schema,
    processName,
    noOtherRefunders: given.noOtherRefunders === true,
    dualApprovalAbove,
    escalateAfter: duration("escalateAfter"),
    compareFor: duration("compareFor"),
    lease: duration("lease"),
    pollEvery: duration("pollEvery"),
    concurrency: number("concurrency"),
    readsPerSecond: number("readsPerSecond"),
    retryAfterDays,
    timeZone
  }
  const message = `The options of the ledger are wrong: ${problems.join("; ")}.`
  return problems.length > 0 ? Result.fail<WrongOptions>({ _tag: "WrongOptions", message }) : Result.succeed(settings)
}
