/**
 * The command `record`: records what the sandbox answers, so that the local gateway can be held against it.
 */
import { parseArgs } from "node:util"
import { existsSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline/promises"
import { record } from "../parity/Recorder.js"
import { scenario } from "../parity/Scenario.js"
import { type Command, readArguments } from "./Command.js"
import { CommandFailure, wrongUsage } from "./CommandFailure.js"
import { merchantVariables } from "./ShopClient.js"

const name = "record"

const help = `Usage: effect-gopay record [--output FILE]

Makes about a hundred requests to GoPay's sandbox and records the form of each response:
statuses, headers, the order and the types of members, states and error codes. The file has no
credential, token, identifier, contact or card number. Held against the local gateway it shows
where that one differs.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT
(sandbox, or the address of a local gateway). Production is refused. In a terminal it asks you
to pay four payments with a test card; what needs them is skipped otherwise.

Options:
  --output FILE      the file to write (default: recording.json); it must not exist
  --help             print this help
`

/** Whether nothing can be bought there. */
const isTestAddress = (environment: string): boolean =>
  /^https:\/\/gw\.sandbox\.gopay\.com(\/|$)/.test(environment) ||
  /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/.test(environment)

const addressOf = (environment: string): string => {
  if (environment === "sandbox") return "https://gw.sandbox.gopay.com"
  if (isTestAddress(environment)) return environment.replace(/(\/api)?\/?$/, "")
  throw new CommandFailure(
    2,
    "GOPAY_ENVIRONMENT must be sandbox or the address of a local gateway: a recording creates payments"
  )
}

const payInBrowser = async ({ gwUrl }: { readonly gwUrl: string }): Promise<boolean> => {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(
    `\nOpen ${gwUrl}\nand pay with the test card 4188 0300 0000 0003. Then press Enter (or s and Enter to skip): `
  )
  terminal.close()
  return answer.trim() !== "s"
}

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const { positionals, values } = readArguments(name, () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { output: { type: "string", default: "recording.json" } }
    })
  )
  if (positionals.length > 0) throw wrongUsage(name, `Unexpected argument: ${positionals.join(" ")}`)
  if (existsSync(values.output))
    throw new CommandFailure(2, `${values.output} exists. Name another file with --output.`)
  const merchant = merchantVariables()
  const gateway = addressOf(merchant.GOPAY_ENVIRONMENT)
  const recording = await record({
    gateway,
    merchant: {
      goid: Number(merchant.GOPAY_GOID),
      clientId: merchant.GOPAY_CLIENT_ID,
      clientSecret: merchant.GOPAY_CLIENT_SECRET
    },
    steps: scenario,
    pay: payInBrowser,
    onStep: (step, status) => console.log(`${status ?? "---"} ${step}`)
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new CommandFailure(1, cause instanceof Error ? cause.message : String(cause))
  })
  writeFileSync(values.output, `${JSON.stringify(recording, null, 1)}\n`, { flag: "wx" })
  console.log(`\nWritten to ${values.output}. Look through it before you share it.`)
}

export const recordCommand: Command = {
  name,
  summary: "record the sandbox, to hold the local gateway against it",
  help,
  run
}
