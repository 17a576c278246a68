/**
 * The command `record`: records the sandbox's responses, to compare the local gateway with them.
 */
import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { createInterface } from "node:readline/promises"
import { isLoopback } from "../basics/Loopback.js"
import { type PayerAct, type PayerTask, record, type Recording } from "./record/Recorder.js"
import { scenario } from "./record/Scenario.js"
import { causeOf, commandOf, CommandFailure, option } from "./Command.js"
import { merchantVariables, type MerchantVariables } from "./ShopClient.js"

/** Whether nothing can be bought there. */
const isTestAddress = (environment: string): boolean => {
  if (!URL.canParse(environment)) return false
  const { hostname, origin, protocol } = new URL(environment)
  return origin === "https://gw.sandbox.gopay.com" || (protocol === "http:" && isLoopback(hostname))
}

const addressOf = (environment: string): string => {
  if (environment === "sandbox") return "https://gw.sandbox.gopay.com"
  if (isTestAddress(environment)) return environment.replace(/(\/api)?\/?$/, "")
  throw new CommandFailure(
    2,
    "GOPAY_ENVIRONMENT must be sandbox or the address of a local gateway: a recording creates payments"
  )
}

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(question)
  terminal.close()
  return answer.trim()
}

const requests: { readonly [Act in PayerAct]: string } = {
  pays: "pay with the test card 4188 0300 0000 0003",
  isDeclined: "have a payment by card declined",
  cancels: "cancel the payment",
  choosesTransfer: "choose the bank transfer, and do not pay",
  letsTimeOut: "choose the card and wait until the payment has timed out"
}

const actInBrowser = async ({ act, gwUrl, state }: PayerTask): Promise<boolean> => {
  if (!process.stdin.isTTY) return false
  const unchanged = state === undefined ? "" : `The gateway says that the payment is ${state}.\n`
  const answer = await ask(
    `\n${unchanged}Open ${gwUrl}\nand ${requests[act]}. Then press Enter (or s and Enter to skip): `
  )
  return answer !== "s"
}

/** Without variables, it would use whatever runs at the local gateway's address. */
const confirmLocal = async ({ GOPAY_ENVIRONMENT }: MerchantVariables): Promise<void> => {
  if (process.env["GOPAY_ENVIRONMENT"]) return
  const explanation = "No GOPAY_ variables are set, so there is no shop of the sandbox to record."
  if (!process.stdin.isTTY) throw new CommandFailure(2, `${explanation} Set them, GOPAY_ENVIRONMENT among them.`)
  const answer = await ask(`${explanation}\nRecord what runs at ${GOPAY_ENVIRONMENT}? Type yes and Enter: `)
  if (answer !== "yes") throw new CommandFailure(2, "Nothing was recorded.")
}

/** Replaces the file atomically, so that it never contains half a recording. */
const write = (file: string, recording: Recording): void => {
  const beside = `${file}.${randomUUID()}`
  writeFileSync(beside, `${JSON.stringify(recording, null, 1)}\n`, { flag: "wx" })
  renameSync(beside, file)
}

export const recordCommand = commandOf({
  name: "record",
  summary: "record the sandbox, to compare the local gateway with it",
  about: `Usage: effect-gopay record [--output FILE]

Makes about 150 requests to GoPay's sandbox and records the form of each response:
statuses, headers, the order and the types of members, states and error codes. The file has no
credential, token, identifier, contact or card number. Held against the local gateway it shows
where that one differs.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT
(sandbox, or the address of a local gateway). Production is refused. In a terminal it asks you
to act as the payer of some payments; what needs them is skipped otherwise. The file is written
after each request.`,
  options: {
    output: {
      ...option("FILE", "the file to write (default: recording.json); it must not exist"),
      default: "recording.json"
    }
  },
  run: async ({ output }) => {
    if (existsSync(output)) throw new CommandFailure(2, `${output} exists. Name another file with --output.`)
    const merchant = merchantVariables()
    const gateway = addressOf(merchant.GOPAY_ENVIRONMENT)
    await confirmLocal(merchant)
    mkdirSync(dirname(output), { recursive: true })
    await record({
      gateway,
      merchant: {
        goid: Number(merchant.GOPAY_GOID),
        clientId: merchant.GOPAY_CLIENT_ID,
        clientSecret: merchant.GOPAY_CLIENT_SECRET
      },
      steps: scenario,
      act: actInBrowser,
      onRecorded: (recording) => write(output, recording),
      onStep: (step, status) => console.log(`${status ?? "---"} ${step}`)
    }).catch((error: unknown) => {
      const kept = existsSync(output) ? `\nWhat was recorded by then is in ${output}.` : ""
      throw new CommandFailure(1, `${causeOf(error)}${kept}`)
    })
    console.log(`\nWritten to ${output}. Look through it before you share it.`)
  }
})
