/**
 * What commands say that call the gateway as a shop, or open its ledger.
 */
import type { GatewayErrorReason } from "../client/error/GatewayError.js"
import { type Choice, inEnglish } from "./Choice.js"

/** What a failed call means, in Czech. The client's own message is English, and follows as a detail. */
const czechReasons: Readonly<Record<GatewayErrorReason["_tag"], string>> = {
  InvalidRequest: "Brána považuje požadavek za chybný.",
  AuthenticationFailed: "Brána odmítá přihlašovací údaje.",
  PermissionDenied: "Brána k tomu nedává oprávnění.",
  PaymentNotFound: "Takovou platbu brána nezná.",
  CardNotFound: "Takovou kartu brána nezná.",
  OperationRefused: "Brána operaci odmítla.",
  RateLimited: "Příliš mnoho požadavků: zkuste to později.",
  GatewayUnavailable: "Brána neodpovídá.",
  OutcomeUnknown: "Není jisté, zda brána operaci provedla. Neopakujte ji a ověřte to.",
  UnexpectedResponse: "Odpovědi brány nelze rozumět."
}

export const shopWords = (t: Choice) => ({
  callFailed: (reason: GatewayErrorReason["_tag"], message: string): string =>
    t(message, `${czechReasons[reason]}\n${inEnglish(t, message)}`),
  merchant: (goid: string, environment: string, isDefault: boolean): string =>
    t(
      `Merchant ${goid} at ${environment}${isDefault ? ", since none of the variables GOPAY_GOID, … is set" : ""}`,
      `Obchodník ${goid}, brána ${environment}${isDefault ? ", protože není nastavena žádná z proměnných GOPAY_GOID, …" : ""}`
    ),
  missingVariables: (names: string): string =>
    t(`These environment variables are missing: ${names}`, `Chybí tyto proměnné prostředí: ${names}`),
  isRunning: (environment: string): string =>
    t(`Is a gateway running at ${environment}?`, `Běží na ${environment} nějaká brána?`),
  wrongVariable: (message: string): string => t(message, `Chyba v proměnných prostředí (anglicky): ${message}`),
  noPaymentId: (text: string): string =>
    t(`${text} is not the id of a payment: digits only`, `${text} není ID platby: to má jen číslice`),
  noStore: (scheme: string): string =>
    t(
      `${scheme}:// is no store of a ledger: give a file with SQLite, or the address of a PostgreSQL (postgres://…).`,
      `${scheme}:// není úložiště ledgeru: zadejte soubor SQLite, nebo adresu PostgreSQL (postgres://…).`
    ),
  noPg: t("The package pg is not installed here: npm install pg", "Balíček pg zde není nainstalovaný: npm install pg"),
  noSqlite: t(
    "This Node.js has no SQLite. Use Node.js 22.13 or newer, or: npm install libsql",
    "Tento Node.js nemá SQLite. Použijte Node.js 22.13 nebo novější, nebo: npm install libsql"
  ),
  noFile: (path: string): string => t(`There is no file ${path}.`, `Soubor ${path} neexistuje.`)
})
