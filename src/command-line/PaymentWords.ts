/**
 * What `effect-gopay show` says.
 */
import type { RefundStates } from "../contract/CodeLists.js"
import type { Choice } from "./Choice.js"

const refundStatesIn = (t: Choice): Readonly<Record<keyof typeof RefundStates, string>> => ({
  REQUESTED: t("requested", "vyžádána"),
  SUCCESS: t("done", "provedena"),
  FAILED: t("failed", "neproběhla")
})

export const paymentWords = (t: Choice) => ({
  facts: {
    payment: t("payment", "platba"),
    state: t("state", "stav"),
    amount: t("amount", "částka"),
    order: t("order", "objednávka"),
    paidBy: t("paid by", "způsob"),
    parent: t("parent", "první platba"),
    hold: t("hold", "blokace"),
    recurrence: t("recurrence", "opakování"),
    payPage: t("pay page", "stránka"),
    refund: t("refund", "refundace")
  },
  refundStates: refundStatesIn(t),
  oneId: t("Give the id of one payment", "Zadejte ID jedné platby"),
  order: t("order", "objednávka")
})
