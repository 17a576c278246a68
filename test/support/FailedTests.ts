/**
 * Ends a red run with what a reader needs first: of each failed test its name, the last lines that it said, and the
 * command that runs just that test. `FAILED_TESTS` names a file that gets the same, for a script that runs several stages.
 */
import { appendFileSync } from "node:fs"
import { relative } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { SerializedError } from "vitest"
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node"

type Variables = Readonly<Record<string, string>>

/** What a test depends on beside its source, as far as it is set. */
const variablesOf = (environment: NodeJS.ProcessEnv): Variables =>
  Object.fromEntries(
    ["CHAOS_RUNS", "CHAOS_SEED", "NETWORK_DELAY_SEED"].flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    })
  )

/** So many tests and lines are enough to begin with. */
const mostTests = 5
const mostLines = 12

/** A test that has failed, or a suite or a file whose tests could not be run. */
export interface Failure {
  readonly name: string
  readonly errors: ReadonlyArray<{
    readonly message: string
    readonly diff?: string | undefined
    readonly stacks?: SerializedError["stacks"] | undefined
  }>
  readonly path: string
  /** As `-t` finds the test. Without it, all of the file. */
  readonly pattern?: string
  readonly variables: Variables
}

const quoted = (text: string): string => (/^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The names from the outermost `describe` on. */
const namesOf = (test: TestCase | TestSuite): ReadonlyArray<string> =>
  test.parent.type === "module" ? [test.name] : [...namesOf(test.parent), test.name]

/** Where Vitest finds tests, as its command line says it. */
export interface Selection {
  readonly config: string
  readonly projects: ReadonlyArray<string>
}

/** The command that runs just this. A path says which project it belongs to. */
const commandOf = ({ path, pattern, variables }: Failure, { config, projects }: Selection): string =>
  [
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    "npx vitest run",
    ...(config === "vitest.config.ts" ? [] : [`--config ${config}`]),
    ...(path === "" ? projects.map((name) => `--project ${name}`) : [path]),
    ...(pattern === undefined ? [] : [`-t ${quoted(pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))}`])
  ].join(" ")

/** What is printed of failures. */
export const describeFailures = (failures: ReadonlyArray<Failure>, selection: Selection): string =>
  [
    ...failures.slice(0, mostTests).map((failure) =>
      [
        `Failed: ${[failure.path, failure.name].filter((part) => part !== "").join(" > ")}`,
        ...failure.errors
          .flatMap(({ diff = "", message, stacks = [] }) => [
            ...stripVTControlCharacters(`${message}\n${diff}`).trimEnd().split("\n"),
            ...stacks.slice(0, 1).map(({ column, file, line }) => `at ${file}:${line}:${column}`)
          ])
          .slice(-mostLines)
          .map((line) => `  ${line}`),
        `Run just this: ${commandOf(failure, selection)}`
      ].join("\n")
    ),
    ...(failures.length > mostTests ? [`and ${failures.length - mostTests} more`] : [])
  ].join("\n\n")

/** A reporter of Vitest. */
export default class FailedTests implements Reporter {
  #root = ""
  #selection: Selection = { config: "", projects: [] }

  onInit({ config, vite }: Vitest): void {
    this.#root = config.root
    this.#selection = {
      config: relative(config.root, vite.config.configFile || "vitest.config.ts"),
      projects: [config.project].flat()
    }
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<SerializedError>): void {
    const given = variablesOf(process.env)
    const failures = [
      ...modules.flatMap((module) => this.#failuresOf(module, given)),
      ...(unhandledErrors.length === 0
        ? []
        : [{ name: "an error outside of the tests", errors: unhandledErrors, path: "", variables: given }])
    ]
    if (failures.length === 0) return
    const text = describeFailures(failures, this.#selection)
    console.error(`\n${text}`)
    const file = process.env["FAILED_TESTS"]
    if (file !== undefined) appendFileSync(file, `${text}\n`)
  }

  #failuresOf(module: TestModule, given: Variables): ReadonlyArray<Failure> {
    const path = relative(this.#root, module.moduleId)
    const failed = (test: TestCase | TestSuite, errors: Failure["errors"]): Failure => {
      const names = namesOf(test)
      const variables = { ...given, ...test.meta().variables }
      return { name: names.join(" > "), errors, path, pattern: names.join(" "), variables }
    }
    return [
      ...(module.errors().length === 0
        ? []
        : [{ name: "the file itself", errors: module.errors(), path, variables: given }]),
      ...Array.from(module.children.allSuites()).flatMap((suite) =>
        suite.errors().length === 0 ? [] : [failed(suite, suite.errors())]
      ),
      ...Array.from(module.children.allTests("failed"), (test) => failed(test, test.result().errors ?? []))
    ]
  }
}
