/**
 * The command `listen`: notifies a shop on this machine, which the sandbox cannot reach, of changes of payments.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { loopbackFetch } from "../local-gateway/server/LoopbackFetch.js"
import type { PaymentResponse } from "../contract/Messages.js"
import { causeOf, commandOf, option, repeatable, WrongUsage } from "./Command.js"
import { paymentIdOf, withClient } from "./ShopClient.js"
import { stateText } from "./ShowCommand.js"
import { type Words, words } from "./Words.js"

/** What a notification is sent for: the state, the reason for it, and the refunds. */
const changeable = ({ preauthorization, recurrence, state, sub_state }: PaymentResponse, refunds: number): string =>
  JSON.stringify([state, sub_state, preauthorization?.state, recurrence?.recurrence_state, refunds])

const forwarded = async (forwardTo: URL, { id, parent_id }: PaymentResponse, { listen }: Words): Promise<string> => {
  const url = new URL(forwardTo)
  url.searchParams.set("id", String(id))
  if (parent_id !== undefined) url.searchParams.set("parent_id", String(parent_id))
  try {
    const { body, status } = await loopbackFetch(url, { signal: AbortSignal.timeout(30_000) })
    await body?.cancel()
    return listen.answered(status, url.href)
  } catch (error) {
    return listen.noAnswer(url.href, causeOf(error))
  }
}

const addressOf = (text: string | undefined): URL => {
  if (text === undefined) throw new WrongUsage(({ listen }) => listen.noForward)
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new WrongUsage(({ listen }) => listen.wrongForward(text))
  return new URL(text)
}

export const listenCommand = commandOf({
  name: "listen",
  summary: {
    en: "forward changes of payments to a shop on this machine",
    cs: "předávat změny plateb obchodu na tomto počítači"
  },
  usage: "listen --forward-to URL --id ID [--id ID ...] [--every SECONDS]",
  about: {
    en: `GoPay's sandbox cannot reach a shop on your machine. This command reads payments again and
again and calls the shop's notification URL, with the payment's id, whenever one has changed,
as GoPay would. It reads only, and goes on until Ctrl-C.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT.`,
    cs: `Sandbox GoPay na obchod na vašem počítači nedosáhne. Tento příkaz čte platby znovu a znovu,
a když se některá změní, zavolá adresu notifikací obchodu s jejím ID, jako by to udělalo GoPay.
Jen čte a běží do Ctrl-C.

Obchodník je ten z GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET a GOPAY_ENVIRONMENT.`
  },
  options: {
    "forward-to": option("URL", {
      en: "the shop's notification URL, such as http://localhost:3000/notify",
      cs: "adresa notifikací obchodu, například http://localhost:3000/notify"
    }),
    id: repeatable("ID", { en: "a payment to watch; may be repeated", cs: "platba, která se sleduje; lze opakovat" }),
    every: {
      ...option("SECONDS", {
        en: "the pause between two reads of a payment (default: 5)",
        cs: "přestávka mezi dvěma čteními platby (jinak 5)"
      }),
      default: "5"
    }
  },
  run: async (values, _, { language }) => {
    const said = words[language]
    const forwardTo = addressOf(values["forward-to"])
    const ids = values.id.map((id) => paymentIdOf(id))
    const seconds = Number(values.every)
    if (ids.length === 0) throw new WrongUsage(({ listen }) => listen.noId)
    if (!(seconds >= 1 && seconds <= 3_600)) throw new WrongUsage(({ listen }) => listen.wrongPause)
    const stopped = new AbortController()
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.abort())
    await withClient(async (client) => {
      const seen = new Map<number, string>()
      while (!stopped.signal.aborted) {
        for (const id of ids) {
          const payment = await client.getPayment(id)
          const change = changeable(payment, (await client.getPaymentRefunds(id)).length)
          const last = seen.get(id)
          seen.set(id, change)
          const line = `${new Date().toLocaleTimeString("en-GB")} #${id} ${stateText(payment, language)}`
          if (last === undefined) console.log(`${line}, ${said.listen.watching}`)
          else if (last !== change) console.log(`${line} ${await forwarded(forwardTo, payment, said)}`)
        }
        await sleep(seconds * 1_000, undefined, { signal: stopped.signal }).catch(() => {})
      }
    })
  }
})
