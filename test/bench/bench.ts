/**
 * What a call costs: `npm run bench -- calls`. Each contender has a process of its own; they take turns, and every figure is a
 * ratio to a plain `fetch` in the same round.
 *
 * The first argument is the number of rounds (default: 30), the second how many calls are in flight (default: 1), and
 * those that follow name the contenders (default: all). A core that falls asleep between two messages makes figures
 * twice as uneven: on Linux, run `chrt -i 0 sh -c 'while :; do :; done'` for each of them meanwhile.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { createGatewayClient } from "effect-gopay/promise"
import { names as allNames } from "./contender.js"

const [, , rounds = 30, width = 1] = process.argv.map(Number)
const chosen = process.argv.slice(4)
const bases = ["plain fetch", "bare node:http"]
const names = chosen.length === 0 ? allNames : [...bases, ...chosen.filter((name) => !bases.includes(name))]
const callsPerRound = 300
/** A process compiles what it runs often: before that, a call costs several times as much. */
const callsBefore = 5_000
const operations = ["getPayment", "refundPayment"] as const

const unknown = names.find((name) => !allNames.includes(name))
if (unknown !== undefined) {
  console.error(`There is no contender "${unknown}". There are: ${allNames.join(", ")}.`)
  process.exit(1)
}

const contenders = fileURLToPath(new URL("contenders/", import.meta.url))
if (!existsSync(`${contenders}node_modules`)) {
  const options = ["--no-package-lock", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"]
  execFileSync("npm", ["install", ...options], { cwd: contenders, stdio: "inherit" })
}

/** A process of the measurement. If it fails, all of it does. */
const started = (file: string, args: ReadonlyArray<string> = []): ChildProcess =>
  fork(new URL(file, import.meta.url), args, { execArgv: ["--import", "tsx"] }).once("exit", (code) => {
    if (code !== 0 && code !== null) process.exit(1)
  })

interface Cost {
  /** Microseconds. */
  readonly wall: number
  readonly cpu: number
}

const server = started("./server.ts")
const [{ port }] = await once(server, "message")
const url = `http://127.0.0.1:${port}`

const children = new Map<string, ChildProcess>()
for (const name of names) {
  const child = started("./contender.ts", [name, url])
  await once(child, "message")
  children.set(name, child)
}

const costOf = async (child: ChildProcess, operation: string, times: number): Promise<Cost> => {
  child.send({ operation, times, width })
  const [cost] = await once(child, "message")
  return cost
}

const quantile = (values: ReadonlyArray<number>, q: number): number =>
  Array.from(values).sort((a, b) => a - b)[Math.round(q * (values.length - 1))] ?? Number.NaN

const spread = (values: ReadonlyArray<number>): string => {
  const [median = "", low = "", high = ""] = [0.5, 0.25, 0.75].map((q) => quantile(values, q).toFixed(2))
  return `${median} (${low}–${high})`
}

for (const operation of operations) {
  const costs = new Map<string, Array<Cost>>(names.map((name) => [name, []]))
  for (const child of children.values()) await costOf(child, operation, callsBefore)
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + round) % names.length] ?? ""
      const child = children.get(name)
      if (child !== undefined) costs.get(name)?.push(await costOf(child, operation, callsPerRound))
    }
  }
  const plain = costs.get("plain fetch") ?? []
  const bare = costs.get("bare node:http") ?? []
  const ratios = (values: ReadonlyArray<Cost>, kind: keyof Cost, base: ReadonlyArray<Cost>): string =>
    spread(values.map((value, round) => value[kind] / (base[round]?.[kind] ?? Number.NaN)))
  console.log(`\n${operation}: ${rounds} rounds of ${callsPerRound} calls, ${width} at once, median (quartiles)\n`)
  console.log("| ratio to | a plain `fetch`: time | processor's time | bare `node:http`: time | processor's time |")
  console.log("| --- | --- | --- | --- | --- |")
  for (const [name, values] of costs) {
    const cells = [plain, bare].flatMap((base) => [ratios(values, "wall", base), ratios(values, "cpu", base)])
    console.log(`| ${[name, ...cells].join(" | ")} |`)
  }
  const micros = (kind: keyof Cost): string =>
    quantile(
      plain.map((cost) => cost[kind]),
      0.5
    ).toFixed(0)
  console.log(`\na plain fetch: ${micros("wall")} µs, of which ${micros("cpu")} µs are the processor's`)
}

const counts = async (): Promise<{ readonly tokens: number; readonly operations: number }> =>
  (await fetch(`${url}/counts`)).json()

const cold = createGatewayClient({ goid: 8123456781, clientId: "1", clientSecret: "secret", environment: url })
const before = await counts()
await Promise.all(Array.from({ length: 1_000 }, () => cold.getPayment(3090060402)))
const after = await counts()
await cold.getPayment(3090060402)
console.log(
  `\na thousand cold calls at once: ${after.tokens - before.tokens} request for a token, ${after.operations - before.operations} others; ` +
    `a warm call: ${(await counts()).operations - after.operations}`
)
await cold.close()
for (const child of children.values()) child.disconnect()
server.disconnect()
