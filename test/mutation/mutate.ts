/**
 * `npm run mutate -- call notification`: changes each module of these rooms (all, when none is named) in small ways,
 * and tells how many of the changes no test notices. Lists them, and fails, where they are more than the room's limit;
 * `--list` lists them anyway. With `--again` only what went unnoticed the last time is tried, with `--all` the whole of a
 * room of which otherwise a sample is tried.
 */
import { execFileSync, spawn } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type Coverage, type Job, jobVariable, type Message, mutantsOfJob, type Trial } from "./Job.js"
import type { Mutant } from "./Mutants.js"
import { leftOut, type Room, rooms } from "./Rooms.js"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { again: { type: "boolean" }, all: { type: "boolean" }, list: { type: "boolean" } }
})

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "mutate-"))
const reports = join(root, "reports")
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

/** A worker that says nothing for so long hangs, in milliseconds. */
const patience = 60_000

/** The files of these places. A place without any is an error: a room of nothing would pass. */
const filesIn = (places: ReadonlyArray<string>, pattern: RegExp): ReadonlyArray<string> => {
  const found = places.flatMap((place) => {
    const files = execFileSync("git", ["ls-files", place], { cwd: root, encoding: "utf8" }).split("\n")
    const fitting = files.filter((file) => pattern.test(file))
    if (fitting.length === 0) throw new Error(`The rooms name ${place}, where no such file is.`)
    return fitting
  })
  return [...new Set(found)]
}

/** Runs a worker until it ends or hangs; hands on what it says, as it does. */
const work = (job: Omit<Job, "output" | "root">, hear: (message: Message) => void): Promise<void> =>
  new Promise((resolve) => {
    const output = join(folder, "output")
    const path = join(folder, "job.json")
    writeFileSync(output, "")
    writeFileSync(path, JSON.stringify({ ...job, root, output } satisfies Job))
    const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url))
    const worker = spawn(
      process.execPath,
      [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", config, "--reporter", "dot"],
      {
        cwd: root,
        env: { ...process.env, CHAOS_RUNS: "20", [jobVariable]: path },
        stdio: ["ignore", "ignore", "pipe"],
        detached: true
      }
    )
    const stop = (): void => {
      if (worker.pid !== undefined) process.kill(-worker.pid, "SIGKILL")
    }
    process.on("exit", stop)
    let errors = ""
    worker.stderr.on("data", (data) => (errors += data))
    let heard = 0
    let heardAt = performance.now()
    const listen = (): void => {
      const lines = readFileSync(output, "utf8").split("\n").slice(heard, -1)
      for (const line of lines) hear(JSON.parse(line))
      heard += lines.length
      if (lines.length > 0) heardAt = performance.now()
      else if (performance.now() - heardAt > patience) stop()
    }
    const listening = setInterval(listen, 1_000)
    worker.on("close", () => {
      process.off("exit", stop)
      clearInterval(listening)
      listen()
      if (heard === 0) throw new Error(errors)
      resolve()
    })
  })

type Fate = { readonly isNoticed: true; readonly by: string } | { readonly isNoticed: false; readonly why: string }

/** In milliseconds: tests that take longer are for mutants that no other test reaches. */
const slow = 1_500

/** How many tests are run before all others: the tests that reach the fewest mutants test this one most directly. */
const most = 12

/** The tests of a mutant. */
const trialOf = (mutant: number, coverage: ReadonlyArray<Coverage>, limit = slow): Trial => {
  const isLoaded = coverage.some(({ shared }) => shared.includes(mutant))
  const reaching = coverage
    .flatMap(({ file, shared, tests }) =>
      tests
        .filter(({ duration, mutants }) => duration <= limit && (shared.includes(mutant) || mutants.includes(mutant)))
        .map(({ duration, mutants, name }) => ({ file, name, duration, reach: mutants.length }))
    )
    .toSorted((one, other) => one.reach - other.reach)
  if (reaching.length === 0 && limit === slow) return trialOf(mutant, coverage, Infinity)
  const inFiles = (tests: typeof reaching): Trial["tests"] =>
    [...new Set(tests.map(({ file }) => file))].map((file) => {
      const own = tests.filter((test) => test.file === file)
      return { file, names: own.map(({ name }) => name), longest: Math.max(...own.map(({ duration }) => duration)) }
    })
  return { mutant, isLoaded, tests: [...inFiles(reaching.slice(0, most)), ...inFiles(reaching.slice(most))] }
}

/** What each test reaches, without any mutant. */
const measure = async (job: Pick<Job, "files" | "tests">): Promise<ReadonlyArray<Coverage>> => {
  const coverage: Array<Coverage> = []
  await work(job, (message) => {
    if (message.type === "coverage") coverage.push(message)
  })
  const failed = coverage.flatMap(({ failed, file }) => failed.map((name) => `${file}: ${name}`))
  const measured = new Set(coverage.map(({ file }) => file))
  const hung = job.tests.filter((file) => !measured.has(file)).map((file) => `${file}: not measured, the worker hung`)
  if (failed.length + hung.length > 0) {
    throw new Error(`The tests do not pass as they are:\n${[...failed, ...hung].join("\n")}`)
  }
  return coverage
}

/** Tries all, with as many workers one after another as it takes. */
const tryAll = async (
  job: Pick<Job, "files" | "tests">,
  trials: ReadonlyArray<Trial>,
  settle: (mutant: number, fate: Fate) => void
): Promise<void> => {
  const left = new Map(trials.map((trial) => [trial.mutant, trial]))
  const end = (mutant: number, fate: Fate): void => {
    left.delete(mutant)
    settle(mutant, fate)
  }
  for (const { mutant, tests } of trials) {
    if (tests.length === 0) end(mutant, { isNoticed: false, why: "no test comes by it" })
  }
  while (left.size > 0) {
    let begun: number | undefined
    await work({ ...job, trials: [...left.values()] }, (message) => {
      if (message.type === "begun") begun = message.mutant
      if (message.type !== "tried") return
      const { by, mutant } = message
      end(mutant, by === undefined ? { isNoticed: false, why: "survived" } : { isNoticed: true, by })
      begun = undefined
    })
    if (begun !== undefined) end(begun, { isNoticed: true, by: "it does not end" })
  }
}

const short = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, " ")
  return flat.length > 100 ? `${flat.slice(0, 60)} … ${flat.slice(-35)}` : flat
}

/** How a mutant is known, whatever is edited elsewhere. */
const changeOf = ({ original, replacement }: Pick<Mutant, "original" | "replacement">): string =>
  `${short(original)} -> ${short(replacement)}`
const keyOf = (mutant: Mutant): string => [mutant.file, mutant.text, changeOf(mutant)].join("\n")

/** So many of them, at equal distances. */
const spread = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> =>
  all.filter((_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length))

const mutate = async (name: string, room: Room): Promise<string> => {
  const job = {
    files: filesIn(room.sources, /\.ts$/),
    tests: filesIn(room.tests, /\.test\.ts$/).filter((file) => !leftOut.has(file))
  }
  const mutants = [...mutantsOfJob({ ...job, root }).values()].flat()
  const coverage = await measure(job)
  const log = join(reports, `mutation-${name}.jsonl`)
  const before = new Set<string>()
  if (values.again === true && existsSync(log)) {
    const fates = readFileSync(log, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    for (const { key } of fates) before.add(key)
    // Lines that look the same have the same key.
    for (const { fate, key } of fates) if (fate.isNoticed !== true) before.delete(key)
  }
  mkdirSync(reports, { recursive: true })
  rmSync(log, { force: true })
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]))
  const unnoticed: Array<Mutant & { readonly why: string }> = []
  const settle = (id: number, fate: Fate): void => {
    const mutant = byId.get(id)
    if (mutant === undefined) return
    appendFileSync(log, `${JSON.stringify({ key: keyOf(mutant), fate })}\n`)
    if (!fate.isNoticed) unnoticed.push({ ...mutant, why: fate.why })
  }
  const again = mutants.filter((mutant) => !before.has(keyOf(mutant)))
  for (const { id } of mutants.filter((mutant) => !again.includes(mutant))) {
    settle(id, { isNoticed: true, by: "a test of the last time" })
  }
  const sample = values.all === true ? undefined : room.sample
  const chosen = sample !== undefined && again.length > sample ? spread(again, sample) : again
  const trials = chosen.map(({ id }) => trialOf(id, coverage))
  await tryAll(job, trials, settle)
  const left = again.length - chosen.length

  // The limit of a sample says nothing about the whole.
  const limit = sample === room.sample ? room.unnoticed : undefined
  const isOver = limit !== undefined && unnoticed.length > limit
  if (isOver) process.exitCode = 1
  for (const { file, line, original, replacement, text, why } of isOver || values.list === true
    ? unnoticed.toSorted((one, other) => one.id - other.id)
    : []) {
    console.log(`${file}:${line} (${why})\n    ${text}\n    ${JSON.stringify(changeOf({ original, replacement }))}`)
  }
  const tried = mutants.length - left
  const noticed = tried - unnoticed.length
  const share = ((100 * noticed) / tried).toFixed(1)
  const number = left === 0 ? `${tried}` : `${tried} of ${mutants.length}`
  const allowed = limit === undefined ? ", without a limit" : `, of at most ${limit}`
  return `${name}: ${number} mutants, ${noticed} noticed (${share} %), ${unnoticed.length} not${allowed}`
}

const scores: Array<string> = []
for (const name of positionals.length === 0 ? Object.keys(rooms) : positionals) {
  const room = rooms[name]
  if (room === undefined) throw new Error(`There is no room ${name}: ${Object.keys(rooms).join(", ")}`)
  const began = performance.now()
  scores.push(await mutate(name, room))
  console.log(`${scores.at(-1)} (${Math.round((performance.now() - began) / 1000)} s)\n`)
}
if (scores.length > 1) console.log(scores.join("\n"))
