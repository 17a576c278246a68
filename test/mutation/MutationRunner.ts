/**
 * Runs files of tests again and again in one process, each time with another mutant.
 */
import { startTests } from "@vitest/runner"
import type { File, Suite, Task, Test, VitestRunner } from "@vitest/runner"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { TestRunner, vi } from "vitest"
import { type Coverage, type Job, jobVariable, type Message, readJob, type Trial } from "./Job.js"
import { switchName } from "./Mutants.js"

/** How long a test may take at least, in milliseconds: with many a mutant it waits for what never comes. */
const shortestLimit = 2_500

/** How often it says at most that it does not hang, in milliseconds. */
const signInterval = 5_000

/** How often a program may come by mutants before it is taken for endless. */
const mostSteps = 5_000_000

/** The active mutant, and the mutants that the program reached. */
let active = 0
let steps = 0
let reached = new Set<number>()

Object.defineProperty(globalThis, switchName, {
  value: (mutant: number): boolean => {
    reached.add(mutant)
    if (++steps > mostSteps && active > 0) throw new Error("It does not end")
    return mutant === active
  }
})

let unhandled = false
for (const event of ["unhandledRejection", "uncaughtException"] as const) {
  process.on(event, () => {
    unhandled = true
  })
}

const nameOf = (test: Test): string => {
  const names = [test.name]
  for (let suite: Suite | undefined = test.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name)
  return names.join(" > ")
}

/**
 * Reports after a test, now and then, that it is still running: a file may take minutes, and so may a mutant that many
 * tests reach.
 */
const signOfLife = (tell: (message: Message) => void): (() => void) => {
  let saidAt = performance.now()
  return () => {
    if (performance.now() - saidAt < signInterval) return
    saidAt = performance.now()
    tell({ type: "tested" })
  }
}

/** A test that failed: its file, its name where it is one, and what to tell of it. */
interface Failure {
  readonly tests: Trial["tests"][number]
  readonly by: string
}

export default class MutationRunner extends TestRunner {
  override async onAfterRunFiles(): Promise<void> {
    super.onAfterRunFiles()
    const job = readJob(process.env[jobVariable] ?? "")
    const tell = (message: Message): void => appendFileSync(job.output, `${JSON.stringify(message)}\n`)
    const onTested = signOfLife(tell)
    if (job.trials === undefined) for (const file of job.tests) tell(await this.cover(job, file, onTested))
    for (const trial of job.trials ?? []) {
      const { mutant } = trial
      tell({ type: "begun", mutant })
      const [failure, isClean] = await this.attempt(job.root, trial, onTested)
      tell({ type: "tried", mutant, by: failure?.by })
      // Another process continues.
      if (!isClean) return
    }
  }

  /** Which mutants each test reaches. */
  private async cover({ root }: Job, file: string, onTested: () => void): Promise<Coverage> {
    const shared = new Set<number>()
    const tests: Array<Coverage["tests"][number]> = []
    const failed: Array<string> = []
    let begun = 0
    reached = shared
    vi.resetModules()
    const [found] = await this.runFile(join(root, file), {
      onBeforeRunTask: () => {
        reached = new Set()
        begun = performance.now()
      },
      onAfterRunTask: (test) => {
        const name = nameOf(test)
        tests.push({ name, duration: performance.now() - begun, mutants: [...reached] })
        if (test.result?.state === "fail") failed.push(name)
        reached = shared
        onTested()
      }
    })
    if (found?.result?.state === "fail" && failed.length === 0) {
      failed.push(
        found.result.errors?.map(({ message, stack }) => stack ?? message).join("\n") ?? "it cannot be loaded"
      )
    }
    return { type: "coverage", file, shared: [...shared], tests, failed }
  }

  /**
   * The test that notices the mutant, and whether this process can go on. A test counts that fails with the mutant and
   * passes without it; when it does not pass any more, the mutant has spoilt the modules, and they are loaded anew.
   */
  private async attempt(
    root: string,
    trial: Trial,
    onTested: () => void
  ): Promise<readonly [Failure | undefined, isClean: boolean]> {
    let failure: Failure | undefined
    for (const isAnew of trial.isLoaded ? [true] : [false, true]) {
      if (isAnew) vi.resetModules()
      failure = await this.failureOf(root, trial.tests, { mutant: trial.mutant, isAnew, onTested })
      if (isAnew) vi.resetModules()
      if (failure === undefined) return [undefined, true]
      const without = { mutant: 0, isAnew: false, onTested }
      if ((await this.failureOf(root, [failure.tests], without)) === undefined) return [failure, true]
    }
    return [failure, false]
  }

  /** The first test that fails while a mutant is there. */
  private async failureOf(
    root: string,
    tests: Trial["tests"],
    { isAnew, mutant, onTested }: { readonly isAnew: boolean; readonly mutant: number; readonly onTested: () => void }
  ): Promise<Failure | undefined> {
    for (const [index, { file, longest, names }] of tests.entries()) {
      if (isAnew && index > 0) vi.resetModules()
      const chosen = new Set(names)
      let failed: string | undefined
      active = mutant
      steps = 0
      unhandled = false
      const [found] = await this.runFile(join(root, file), {
        config: { ...this.config, testTimeout: Math.max(shortestLimit, 10 * longest) },
        onCollected: (files) => {
          for (const one of files) leaveOut(one, chosen)
        },
        onBeforeRunTask: (test) => {
          if (failed !== undefined) test.mode = "skip"
        },
        onAfterRunTask: (test) => {
          onTested()
          if (test.result?.state === "fail") failed ??= nameOf(test)
        }
      })
      active = 0
      if (failed !== undefined) return { tests: { file, longest, names: [failed] }, by: failed }
      if (found?.result?.state === "fail") {
        const [error] = [...(found.result.errors ?? []), ...found.tasks.flatMap((task) => task.result?.errors ?? [])]
        return { tests: { file, longest, names: [] }, by: `${file}: ${error?.message ?? "it cannot be loaded"}` }
      }
      if (unhandled) return { tests: { file, longest, names: [] }, by: `${file}: an error that no one caught` }
    }
    return undefined
  }

  /** Runs a file without telling Vitest, which knows of one test only. Only the file itself is loaded anew. */
  private runFile(path: string, hooks: Partial<VitestRunner>): Promise<ReadonlyArray<File>> {
    return startTests([path], {
      config: this.config,
      importFile: (file) => this.importFile(file, "setup"),
      extendTaskContext: (context) => this.extendTaskContext(context),
      injectValue: (key) => this.injectValue(key),
      onBeforeRunSuite: (suite) => this.onBeforeRunSuite(suite),
      onBeforeTryTask: (test) => this.onBeforeTryTask(test),
      onAfterTryTask: (test) => this.onAfterTryTask(test),
      ...hooks
    })
  }
}

/** Leaves out all tests except the named ones; returns whether any is left. */
const leaveOut = (task: Task, names: ReadonlySet<string>): boolean => {
  const isLeft =
    task.type === "test" ? names.has(nameOf(task)) : task.tasks.map((one) => leaveOut(one, names)).includes(true)
  if (!isLeft) task.mode = "skip"
  return isLeft
}
