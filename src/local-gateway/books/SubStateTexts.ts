/**
 * The meanings of the sub-states, as people read them.
 */
import { PaymentSubStates } from "../../contract/CodeLists.js"
import { ownMember } from "../../basics/OwnMember.js"

/** The sub-states in Czech. The English texts are in the code list. */
const czechSubStates: { readonly [Code in keyof typeof PaymentSubStates]: string } = {
  _101: "Čeká se na provedení online platby",
  _102: "Čeká se na provedení offline platby",
  _3001: "Bankovní platba potvrzena avízem",
  _3002: "Bankovní platba potvrzena výpisem z účtu",
  _3003: "Bankovní platba nebyla autorizována",
  _5001: "Schváleno s nulovou částkou",
  _5002: "Vyčerpaný limit karty",
  _5003: "Problém u vydavatele karty",
  _5004: "Problém u vydavatele karty",
  _5005: "Blokovaná karta",
  _5006: "Nedostatek prostředků",
  _5007: "Karta s prošlou platností",
  _5008: "Chybný kód CVV/CVC",
  _5009: "Banka plátce zamítla ověření 3-D Secure",
  _5010: "Problém s kartou",
  _5011: "Problém s účtem karty",
  _5012: "Technický problém v autorizačním centru banky plátce",
  _5013: "Chybné číslo karty",
  _5014: "Problém s kartou",
  _5015: "Banka plátce zamítla ověření 3-D Secure",
  _5016: "Touto kartou nelze platbu provést",
  _5017: "Banka plátce zamítla ověření 3-D Secure",
  _5018: "Banka plátce zamítla ověření 3-D Secure",
  _5019: "Banka plátce zamítla ověření 3-D Secure",
  _5020: "Neznámý obchodník nebo konfigurace",
  _5021: "Překročené limity karty",
  _5022: "Technický problém v autorizačním centru banky plátce",
  _5023: "Platba nebyla provedena",
  _5024: "Plátce nezadal platební údaje včas",
  _5025: "Platba nebyla provedena, důvod se sděluje plátci",
  _5026: "Platba nebyla provedena: připsané částky převyšují zaplacenou",
  _5027: "Platba nebyla provedena: uživatel k operaci nemá oprávnění",
  _5028: "Platba nebyla provedena: částka k úhradě převyšuje autorizovanou",
  _5029: "Platba zatím nebyla provedena",
  _5030: "Platba nebyla provedena ani po opakovaných pokusech o zúčtování",
  _5031: "Technický problém v bance při zpracování platby",
  _5033: "SMS nedorazila",
  _5035: "Karta vydaná v nepodporovaném regionu",
  _5036: "Problém s účtem karty",
  _5037: "Držitel karty platbu zrušil",
  _5038: "Platba nebyla provedena",
  _5039: "Blokovaná karta",
  _5040: "Duplicitní reverzace",
  _5041: "Duplicitní transakce",
  _5042: "Bankovní převod byl zamítnut",
  _5043: "Uživatel platbu zrušil",
  _5044: "SMS byla odeslána a zatím nebyla doručena",
  _5045: "Platba přijata, čeká na zpracování v síti Bitcoin",
  _5046: "Platba nebyla uhrazena v plné výši",
  _5047: "Zaplaceno po splatnosti",
  _5048: "GoPay nepopisuje",
  _5049: "GoPay nepopisuje",
  _5050: "GoPay nepopisuje",
  _6001: "GoPay nepopisuje",
  _6002: "GoPay nepopisuje",
  _6003: "GoPay nepopisuje",
  _6004: "GoPay nepopisuje",
  _6005: "GoPay nepopisuje",
  _6501: "GoPay nepopisuje",
  _6502: "Banka plátce zamítla ověření 3-D Secure",
  _6504: "Banka plátce zamítla ověření 3-D Secure"
}

/** Slovak for the sub-states that the pay page shows. */
const slovakSubStates: { readonly [code: string]: string } = {
  _5002: "Vyčerpaný limit karty",
  _5003: "Problém u vydavateľa karty",
  _5005: "Blokovaná karta",
  _5006: "Nedostatok prostriedkov",
  _5007: "Karta po skončení platnosti",
  _5008: "Chybný kód CVV/CVC",
  _5012: "Technický problém v autorizačnom centre banky platiteľa",
  _5013: "Chybné číslo karty",
  _5016: "Touto kartou platbu nemožno vykonať",
  _5018: "Banka platiteľa zamietla overenie 3-D Secure",
  _5021: "Prekročené limity karty",
  _5023: "Platba nebola vykonaná",
  _5024: "Platiteľ nezadal platobné údaje včas",
  _5031: "Technický problém v banke pri spracovaní platby",
  _5033: "SMS neprišla",
  _5035: "Karta vydaná v nepodporovanom regióne",
  _5037: "Držiteľ karty platbu zrušil",
  _5042: "Bankový prevod bol zamietnutý",
  _5043: "Používateľ platbu zrušil"
}

/**
 * The reason in a sub-state, without "Declined:"; empty for an unknown one, and in English if there is no translation.
 */
export const subStateText = (code: string, language: "cs" | "en" | "sk"): string => {
  const english: { readonly [code: string]: string } = PaymentSubStates
  const list = { cs: czechSubStates, sk: slovakSubStates, en: english }[language]
  const text = (ownMember(list, code) ?? ownMember(english, code) ?? "").replace(/^(Declined|Not made): /, "")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
