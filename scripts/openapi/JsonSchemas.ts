/**
 * JSON Schemas (2020-12) of the gateway's requests and responses, made from the contract's schemas and the comments of its
 * interfaces.
 *
 * They show the form that the gateway is known to use. Further forms that the contract also reads, such as numbers as
 * text, are left out: if a schema converts a value, the result is shown.
 */
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import * as CodeLists from "../../src/contract/CodeLists.js"
import { ownMember } from "../../src/basics/OwnMember.js"
import { type CodeListNote, codeLists } from "../../src/contract/notes/CodeListNotes.js"
import { interfaceAbout, messageMembers } from "./MessageInterfaces.js"
import { described } from "../../src/contract/notes/Note.js"

/** Objects that have no interface in the contract: their path, name and description. */
const nameless: { readonly [name: string]: { readonly path: string; readonly about: string } } = {
  EnabledSwiftCurrency: { path: "EnabledSwift.currencies", about: "A bank in one currency." },
  QrBankAccount: { path: "QrRecipient.bank_account", about: "A bank account, in two ways of writing." },
  QrLocalAccount: {
    path: "QrRecipient.bank_account.local",
    about: "A bank account as it is written in the country."
  },
  QrInternationalAccount: {
    path: "QrRecipient.bank_account.international",
    about: "A bank account as it is written abroad."
  },
  QrAddress: { path: "QrRecipient.address", about: "An address. Weakly known: in one official client only." },
  RefundHistory: {
    path: "RefundHistory",
    about:
      "The refunds of a payment. Inferred: an empty array where there is none. Unknown: their order. Invented: oldest first."
  }
}

/** The name of the object at a path, or of its elements. */
const nameAt = (path: string): string | undefined => {
  if (path === "RefundHistory") return "RefundHistoryItem"
  const type = messageMembers.get(path)?.type
  return type?.includes(".") ? Object.keys(nameless).find((name) => nameless[name]?.path === type) : type
}

/** Formats that the contract does not check, as the `format` of JSON Schema. */
const formats: { readonly [path: string]: string } = {
  "PaymentResponse.gw_url": "uri",
  "CreatePaymentResponse.gw_url": "uri",
  "CardDetailsResponse.card_art_url": "uri",
  "InstrumentImage.normal": "uri",
  "InstrumentImage.large": "uri",
  "RecurrenceResponse.recurrence_date_to": "date"
}

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The sender of a message: a response may have further members, and `null` for an absent one. */
type Speaker = "client" | "gateway"

/** The place of a schema. */
interface Place {
  readonly speaker: Speaker
  /** Where the contract's interfaces declare it, such as `Payer.contact`. */
  readonly path: string
  /** A required member that is missing here because its value is the key of the object. */
  readonly keyedBy?: string | undefined
}

/** A member of an object. */
interface Member {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/** JSON Schemas by the name they have in an OpenAPI document. */
export class JsonSchemas {
  private readonly named = new Map<string, JsonSchema>()

  /** All schemas that were referred to, in alphabetical order. */
  get components(): { readonly [name: string]: JsonSchema } {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Refers to the schema of a message, which becomes a component. */
  message(name: string, ast: SchemaAST.AST, { keyedBy, speaker }: Omit<Place, "path">): JsonSchema {
    return this.component(name, () => {
      const { about, path } = nameless[name] ?? { about: interfaceAbout.get(name) ?? "", path: name }
      return { ...described(about), ...this.shape(ast, { speaker, path, keyedBy }) }
    })
  }

  /** Refers to a list of codes, which becomes a component. */
  codes(name: CodeListName): JsonSchema {
    return this.component(name, () => codeSchema(codeLists[name]))
  }

  /** The members of a message, one by one. */
  members(name: string, ast: SchemaAST.AST, speaker: Speaker): ReadonlyArray<Member> {
    return SchemaAST.isObjects(ast) ? this.membersOf(ast, { speaker, path: name }) : []
  }

  private component(name: string, make: () => JsonSchema): JsonSchema {
    if (!this.named.has(name)) this.named.set(name, make())
    return { $ref: `#/components/schemas/${name}` }
  }

  /** The schema of a value. An object gets a name if the interfaces have one. */
  private value(ast: SchemaAST.AST, place: Place): JsonSchema {
    const codes = this.codeListOf(ast)
    if (codes !== undefined) return this.codes(codes)
    const name = nameAt(place.path)
    if (name !== undefined && isNamable(ast)) return this.message(name, ast, place)
    const shape = this.shape(ast, place)
    // A number that may be sent as text has the same bounds.
    return ast.encoding === undefined || SchemaAST.isNumber(ast) ? (ast.checks ?? []).reduce(withCheck, shape) : shape
  }

  /** The list of known codes of a text that may also be any other. */
  private codeListOf(ast: SchemaAST.AST): CodeListName | undefined {
    // The outermost annotations of an integer are on its check.
    const list = ast.annotations?.["codeList"] ?? SchemaAST.resolve(ast)?.["codeList"]
    if (list === undefined) return undefined
    const name = Struct.keys(codeLists).find((name) => codeLists[name].codes === list)
    if (name === undefined) {
      const row = "give it a row in src/contract/notes/CodeListNotes.ts"
      throw new Error(`Nothing is said of the list of codes ${JSON.stringify(list)}: ${row}.`)
    }
    return name
  }

  private shape(ast: SchemaAST.AST, place: Place): JsonSchema {
    switch (ast._tag) {
      case "String":
        return { type: "string" }
      case "Number":
        return { type: "number" }
      case "Boolean":
        return { type: "boolean" }
      case "Literal":
        return { const: ast.literal }
      case "Unknown":
        return {}
      case "Declaration":
        return (ast.checks ?? []).reduce(withCheck, {})
      case "Arrays":
        return this.array(ast, place)
      case "Objects":
        return ast.indexSignatures.length > 0 ? this.map(ast, place) : this.object(ast, place)
      case "Union":
        return this.union(ast, place)
      default:
        throw new Error(`The contract uses ${ast._tag}, which has no JSON Schema yet.`)
    }
  }

  private array(ast: SchemaAST.Arrays, { path, speaker }: Place): JsonSchema {
    const [element] = ast.rest
    if (element === undefined) return { type: "array" }
    const key = ast.annotations?.["keyedBy"]
    if (typeof key !== "string") return { type: "array", items: this.value(element, { speaker, path }) }
    const keyed = this.value(element, { speaker, path, keyedBy: key })
    const description = `Keyed by \`${key}\`, which the members then lack.`
    return {
      anyOf: [
        { type: "array", items: { ...keyed, type: "object", required: [key] } },
        { type: "object", description, additionalProperties: keyed }
      ]
    }
  }

  private map(ast: SchemaAST.Objects, { path, speaker }: Place): JsonSchema {
    const values = ast.indexSignatures.map(({ type }) => this.value(type, { speaker, path }))
    return { type: "object", additionalProperties: values.length === 1 ? values[0] : { anyOf: values } }
  }

  private object(ast: SchemaAST.Objects, place: Place): JsonSchema {
    const members = this.membersOf(ast, place)
    const required = members.filter((member) => member.required).map(({ name }) => name)
    return {
      type: "object",
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      ...(place.speaker === "gateway" ? { additionalProperties: true } : {})
    }
  }

  private membersOf(ast: SchemaAST.Objects, { keyedBy, path: at, speaker }: Place): ReadonlyArray<Member> {
    return ast.propertySignatures.map((property) => {
      const name = String(property.name)
      const path = `${at}.${name}`
      const format = formats[path]
      const value = { ...this.value(property.type, { speaker, path }), ...(format === undefined ? {} : { format }) }
      const isOptional = SchemaAST.isOptional(property.type)
      return {
        name,
        required: !isOptional && name !== keyedBy,
        schema: {
          ...described(messageMembers.get(path)?.about ?? ""),
          ...(isOptional && speaker === "gateway" ? nullable(value) : value)
        }
      }
    })
  }

  private union(ast: SchemaAST.Union, place: Place): JsonSchema {
    const forms = ast.types
      .filter(
        (member) => SchemaAST.isNumber(member) || (!SchemaAST.isUndefined(member) && member.encoding === undefined)
      )
      .map((member) => this.value(member, place))
    return forms.length === 1 ? { ...forms[0] } : { anyOf: forms }
  }
}

/** Only an object with members gets a name; for an array or a map, its contents do. */
const isNamable = (ast: SchemaAST.AST): boolean => SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0

const nullable = (schema: JsonSchema): JsonSchema =>
  typeof schema["type"] === "string"
    ? { ...schema, type: [schema["type"], "null"] }
    : Array.isArray(schema["anyOf"])
      ? { ...schema, anyOf: [...schema["anyOf"], { type: "null" }] }
      : { anyOf: [schema, { type: "null" }] }

const jsonTypes = ["string", "number", "integer", "array", "object"] as const

/** Adds the equivalent of a check in JSON Schema, if there is one. */
const withCheck = (schema: JsonSchema, check: SchemaAST.Check<unknown>): JsonSchema => {
  const type = jsonTypes.find((name) => name === schema["type"])
  const made = check.annotations?.toJsonSchema?.({ type, schemas: [] }) ?? {}
  const keywords = withoutSafeBounds(Array.isArray(made) ? made[0] : made)
  return "pattern" in keywords && "pattern" in schema ? { ...schema, allOf: [keywords] } : { ...schema, ...keywords }
}

/** The bounds of safe integers are left out, since they may have more than 32 bits. */
const withoutSafeBounds = ({ maximum, minimum, ...others }: JsonSchema): JsonSchema => ({
  ...others,
  ...(Array.isArray(others["anyOf"]) ? { anyOf: others["anyOf"].map(withoutSafeBounds) } : {}),
  ...(others["type"] === "integer" ? { format: "int64" } : {}),
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
})

// ---------------------------------------------------------------------------------------------------------------------
// Lists of codes
// ---------------------------------------------------------------------------------------------------------------------

type CodeListName = keyof typeof codeLists

type CodeMeaning =
  | string
  | { readonly bank: string; readonly country: string | null }
  | { readonly contentType: string; readonly extension: string }
  | { readonly name: string | null; readonly meaning: string }

const meaningOf = (entry: CodeMeaning): string => {
  if (typeof entry === "string") return entry
  if ("bank" in entry) return entry.country === null ? entry.bank : `${entry.bank} (${entry.country})`
  if ("extension" in entry) return `${entry.contentType}, a \`${entry.extension}\` file`
  return entry.name === null ? entry.meaning : `${entry.name}. ${entry.meaning}`
}

const undescribed = "Unknown: its meaning."

const lists = { ...CodeLists }

/** Open: the known codes, or any other of the same type. */
const codeSchema = ({ about, codes: list, doubts = {} }: CodeListNote): JsonSchema => {
  const codes: { readonly [code: string]: CodeMeaning } = lists[list]
  const isNumeric = Object.keys(codes).every((code) => /^\d+$/.test(code))
  const type = isNumeric ? "integer" : "string"
  const meanings = Object.entries(codes).map(([code, entry]) => {
    const doubt = ownMember(doubts, code) ?? (entry === "undescribed by GoPay" ? undescribed : undefined)
    const meaning = meaningOf(entry)
    return [code, doubt === undefined ? meaning : `${meaning}. ${doubt}`] as const
  })
  const { description, ...evidence } = described(about)
  const lines = meanings.map(([code, meaning]) => `- \`${code}\`: ${meaning}`).join("\n")
  return {
    description: `${description} The list is open.\n\n${lines}`,
    ...evidence,
    anyOf: [
      {
        type,
        enum: meanings.map(([code]) => (isNumeric ? Number(code) : code)),
        "x-enumDescriptions": Object.fromEntries(meanings)
      },
      { type, description: "A code that is not listed here." }
    ]
  }
}
