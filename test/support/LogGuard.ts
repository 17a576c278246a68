/**
 * Keeps the output of tests clean, and fails a test that logs a warning or an error which it does not expect.
 */
import * as Context from "effect/Context"
import * as Logger from "effect/Logger"
import { afterEach, onTestFinished } from "vitest"

/** Lines that nothing is wrong with, and that are not shown. */
const harmless: ReadonlyArray<RegExp> = [
  // Beside the error, or the outcome, that says so to the test.
  /^The outcome of a change is unknown: (do not repeat it, find out|find out, or repeat it|create it again|the ledger)/,
  /^The outcome of a change is known: it was (made|not made)$/,
  // The test clock's, on a machine that has other work.
  /^A test is using time, but is not advancing the test clock/,
  /^A fiber woken by the test clock is still running/
]

const captures = new Map<RegExp, Array<string>>()
const unexpected = new Set<string>()

/** Catches the warnings and errors that begin so, until the test has ended. One that runs beside others passes its own `whenEnded`. */
export const captureLog = (
  pattern: RegExp,
  whenEnded: (done: () => void) => void = onTestFinished
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  captures.set(pattern, lines)
  whenEnded(() => void captures.delete(pattern))
  return lines
}

const guard = Logger.make<unknown, void>((line) => {
  const text = [line.message].flat().map(String).join(" ")
  if (line.logLevel !== "Warn" && line.logLevel !== "Error" && line.logLevel !== "Fatal") {
    if (!harmless.some((pattern) => pattern.test(text))) Logger.defaultLogger.log(line)
    return
  }
  const [, captured] = [...captures].find(([pattern]) => pattern.test(text)) ?? []
  if (captured !== undefined) captured.push(text)
  else if (!harmless.some((pattern) => pattern.test(text))) unexpected.add(`${line.logLevel}: ${text}`)
})

/** What logs where a program does not say otherwise: one set for the whole process. */
const loggers = Context.get(Context.empty(), Logger.CurrentLoggers)

/** To be called in each file of tests. */
export const guardLog = (): void => {
  if (!(loggers instanceof Set)) throw new Error("Effect's loggers are not what they were.")
  for (const logger of loggers) if (logger !== Logger.tracerLogger) loggers.delete(logger)
  loggers.add(guard)
  afterEach(() => {
    const lines = [...unexpected].join("\n")
    unexpected.clear()
    if (lines !== "") throw new Error(`This was logged, and is not expected:\n${lines}`)
  })
}
