/**
 * What `effect-gopay ledger` says.
 */
import type { HandlerName } from "../ledger/model/LedgerOperations.js"
import type { ChangeOutcome } from "../ledger/model/Outcome.js"
import type { Subscription, SubscriptionPeriod } from "../ledger/model/Subscription.js"
import { type Choice, inEnglish } from "./Choice.js"

const subscriptionStatusesIn = (t: Choice): Readonly<Record<Subscription["status"], string>> => ({
  waiting: t("waiting for its first payment", "čeká na první platbu"),
  active: t("active", "běží"),
  cancelling: t("being cancelled", "ruší se"),
  cancelled: t("cancelled", "zrušeno")
})

const periodStatusesIn = (t: Choice): Readonly<Record<SubscriptionPeriod["status"], string>> => ({
  due: t("not charged yet", "zatím nestrženo"),
  charging: t("being charged", "strhává se"),
  retrying: t("failed, is tried again", "nepodařilo se, zkusí se znovu"),
  blocked: t("blocked: needs a decision", "stojí: čeká na rozhodnutí"),
  paid: t("paid", "zaplaceno"),
  givenUp: t("given up", "vzdáno"),
  cancelled: t("cancelled", "zrušeno")
})

/** The outcomes of a decision. In English they are called as in the code. */
const outcomesIn = (t: Choice): Readonly<Record<ChangeOutcome["_tag"], string>> => ({
  Done: t("Done", "provedeno"),
  Refused: t("Refused", "neprovedeno"),
  Failed: t("Failed", "provedeno a pak vráceno"),
  InDoubt: t("InDoubt", "nejistý výsledek"),
  Pending: t("Pending", "čeká")
})

export const ledgerWords = (t: Choice) => ({
  columns: {
    key: t("KEY", "KLÍČ"),
    payment: t("PAYMENT", "PLATBA"),
    operation: t("OPERATION", "OPERACE"),
    amount: t("AMOUNT", "ČÁSTKA"),
    since: t("SINCE", "OD"),
    status: t("STATUS", "STAV"),
    state: t("STATE", "STAV"),
    version: t("VERSION", "VERZE"),
    kind: t("KIND", "DŮVOD"),
    time: t("TIME", "ČAS"),
    process: t("PROCESS", "PROCES"),
    message: t("MESSAGE", "ZPRÁVA (ANGLICKY)"),
    returned: t("RETURNED", "VRÁCENO"),
    attention: t("ATTENTION", "ČEKÁ NA ROZHODNUTÍ"),
    name: t("NAME", "JMÉNO"),
    maximum: t("MAXIMUM", "NEJVÝŠE"),
    firstPayment: t("FIRST PAYMENT", "PRVNÍ PLATBA"),
    cardUntil: t("CARD UNTIL", "KARTA DO"),
    awaitedOrder: t("WAITS FOR ORDER", "ČEKÁ NA OBJEDNÁVKU"),
    period: t("PERIOD", "OBDOBÍ"),
    attempts: t("ATTEMPTS", "POKUSŮ"),
    nextAttempt: t("NEXT ATTEMPT", "DALŠÍ POKUS"),
    lastAttempt: t("LAST ATTEMPT", "POSLEDNÍ POKUS"),
    goid: "GOID",
    gateway: t("GATEWAY", "BRÁNA"),
    open: t("OPEN", "PROBÍHÁ"),
    needsOperator: t("NEEDS AN OPERATOR", "ČEKÁ NA ROZHODNUTÍ")
  },
  facts: {
    key: t("key", "klíč"),
    payment: t("payment", "platba"),
    order: t("order", "objednávka"),
    operation: t("operation", "operace"),
    amount: t("amount", "částka"),
    status: t("status", "stav"),
    attention: t("attention", "důvod"),
    explanation: t("meaning", "význam"),
    message: t("message", "anglicky"),
    since: t("since", "od"),
    sent: t("sent", "odesláno"),
    decided: t("decided", "rozhodnuto"),
    nextStep: t("next step", "další krok"),
    version: t("version", "verze"),
    decideAs: t("decide as", "rozhodnutí"),
    returned: t("returned", "vráceno")
  },
  subscriptionStatuses: subscriptionStatusesIn(t),
  periodStatuses: periodStatusesIn(t),
  needsOperator: t("Needs an operator:", "Čeká na rozhodnutí:"),
  nothingNeedsOperator: (isShared: boolean): string =>
    t(
      `Nothing ${isShared ? "of this merchant " : ""}needs an operator.`,
      `${isShared ? "U tohoto obchodníka na" : "Na"} rozhodnutí nic nečeká.`
    ),
  open: t("Open:", "Probíhá:"),
  nothingOpen: (isElse: boolean): string =>
    t(`Nothing ${isElse ? "else " : ""}is open.`, isElse ? "Nic dalšího neprobíhá." : "Nic neprobíhá."),
  otherMerchants: t("Not shown, rows of other merchants:", "Neuvedeno, záznamy jiných obchodníků:"),
  onlyOtherMerchants: t(
    "This ledger has rows of other merchants only. Set GOPAY_GOID and the other variables.",
    "Tento ledger má jen záznamy jiných obchodníků. Nastavte GOPAY_GOID a ostatní proměnné."
  ),
  changes: t("Changes:", "Změny:"),
  payments: t("Payments:", "Platby:"),
  nothingFound: t("Nothing is found.", "Nic nenalezeno."),
  noHistory: t("There is no history.", "Žádná historie tu není."),
  noSubscriptions: t("There are no subscriptions.", "Žádné předplatné tu není."),
  noSubscription: (name: string): string => t(`There is no subscription ${name}.`, `Předplatné ${name} neexistuje.`),
  noKey: (isPayment: boolean, key: string): string =>
    t(
      `There is no ${isPayment ? "payment" : "change"} with the key ${key}.`,
      `${isPayment ? "Platba" : "Změna"} s klíčem ${key} neexistuje.`
    ),
  nothingToDecide: (key: string): string =>
    t(`There is nothing to decide about the payment ${key}.`, `O platbě ${key} není co rozhodovat.`),
  moved: (key: string, version: number): string =>
    t(
      `${key} has moved since: it is at version ${version}. Read it again.`,
      `${key} se mezitím změnila: má verzi ${version}. Přečtěte ji znovu.`
    ),
  unfit: (key: string, decision: string, fitting: string, message: string): string =>
    t(
      `${key}: ${message}`,
      `${key}: rozhodnutí ${decision} se nehodí. Hodí se: ${fitting === "" ? "žádné" : fitting}.`
    ),
  decided: (key: string, decision: string, message: string): string =>
    t(`${key}: ${decision}. ${message}`, `${key}: zaznamenáno, ${decision}. ${inEnglish(t, message)}`),
  outcomes: outcomesIn(t),
  acknowledged: (refund: string, payment: string): string =>
    t(`Refund ${refund} of payment ${payment} is acknowledged.`, `Refundace ${refund} platby ${payment} je uznána.`),
  acknowledgedByOne: (refund: string, payment: string): string =>
    t(
      `Recorded. Another operator has to acknowledge refund ${refund} of payment ${payment} as well.`,
      `Zaznamenáno. Refundaci ${refund} platby ${payment} musí uznat ještě druhý pracovník.`
    ),
  released: (payment: string): string =>
    t(`The charges of payment ${payment} go on.`, `Stržení s platbou ${payment} pokračují.`),
  releasedByOne: (payment: string): string =>
    t(
      `Recorded. Another operator has to release the charges of payment ${payment} as well.`,
      `Zaznamenáno. Stržení s platbou ${payment} musí uvolnit ještě druhý pracovník.`
    ),
  retired: (handler: HandlerName): string =>
    t(
      `${handler} is given up. A process that runs with it begins anew.`,
      `${handler} se už nepoužívá. Proces, který ho má, začne znovu.`
    ),
  giveVersion: t(
    "Give --version, the number that list and show print; for several keys: KEY@VERSION KEY@VERSION",
    "Zadejte --version, číslo z list nebo show; pro více klíčů: KLÍČ@VERZE KLÍČ@VERZE"
  ),
  giveSignature: t("Give your name (--by) and the evidence (--note)", "Zadejte své jméno (--by) a zdůvodnění (--note)"),
  resolvedAs: (isPayment: boolean, names: string): string =>
    t(
      `${isPayment ? "A payment" : "A change"} is resolved as one of ${names}`,
      `O ${isPayment ? "platbě" : "změně"} se rozhoduje jedním z ${names}`
    ),
  tooEarly: (key: string): string =>
    t(
      `${key}: the ledger still looks for it, and GoPay may yet carry it out. A refund under another key would then pay twice. ` +
        `It is listed when it needs you. If GoPay says that it never will be carried out, repeat this with --early`,
      `${key}: ledger ji ještě hledá a GoPay ji může stále provést. Refundace s jiným klíčem by pak vyplatila peníze dvakrát. ` +
        `Až vás bude potřebovat, uvidíte ji v list. Potvrdí-li GoPay, že se už neprovede, zopakujte příkaz s --early`
    ),
  giveOneOf: (option: string, names: string): string =>
    t(`Give --${option}, one of ${names}`, `Zadejte --${option}, jedno z ${names}`),
  oneKeyOnly: (option: string): string =>
    t(`Give --${option} with one key only`, `--${option} zadejte jen s jedním klíčem`),
  jsonOrCsv: t("Give --json or --csv, not both", "Zadejte --json, nebo --csv, ne obojí"),
  nameHandler: (names: string): string => t(`Name a handler: ${names}`, `Uveďte handler: ${names}`),
  giveSince: t("Give --since, a time such as 2026-11-20T03:00:00Z", "Zadejte --since, čas jako 2026-11-20T03:00:00Z"),
  giveAmount: (option: string): string =>
    t(`Give ${option} an amount such as 1399.50`, `${option} potřebuje částku jako 1399.50`),
  nameAction: (names: string): string => t(`Name one of ${names}`, `Uveďte jedno z ${names}`),
  unknownAction: (word: string, names: string): string =>
    t(`Unknown: ${word}. Name one of ${names}`, `Neznámé: ${word}. Uveďte jedno z ${names}`),
  giveStore: t("Give the ledger's database with --store", "Zadejte databázi ledgeru: --store"),
  name: (argument: string): string => t(`Name ${argument}`, `Uveďte ${argument}`),
  args: {
    row: t("a change or a payment by its key", "změnu nebo platbu jejím klíčem"),
    subscription: t("a subscription by its name", "předplatné jeho jménem"),
    change: t("one change by its key", "jednu změnu jejím klíčem"),
    payment: t("the payment by its id", "platbu jejím ID"),
    refund: t("the refund by its id", "refundaci jejím ID"),
    firstPayment: t("the first payment by its id", "první platbu jejím ID"),
    handler: t("a handler", "handler")
  }
})
