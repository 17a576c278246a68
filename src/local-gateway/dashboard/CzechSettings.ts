/**
 * The settings in Czech.
 */
import type { LocalGatewaySettings } from "../settings/LocalGatewaySettings.plain.js"

/** The groups, by their English names. */
export const czechGroups: { readonly [group: string]: string } = {
  Payments: "Platby",
  "The payer's return": "Návrat plátce",
  Notifications: "Notifikace",
  Operations: "Operace",
  Recurrences: "Opakované platby",
  Tokens: "Tokeny",
  Statements: "Výpisy"
}

/** The meanings. */
export const czechMeanings: { readonly [Name in keyof LocalGatewaySettings]: string } = {
  timeToPaySeconds: "Čas na volbu způsobu platby; potom je platba TIMEOUTED.",
  timeToPayByCardSeconds: "Čas na zaplacení od volby karty.",
  timeToPayByTransferSeconds: "Čas na zaplacení od volby bankovního převodu.",
  timeToPayOtherwiseSeconds: "Čas na zaplacení od volby jiného způsobu platby.",
  authorizationLifetimeSeconds: "Doba, po kterou je částka na kartě blokovaná.",
  declinedAttempt: "Zda to plátce po zamítnutém pokusu může na platební stránce zkusit znovu.",
  itemsSum: "Zda se položky, jejichž součet není částka platby, odmítnou s kódem 360.",
  orderChecks: "Zda objednávka musí mít vše, co dokumentace vyžaduje.",
  defaultLanguage: "Jazyk (lang) platby, jejíž objednávka žádný neuvádí.",
  transferAccount: "Zda zaplacený převod ukazuje účet, ze kterého přišel.",
  unicodeEscapes: "Zda se JSON se znaky \\uXXXX odmítne stránkou firewallu se stavem 403.",
  notificationTiming: "Zda se plátce vrátí do obchodu před notifikací, nebo až po ní.",
  returnLeadSeconds: "Náskok plátce, když se vrátí první.",
  notificationAttempts: "Nejvyšší počet pokusů, než obchod odpoví 200.",
  notificationRetryDelaySeconds: "Přestávka před druhým pokusem; pokaždé se zdvojnásobí.",
  notificationMaxRetryDelaySeconds: "Nejdelší přestávka mezi dvěma pokusy.",
  notificationTimeoutSeconds: "Nejdelší čekání na odpověď obchodu.",
  notificationDelaySeconds: "Zpoždění notifikace po změně stavu.",
  notificationCopies: "Kolikrát se notifikace doručí: 0 ji zahodí, 2 ji zdvojí.",
  notificationOrder: "Pořadí, ve kterém se posílají notifikace čekající ve stejnou chvíli.",
  notificationParentId: "Zda notifikace stržené platby obsahuje parent_id.",
  notificationHosts: "Adresy mimo tento počítač, na které se notifikace smějí posílat, oddělené čárkou.",
  refund: "Výsledek refundPayment: hned, nebo nejdřív přijato.",
  capture: "Výsledek stržení předautorizované částky.",
  voidAuthorization: "Výsledek voidAuthorization.",
  voidRecurrence: "Výsledek voidRecurrence.",
  timeToProcessSeconds: "Doba od ACCEPTED, než se operace dokončí nebo selže.",
  partialRefundDelaySeconds: "Doba po zaplacení, po kterou nelze vrátit jen část.",
  refundableForSeconds: "Doba po zaplacení, po které už peníze vrátit nelze (331).",
  refusedRefund: "Zda je odmítnutá refundace přesto v seznamu: REQUESTED, pak FAILED.",
  unknownRefund: "Jak se odmítne refundace neznámé platby: podle jejího id, nebo vždy na poli id.",
  amountAfterCapture: "Částka platby po částečném stržení.",
  recurrenceChild: "Jak dopadnou další platby opakované platby.",
  voidUnpaidRecurrence: "Zda lze opakování ukončit, dokud první platba není zaplacená.",
  tokenLifetimeSeconds: "Platnost tokenu.",
  refusedTokenStatus: "Stav odpovědi na neplatný nebo neznámý token.",
  scopes: "Zda token s oprávněním (scope) payment-create dovolí jen createPayment.",
  statementContentType: "Content-Type výpisu: obecný, nebo podle formátu.",
  statementEncoding: "Kódování výpisů CSV; ABO je vždy windows-1250.",
  clearings: "Kdy se o půlnoci účet vyúčtuje: vyplatí se vše, co na něm je, bez poplatku.",
  paymentFeeBasisPoints: "Poplatek z každé platby při vyúčtování, v setinách procenta.",
  refundFee: "Poplatek za každou refundaci, v haléřích nebo centech."
}
