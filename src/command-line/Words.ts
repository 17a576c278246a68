/**
 * Every sentence and label that a command prints, in English and Czech: those of each command from its own file. The
 * statements of an account have further tables (`StatementTexts`, `StatementFailure`), and what a command is for stands
 * beside its options.
 */
import { textsOf } from "../ledger/admin/AdminTexts.js"
import { checkWords } from "./CheckWords.js"
import { demoWords } from "./DemoWords.js"
import { findingWords } from "./FindingWords.js"
import { initWords } from "./InitWords.js"
import { ledgerWords } from "./LedgerWords.js"
import { listenWords } from "./ListenWords.js"
import { localGatewayWords } from "./LocalGatewayWords.js"
import { paymentWords } from "./PaymentWords.js"
import { recordWords } from "./RecordWords.js"
import { shopWords } from "./ShopWords.js"
import { statementOptionWords } from "./StatementOptionWords.js"
import { triggerWords } from "./TriggerWords.js"
import { usageWords } from "./UsageWords.js"
import { type Choice, inEnglish } from "./Choice.js"
import type { Language, Text } from "./Language.js"

const wordsIn = (language: Language, t: Choice) => ({
  language,
  ...usageWords(t),
  inEnglish: (message: string): string => inEnglish(t, message),
  shop: shopWords(t),
  payment: paymentWords(t),
  check: checkWords(t),
  findings: findingWords(t),
  ledger: ledgerWords(t),
  /** The words of the page for accountants: operations, statuses, reasons to decide. */
  books: textsOf(language),
  trigger: triggerWords(t),
  localGateway: localGatewayWords(t),
  demo: demoWords(t),
  listen: listenWords(t),
  record: recordWords(t),
  init: initWords(t),
  statement: statementOptionWords(t)
})

export type Words = ReturnType<typeof wordsIn>

export const words: { readonly [In in Language]: Words } = {
  en: wordsIn("en", (en) => en),
  cs: wordsIn("cs", (_, cs) => cs)
}

/** A sentence, chosen when the language is known. */
export type Said = (words: Words) => string

/** A sentence in every language. */
export const inBoth = (said: Said): Text => ({ en: said(words.en), cs: said(words.cs) })
