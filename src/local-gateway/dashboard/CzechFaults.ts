/**
 * The faults in Czech.
 */
import type { FaultName } from "../engine/Fault.plain.js"

/** A fault and its parameters. */
export interface FaultTexts {
  readonly description: string
  readonly parameters: { readonly [name: string]: string }
}

const effect = "committed: brána požadavek před poruchou provedla; none: nedostala se k němu."

/** The descriptions. */
export const czechFaults: { readonly [Name in FaultName]: FaultTexts } = {
  latency: {
    description: "Požadavek se provede hned; odpověď přijde později.",
    parameters: { milliseconds: "Zpoždění odpovědi." }
  },
  noResponse: {
    description: "Odpověď nepřijde a spojení zůstane otevřené.",
    parameters: { effect }
  },
  connectionReset: {
    description: "Spojení se přeruší dřív, než přijde odpověď.",
    parameters: { effect }
  },
  commitLater: {
    description: "Spojení se přeruší dřív, než přijde odpověď, a požadavek se provede až později.",
    parameters: { seconds: "Zpoždění provedení, v čase brány." }
  },
  slowBody: {
    description: "Požadavek se provede; tělo odpovědi přichází po kouscích.",
    parameters: { milliseconds: "Jak dlouho tělo přichází." }
  },
  truncatedBody: {
    description: "Požadavek se provede; spojení skončí v polovině těla odpovědi.",
    parameters: {}
  },
  wrongContentType: {
    description: "Požadavek se provede; odpověď tvrdí, že je jiného typu.",
    parameters: { contentType: "Typ, za který se odpověď vydává." }
  },
  htmlForbidden: {
    description: "Nic se neprovede; firewall odpoví 403 stránkou HTML.",
    parameters: {}
  },
  htmlBadGateway: {
    description: "Proxy odpoví 502 stránkou HTML.",
    parameters: { effect }
  },
  tokenRefused: {
    description: "Nic se neprovede; token se odmítne, u žádosti o token přihlašovací údaje.",
    parameters: { status: "Stav odpovědi, 401 nebo 403." }
  },
  refusal: {
    description: "Nic se neprovede; brána požadavek odmítne s kódem.",
    parameters: {
      code: "Kód brány, dokumentovaný či ne, od 0 do 9999.",
      status: "Stav odpovědi, od 400 do 499."
    }
  },
  rateLimited: {
    description: "Nic se neprovede; odpověď je 429, příliš mnoho požadavků.",
    parameters: {
      retryAfter: "Podoba hlavičky Retry-After: sekundy, datum, nebo žádná (absent).",
      seconds: "Jak dlouho má volající čekat."
    }
  },
  serverError: {
    description: "Brána odpoví, že selhala.",
    parameters: { status: "Stav odpovědi, od 500 do 599.", effect }
  },
  malformedJson: {
    description: "Požadavek se provede; odpověď je JSON, který uprostřed končí.",
    parameters: {}
  },
  wrongShape: {
    description: "Požadavek se provede; odpověď je seznam, kde má být objekt, nebo naopak.",
    parameters: {}
  },
  unknownEnumValues: {
    description: "Požadavek se provede; všechny kódy v odpovědi jsou neznámé.",
    parameters: {}
  },
  extraMembers: {
    description: "Požadavek se provede; každý objekt v odpovědi má o pole víc.",
    parameters: {}
  },
  nullMembers: {
    description: "Požadavek se provede; pole, která by odpověď vynechala, v ní jsou jako null.",
    parameters: {}
  },
  hugeBody: {
    description: "Požadavek se provede; za odpovědí následují mezery až do dané délky.",
    parameters: { bytes: "Délka celého těla, nejvýš 1073741824." }
  }
}
