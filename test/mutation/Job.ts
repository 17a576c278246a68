/**
 * What `npm run mutate` and its worker tell each other, through files.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Mutant, mutantsOf } from "./Mutants.js"

/** What a worker is to do. */
export interface Job {
  readonly root: string
  /** The modules that are mutated. */
  readonly files: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
  /** Where it appends what it finds, a `Message` in each line. */
  readonly output: string
  /** Which mutants to try. Without it, coverage is measured. */
  readonly trials?: ReadonlyArray<Trial>
}

export interface Trial {
  readonly mutant: number
  /** Whether it is reached as a module is loaded, so that the modules must be loaded anew. */
  readonly isLoaded: boolean
  readonly tests: ReadonlyArray<{
    readonly file: string
    readonly names: ReadonlyArray<string>
    /** How long the longest of them takes without a mutant, in milliseconds. */
    readonly longest: number
  }>
}

/** The tests of a file, and the mutants that each of them reaches. */
export interface Coverage {
  readonly type: "coverage"
  readonly file: string
  /** By what is done before and between the tests, as a module is loaded. */
  readonly shared: ReadonlyArray<number>
  readonly tests: ReadonlyArray<{
    readonly name: string
    readonly duration: number
    readonly mutants: ReadonlyArray<number>
  }>
  /** Without any mutant. */
  readonly failed: ReadonlyArray<string>
}

export type Message =
  | Coverage
  | { readonly type: "begun"; readonly mutant: number }
  /** A test has ended: the worker does not hang. */
  | { readonly type: "tested" }
  /** `by` is the test that failed. */
  | { readonly type: "tried"; readonly mutant: number; readonly by: string | undefined }

export const jobVariable = "MUTATION_JOB"

export const readJob = (path: string): Job => JSON.parse(readFileSync(path, "utf8"))

/** The mutants of a job, by their modules: the same for whoever asks. */
export const mutantsOfJob = ({
  files,
  root
}: Pick<Job, "files" | "root">): ReadonlyMap<string, ReadonlyArray<Mutant>> => {
  let next = 1
  const byFile = new Map<string, ReadonlyArray<Mutant>>()
  for (const file of files) {
    const mutants = mutantsOf(file, readFileSync(join(root, file), "utf8"), next)
    next += mutants.length
    byFile.set(file, mutants)
  }
  return byFile
}
