/**
 * The chapters of `/try` and the words around them, in English and Czech.
 */

export type Language = "en" | "cs"

/** What makes a chapter complete: a program that ended well, or an entry of the gateway's log. */
export type Goal = "ran" | "paid" | "notified"

interface Words {
  readonly title: string
  readonly intro: string
  /** Two sentences, when it is over. */
  readonly seen: string
  /** The guide: its name, and its path from the site's root. */
  readonly guide: readonly [name: string, path: string]
}

export interface Chapter {
  readonly id: string
  readonly goal: Goal
  readonly code: string
  readonly words: { readonly [Name in Language]: Words }
}

export const chapters: ReadonlyArray<Chapter> = [
  {
    id: "payment",
    goal: "paid",
    code: `const payment = await gateway.createPayment({
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: {
    return_url: shop.returnUrl,
    notification_url: shop.notificationUrl
  }
})
console.log(payment.id, payment.state)
shop.redirect(payment.gw_url)`,
    words: {
      en: {
        title: "A payment",
        intro: "Run the code, then pay on the payer's page.",
        seen: "The shop created a payment and sent the payer to gw_url, and the gateway sent the payer back with its id. The return page then read the payment, since an address in a browser proves nothing.",
        guide: ["Your first payment", "guides/first-payment"]
      },
      cs: {
        title: "Platba",
        intro: "Spusťte kód a na stránce plátce zaplaťte.",
        seen: "Obchod založil platbu a poslal plátce na gw_url, brána ho vrátila s jejím číslem. Návratová stránka si platbu přečetla, protože adresa v prohlížeči nic nedokazuje.",
        guide: ["První platba", "cs/first-payment"]
      }
    }
  },
  {
    id: "notification",
    goal: "notified",
    code: `shop.onNotification(gateway.createNotificationHandler({
  expected: () => shop.order,
  handler: ({ payment }) => console.log("notified:", payment.state)
}))
const payment = await gateway.createPayment(shop.order)
shop.redirect(payment.gw_url)
await local.payByCard(payment.id)
await local.deliverNotifications()`,
    words: {
      en: {
        title: "Its notification",
        intro: "Run the code: the payer pays and never comes back to the shop.",
        seen: "The gateway called notification_url with nothing but an id, and the handler read the payment and compared it with the order. So an order is paid even when its payer has closed the browser.",
        guide: ["Notifications", "notifications"]
      },
      cs: {
        title: "Notifikace",
        intro: "Spusťte kód: plátce zaplatí a do obchodu se už nevrátí.",
        seen: "Brána zavolala notification_url a poslala jen číslo platby, obsluha si platbu přečetla a porovnala ji s objednávkou. Objednávka je tak zaplacená, i když plátce zavřel prohlížeč.",
        guide: ["Notifikace (anglicky)", "notifications"]
      }
    }
  },
  {
    id: "declined",
    goal: "ran",
    code: `const payment = await gateway.createPayment(shop.order)
await local.declineAttempt(payment.id, "_5002")
const { state, sub_state } = await gateway.getPayment(payment.id)
console.log(state, sub_state)
shop.redirect(payment.gw_url)`,
    words: {
      en: {
        title: "A declined card",
        intro: "Run the code: the bank declines the card. The payer may try again on the page.",
        seen: "A declined attempt does not end a payment: its state stays open, and sub_state says why the bank declined. The payer tries again on the same page, so the shop does not create another payment.",
        guide: ["Test your checkout", "guides/test-your-checkout"]
      },
      cs: {
        title: "Zamítnutá karta",
        intro: "Spusťte kód: banka kartu zamítne. Plátce to na stránce může zkusit znovu.",
        seen: "Zamítnutý pokus platbu nekončí: její stav zůstává otevřený a sub_state říká, proč banka kartu zamítla. Plátce to zkusí znovu na téže stránce, obchod tedy další platbu nezakládá.",
        guide: ["Vyzkoušejte pokladnu (anglicky)", "guides/test-your-checkout"]
      }
    }
  },
  {
    id: "refund",
    goal: "ran",
    code: `const payment = await gateway.createPayment(shop.order)
await local.payByCard(payment.id)
await local.armFault(
  { type: "connectionReset" },
  { operation: "refundPayment" }
)
try {
  await gateway.refundPayment(payment.id, { amount: 139_950 })
} catch (error) {
  console.log(error.reason._tag)
  console.log(await gateway.reconcile(error.reason.change))
}`,
    words: {
      en: {
        title: "A refund whose response is lost",
        intro: "Run the code: the gateway refunds, and the connection breaks before it can say so.",
        seen: "The client did not know whether the money was returned, so it said OutcomeUnknown and repeated nothing. reconcile then asked the gateway, which has returned all that was paid: whether this call did it, it cannot tell, but a second attempt is not needed.",
        guide: ["Refunds", "guides/refunds"]
      },
      cs: {
        title: "Vrácení, jehož odpověď se ztratila",
        intro: "Spusťte kód: brána peníze vrátí, ale spojení se přeruší dřív, než to stačí říct.",
        seen: "Klient nevěděl, zda se peníze vrátily, proto ohlásil OutcomeUnknown a nic neopakoval. reconcile se pak zeptal brány, která už všechno zaplacené vrátila: zda to bylo tímto voláním, nepozná, ale druhý pokus není třeba.",
        guide: ["Vracení peněz (anglicky)", "guides/refunds"]
      }
    }
  },
  {
    id: "ledger",
    goal: "ran",
    code: `const ledger = await shop.openLedger()
shop.onNotification(ledger.notificationHandler())
const { order_number, ...request } = shop.order
const order = await ledger.checkout(order_number, request)
const { paymentId, status } = order
if (status === "open") {
  await local.payByCard(paymentId)
  await local.deliverNotifications()
}
shop.killAtRefund()
const refund = { amount: 139_950 }
const { _tag } = await ledger.refund("complaint-7", paymentId, refund)
console.log(_tag)`,
    words: {
      en: {
        title: "A refund, and the shop is killed",
        intro:
          "Run the code: the gateway refunds, and the shop is killed before it hears so. Another one starts and runs the same code. The ledger's rows are kept in this tab's memory.",
        seen: "The ledger had committed that it sends the refund, so the second shop did not send it again: it looked for it at the gateway and found it. The log shows one refundPayment, and the same key gives the same outcome however often the code runs.",
        guide: ["The ledger", "ledger"]
      },
      cs: {
        title: "Vrácení, a obchod spadne",
        intro:
          "Spusťte kód: brána peníze vrátí, ale obchod spadne dřív, než se to dozví. Spustí se další a provede tentýž kód. Řádky ledgeru zůstávají v paměti tohoto panelu.",
        seen: "Ledger si předem zapsal, že vrácení odesílá, druhý obchod ho proto neposlal znovu: vyhledal ho u brány a našel. V záznamech je jediné refundPayment a tentýž klíč dá tentýž výsledek, ať kód spustíte kolikrát chcete.",
        guide: ["Ledger (anglicky)", "ledger"]
      }
    }
  },
  {
    id: "month",
    goal: "ran",
    code: `const parent = await gateway.createPayment({
  ...shop.order,
  recurrence: {
    recurrence_cycle: "MONTH",
    recurrence_period: 1,
    recurrence_date_to: "2099-12-30"
  }
})
await local.payByCard(parent.id)
await local.advanceTime("31 days")
const payments = await local.listPayments()
const charge = payments.find((payment) => payment.parent_id === parent.id)
console.log(charge.id, charge.state)`,
    words: {
      en: {
        title: "A month passes",
        intro: "Run the code: the payer agrees to a charge each month, and a month passes at once.",
        seen: "The gateway charged the card again by itself, as a payment of its own with a parent_id. Your shop hears of it by a notification, for which a test need not wait a month.",
        guide: ["Recurring payments", "guides/recurring-payments"]
      },
      cs: {
        title: "Uplyne měsíc",
        intro: "Spusťte kód: plátce souhlasí s měsíčním strháváním a měsíc uplyne naráz.",
        seen: "Brána kartu sama strhla znovu, jako samostatnou platbu s parent_id. Obchod se o ní dozví notifikací a test na ni nemusí měsíc čekat.",
        guide: ["Opakované platby (anglicky)", "guides/recurring-payments"]
      }
    }
  }
]

/** The words around the chapters. */
export interface PageWords {
  readonly title: string
  readonly lead: string
  readonly other: string
  readonly chapters: string
  readonly code: string
  readonly given: string
  readonly run: string
  readonly running: string
  readonly stop: string
  readonly stopped: string
  readonly killed: string
  readonly again: string
  readonly link: string
  readonly copied: string
  readonly addressed: string
  readonly output: string
  readonly payer: string
  readonly noPayer: string
  readonly log: string
  readonly noLog: string
  readonly seen: string
  /** Before the title of the next chapter. */
  readonly next: string
  /** What follows the last chapter: its name, and its path from the site's root. */
  readonly firstPayment: readonly [name: string, path: string]
  readonly missing: string
  readonly strip: string
  readonly noScript: string
  readonly starting: string
  readonly noResponse: string
  readonly notified: string
  readonly payerDid: { readonly [Action in "threeDSecure" | "returned"]: string }
  readonly fault: { readonly [change: string]: string }
  readonly advanced: string
}

export const pageWords: { readonly [Name in Language]: PageWords } = {
  en: {
    title: "Try it",
    lead: "A shop, a payer and a GoPay gateway, all three in this tab: no server, no account, no money.",
    other: "Česky",
    chapters: "Chapters",
    code: "The shop's code",
    given:
      "gateway is the client, local controls the gateway, and shop redirects the payer. shop.order is the order of the first chapter.",
    run: "Run",
    running: "Runs…",
    stop: "Stop the shop",
    stopped: "The shop was stopped and has started again. The gateway has gone on.",
    killed: "The shop was killed. Another one has started, and runs the same code.",
    again: "Begin again",
    link: "Link to this",
    copied: "The link is in the clipboard: it restores this code and the gateway's books.",
    addressed: "The link is in the address bar: it restores this code and the gateway's books.",
    output: "What the code says",
    payer: "The payer's page",
    noPayer: "No one is paying yet.",
    log: "The gateway's log",
    noLog: "Nothing has happened yet.",
    seen: "This is what you just saw",
    next: "Next:",
    firstPayment: ["your first payment, on your machine", "guides/first-payment"],
    missing:
      "This browser has no service workers here, so the gateway cannot show the payer's page in it. Private windows and addresses without https are the usual reasons. This is what it looks like:",
    strip: "The pay page in six steps: the order, the outcomes, a declined attempt, 3-D Secure, paid, a bank transfer",
    noScript: "This page needs JavaScript.",
    starting: "The gateway starts…",
    noResponse: "no response",
    notified: "notification",
    payerDid: { threeDSecure: "the payer is asked for 3-D Secure", returned: "the payer is sent back to the shop" },
    fault: { armed: "is armed", used: "has struck", disarmed: "is disarmed" },
    advanced: "time moved forward, in days:"
  },
  cs: {
    title: "Vyzkoušejte si to",
    lead: "Obchod, plátce i brána GoPay v jednom panelu prohlížeče: bez serveru, bez účtu a bez peněz.",
    other: "English",
    chapters: "Kapitoly",
    code: "Kód obchodu",
    given: "gateway je klient, local ovládá bránu a shop přesměruje plátce. shop.order je objednávka z první kapitoly.",
    run: "Spustit",
    running: "Běží…",
    stop: "Zastavit obchod",
    stopped: "Obchod byl zastaven a běží znovu. Brána pokračovala.",
    killed: "Obchod spadl. Spustil se další a provádí tentýž kód.",
    again: "Začít znovu",
    link: "Odkaz sem",
    copied: "Odkaz je ve schránce: obnoví tento kód i knihy brány.",
    addressed: "Odkaz je v adresním řádku: obnoví tento kód i knihy brány.",
    output: "Co kód vypsal",
    payer: "Stránka plátce",
    noPayer: "Zatím nikdo neplatí.",
    log: "Záznamy brány",
    noLog: "Zatím se nic nestalo.",
    seen: "Co jste právě viděli",
    next: "Dále:",
    firstPayment: ["první platba na vašem počítači", "cs/first-payment"],
    missing:
      "Tento prohlížeč tu nemá service workery, brána v něm proto nemůže ukázat stránku plátce. Obvyklým důvodem je anonymní okno nebo adresa bez https. Vypadá to takto:",
    strip: "Platební stránka v šesti krocích: objednávka, výsledky, zamítnutý pokus, 3-D Secure, zaplaceno, převod",
    noScript: "Tato stránka potřebuje JavaScript.",
    starting: "Brána se spouští…",
    noResponse: "bez odpovědi",
    notified: "notifikace",
    payerDid: { threeDSecure: "plátce má potvrdit 3-D Secure", returned: "plátce se vrací do obchodu" },
    fault: { armed: "je připravena", used: "zasáhla", disarmed: "je zrušena" },
    advanced: "čas se posunul o tolik dní:"
  }
}
