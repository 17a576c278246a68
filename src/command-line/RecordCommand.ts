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
import { paymentStateWords } from "../contract/StateWords.js"
import { type Words, words } from "./Words.js"

/** Whether nothing can be bought there. */
const isTestAddress = (environment: string): boolean => {
  if (!URL.canParse(environment)) return false
  const { hostname, origin, protocol } = new URL(environment)
  return origin === "https://gw.sandbox.gopay.com" || (protocol === "http:" && isLoopback(hostname))
}

const addressOf = (environment: string): string => {
  if (environment === "sandbox") return "https://gw.sandbox.gopay.com"
  if (isTestAddress(environment)) return environment.replace(/(\/api)?\/?$/, "")
  throw new CommandFailure(2, (said) => said.record.wrongEnvironment)
}

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(question)
  terminal.close()
  return answer.trim()
}

const actInBrowser =
  ({ language, record }: Words) =>
  async ({ act, gwUrl, state }: PayerTask): Promise<boolean> => {
    if (!process.stdin.isTTY) return false
    const unchanged = state === undefined ? "" : `${record.unchanged(state, paymentStateWords(state, language))}\n`
    const requests: Readonly<Record<PayerAct, string>> = record.requests
    return (await ask(`\n${unchanged}${record.act(gwUrl, requests[act])}`)) !== "s"
  }

/** Without variables, it would use whatever runs at the local gateway's address. */
const confirmLocal = async ({ GOPAY_ENVIRONMENT }: MerchantVariables, { record: said }: Words): Promise<void> => {
  if (process.env["GOPAY_ENVIRONMENT"]) return
  if (!process.stdin.isTTY) {
    throw new CommandFailure(2, (said) => `${said.record.noVariables} ${said.record.setThem}`)
  }
  const answer = await ask(`${said.noVariables}\n${said.confirm(GOPAY_ENVIRONMENT)}`)
  if (answer !== "yes") throw new CommandFailure(2, (said) => said.record.nothing)
}

/** Replaces the file atomically, so that it never contains half a recording. */
const write = (file: string, recording: Recording): void => {
  const beside = `${file}.${randomUUID()}`
  writeFileSync(beside, `${JSON.stringify(recording, null, 1)}\n`, { flag: "wx" })
  renameSync(beside, file)
}

export const recordCommand = commandOf({
  name: "record",
  summary: {
    en: "record the sandbox, to compare the local gateway with it",
    cs: "nahrát odpovědi sandboxu pro porovnání s lokální bránou"
  },
  usage: "record [--output FILE]",
  about: {
    en: `Makes about 150 requests to GoPay's sandbox and records the form of each response:
statuses, headers, the order and the types of members, states and error codes. The file has no
credential, token, identifier, contact or card number. Held against the local gateway it shows
where that one differs.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT
(sandbox, or the address of a local gateway). Production is refused. In a terminal it asks you
to act as the payer of some payments; what needs them is skipped otherwise. The file is written
after each request.`,
    cs: `Pošle do sandboxu GoPay asi 150 požadavků a nahraje podobu každé odpovědi: stavové kódy,
hlavičky, pořadí a typy položek, stavy a kódy chyb. V souboru nejsou přihlašovací údaje, tokeny,
identifikátory, kontakty ani čísla karet. Porovnání s lokální bránou ukáže, v čem se liší.

Obchodník je ten z GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET a GOPAY_ENVIRONMENT
(sandbox, nebo adresa lokální brány). Produkce se odmítne. V terminálu vás požádá, abyste
u některých plateb jednali za plátce; jinak se přeskočí, co je potřebuje. Soubor se zapisuje
po každém požadavku.`
  },
  options: {
    output: {
      ...option("FILE", {
        en: "the file to write (default: recording.json); it must not exist",
        cs: "výsledný soubor (jinak recording.json); nesmí existovat"
      }),
      default: "recording.json"
    }
  },
  run: async ({ output }, _, { language }) => {
    const said = words[language]
    if (existsSync(output)) throw new CommandFailure(2, (said) => said.exists(output))
    const merchant = merchantVariables()
    const gateway = addressOf(merchant.GOPAY_ENVIRONMENT)
    await confirmLocal(merchant, said)
    mkdirSync(dirname(output), { recursive: true })
    await record({
      gateway,
      merchant: {
        goid: Number(merchant.GOPAY_GOID),
        clientId: merchant.GOPAY_CLIENT_ID,
        clientSecret: merchant.GOPAY_CLIENT_SECRET
      },
      steps: scenario,
      act: actInBrowser(said),
      onRecorded: (recording) => write(output, recording),
      onStep: (step, status) => console.log(`${status ?? "---"} ${step}`)
    }).catch((error: unknown) => {
      const isKept = existsSync(output)
      throw new CommandFailure(1, (said) =>
        [said.inEnglish(causeOf(error)), ...(isKept ? [said.record.kept(output)] : [])].join("\n")
      )
    })
    console.log(`\n${said.record.written(output)}`)
  }
})
