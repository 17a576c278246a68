/**
 * The OpenAPI 3.1 document of the gateway: the endpoints of the contract, with what is known about them.
 */
import * as CodeLists from "../../src/contract/CodeLists.js"
import * as Endpoint from "../../src/contract/Endpoint.js"
import * as GatewaySchema from "../../src/contract/GatewaySchema.js"
import * as ResponseSchema from "../../src/contract/ResponseSchema.js"
import { version } from "../../src/package/Version.js"
import { type JsonSchema, JsonSchemas } from "./JsonSchemas.js"
import { described, describedTogether, evidenceMeanings } from "../../src/contract/notes/Note.js"
import * as notes from "../../src/contract/notes/OperationNotes.js"

/** An OpenAPI 3.1 document; fit for `JSON.stringify`. */
interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly [member: string]: unknown }
  readonly servers: ReadonlyArray<{ readonly [member: string]: unknown }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: OpenApiOperation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
    readonly [member: string]: unknown
  }
}

/** An operation of an {@link OpenApiDocument}. */
interface OpenApiOperation {
  readonly operationId: string
  readonly [member: string]: unknown
}

type AnyEndpoint = (typeof Endpoint)[keyof typeof Endpoint]

/** The addresses of the gateway, each with its token endpoint. */
const sandbox = "https://gw.sandbox.gopay.com/api"
const production = "https://gate.gopay.cz/api"

const gatewayServers = [
  { url: sandbox, description: "GoPay's sandbox." },
  { url: production, description: "GoPay. Money moves." },
  {
    url: "http://127.0.0.1:{port}/api",
    description: "A local gateway.",
    variables: { port: { default: "4646", description: "Where the local gateway listens." } }
  }
]

const evidenceList = Object.entries(evidenceMeanings).map(([word, meaning]) => `- \`${word}\`: ${meaning}.`)

const description = `The payment gateway of GoPay, REST API v3, as far as it is known. An unofficial description, made from the contract of effect-gopay.

Amounts are integers in minor units (haléře, cents): \`139950\` is 1,399.50. Days are \`yyyy-mm-dd\`.

A response may have members and codes that are not listed, and \`null\` for an absent member. Statuses other than the listed ones, and bodies that are not JSON, are undocumented and possible: a firewall before the gateway responds with 403 in HTML, also to JSON with \`\\u\` escapes.

Sentences that begin with a mark say how well something is known. \`x-evidence\` beside the description names the least certain mark:

${evidenceList.join("\n")}

A description without a mark is documented. A sentence after "Invented" says what the local gateway of effect-gopay does where it had to choose; it is no fact about GoPay.`

/** The OpenAPI document of the gateway. */
export const openApiDocument = (): OpenApiDocument => {
  const schemas = new JsonSchemas()
  const paths: { [path: string]: { [method: string]: OpenApiOperation } } = {}
  for (const forms of formsOfOperations()) {
    const [{ method, path }] = forms
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(forms, schemas) }
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "GoPay REST API v3",
      version,
      summary: "Payments, refunds, recurrences, authorizations, stored cards and statements.",
      description,
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: gatewayServers,
    tags: Object.entries(notes.tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components,
      parameters,
      securitySchemes
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------------------------------

/** The endpoints of one method and path: a full and a partial capture are forms of one operation. */
type Forms = readonly [AnyEndpoint, ...ReadonlyArray<AnyEndpoint>]

const endpoints = { ...Endpoint }

const isEndpointName = (name: string): name is keyof typeof endpoints => Object.hasOwn(endpoints, name)

const formsOfOperations = (): ReadonlyArray<Forms> => {
  const byRoute = new Map<string, Forms>()
  // In the order of the notes, since a module's exports are in alphabetical order.
  for (const name of Object.keys(notes.operations).filter(isEndpointName)) {
    const endpoint = endpoints[name]
    const route = `${endpoint.method} ${endpoint.path}`
    const [first, ...others] = byRoute.get(route) ?? []
    byRoute.set(route, first === undefined ? [endpoint] : [first, ...others, endpoint])
  }
  return [...byRoute.values()]
}

const operation = (forms: Forms, schemas: JsonSchemas): OpenApiOperation => {
  const [endpoint] = forms
  const known = forms.map(({ name }) => notes.operations[name])
  const note = notes.operations[endpoint.name]
  return {
    operationId: endpoint.name,
    summary: note.summary,
    ...describedTogether(
      known.map(({ about }) => about),
      "\n\n"
    ),
    tags: [note.tag],
    parameters: [
      ...pathParametersOf(endpoint.path, schemas),
      ...queryParametersOf(endpoint, schemas),
      { $ref: "#/components/parameters/AcceptLanguage" }
    ],
    ...requestBody(forms, schemas),
    responses: {
      ...success(endpoint, note, schemas),
      ...refusals(endpoint, Object.assign({}, ...known.map(({ refusals }) => refusals)), schemas)
    },
    security: security(endpoint, note),
    ...(endpoint.name === "createPayment" ? { callbacks: { stateChange } } : {})
  }
}

/**
 * The name of a message that the contract exports. If several have the same schema, the one named after the operation.
 */
const messageName = (schema: unknown, operation: string): string => {
  const names = Object.entries({ ...ResponseSchema, ...GatewaySchema }).flatMap(([name, candidate]) =>
    candidate === schema ? [name] : []
  )
  const name = names.find((candidate) => operation.endsWith(candidate.replace(/Response$/, ""))) ?? names[0]
  if (name === undefined) throw new Error(`The contract does not export a message of ${operation}.`)
  return name
}

// Requests ------------------------------------------------------------------------------------------------------------

const parameters = {
  AcceptLanguage: {
    name: "Accept-Language",
    in: "header",
    required: false,
    ...described("Language of the messages of errors, and of nothing else: English, the default, or Czech (`cs`)."),
    schema: { type: "string" },
    example: "en-US"
  }
}

const pathParametersOf = (path: string, schemas: JsonSchemas) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  return Object.entries(notes.pathParameters).flatMap(([name, note]) =>
    names.includes(name)
      ? [
          {
            name,
            in: "path",
            required: true,
            ...described(note),
            schema: name === "currency" ? schemas.codes("Currency") : { type: "integer", format: "int64", minimum: 1 }
          }
        ]
      : []
  )
}

const queryParametersOf = ({ name, request }: AnyEndpoint, schemas: JsonSchemas) => {
  if (!("schema" in request) || request.type !== "query") return []
  return schemas
    .members(messageName(request.schema, name), request.schema.ast, "client")
    .map(({ name, required, schema: { description, "x-evidence": evidence, ...schema } }) => ({
      name,
      in: "query",
      required,
      description,
      "x-evidence": evidence,
      schema
    }))
}

const formType = "application/x-www-form-urlencoded"

/** Bodies by content type. */
const content = ({ name, request }: AnyEndpoint, schemas: JsonSchemas): { readonly [type: string]: object } => {
  if (request.type === "emptyForm") return { [formType]: { schema: { type: "object", maxProperties: 0 } } }
  if (!("schema" in request) || request.type === "query") return {}
  const { examples = {}, orJson } = notes.operations[name]
  const schema = schemas.message(messageName(request.schema, name), request.schema.ast, { speaker: "client" })
  const media = (type: string) => ({ schema, ...(Object.hasOwn(examples, type) ? { example: examples[type] } : {}) })
  if (request.type === "json") return { "application/json": media("application/json") }
  return {
    [formType]: media(formType),
    ...(orJson === undefined
      ? {}
      : { "application/json": { ...media(formType), schema: { ...schema, ...described(orJson) } } })
  }
}

const requestBody = (forms: Forms, schemas: JsonSchemas) => {
  const bodies: { readonly [type: string]: object } = Object.assign({}, ...forms.map((form) => content(form, schemas)))
  if (Object.keys(bodies).length === 0) return {}
  const mayBeEmpty = forms.some(({ request }) => request.type === "emptyForm")
  return {
    requestBody: {
      ...(mayBeEmpty
        ? described("May be empty. Recorded: official clients send an empty body with and without a content type.")
        : {}),
      required: !mayBeEmpty,
      content: bodies
    }
  }
}

// Responses -----------------------------------------------------------------------------------------------------------

const success = (endpoint: AnyEndpoint, { success }: notes.OperationNote, schemas: JsonSchemas) => {
  const about = described(success)
  const { name, response } = endpoint
  switch (response.type) {
    case "none":
      return { 204: about }
    case "file":
      return {
        200: {
          ...about,
          headers: {
            "Content-Disposition": {
              ...described("Name of the file. Unknown: whether it is sent. Invented: it is."),
              schema: { type: "string" }
            }
          },
          content: { "application/octet-stream": { schema: { contentMediaType: "application/octet-stream" } } }
        }
      }
    case "json":
      return {
        200: {
          ...about,
          content: {
            "application/json": {
              schema: schemas.message(messageName(response.schema, name), response.schema.ast, { speaker: "gateway" })
            }
          }
        }
      }
  }
}

const statusOf = (code: number): number | undefined => {
  const codes: { readonly [code: number]: { readonly status: number } } = CodeLists.ErrorCodes
  return codes[code]?.status
}

const refusals = ({ authorization }: AnyEndpoint, own: notes.OperationNote["refusals"], schemas: JsonSchemas) => {
  const schema = schemas.message("ErrorResponse", ResponseSchema.ErrorResponse.ast, { speaker: "gateway" })
  return Object.fromEntries(
    Object.entries(notes.commonRefusals).flatMap(([status, { about, codes }]) => {
      const known = Object.entries({ ...codes, ...own })
        .filter(([code]) => authorization === "bearer" || code !== "200")
        .filter(([code]) => statusOf(Number(code)) === Number(status))
        .map(([code, text]) => `- \`${code}\`: ${text}`)
      if (status === "409" && known.length === 0) return []
      const response = {
        ...describedTogether([about, ...known], "\n"),
        content: { "application/json": { schema } }
      }
      return [[status, response] as const]
    })
  )
}

// Security ------------------------------------------------------------------------------------------------------------

const securitySchemes = {
  clientCredentials: { type: "http", scheme: "basic", description: "ClientID and ClientSecret, to get a token." },
  accessToken: { type: "http", scheme: "bearer", description: "The token that getAccessToken gives." },
  oauth2: {
    type: "oauth2",
    description: "The same token, for tools that get it themselves. The address is that of the first server.",
    flows: {
      clientCredentials: { tokenUrl: `${sandbox}${Endpoint.getAccessToken.path}`, scopes: CodeLists.TokenScopes }
    }
  }
}

const security = ({ authorization }: AnyEndpoint, { scopes = ["payment-all"] }: notes.OperationNote) =>
  authorization === "basic"
    ? [{ clientCredentials: [] }]
    : [{ accessToken: [] }, ...scopes.map((scope) => ({ oauth2: [scope] }))]

// Notifications -------------------------------------------------------------------------------------------------------

const paymentId = { type: "integer", format: "int64" }

const stateChange = {
  "{$request.body#/callback/notification_url}": {
    get: {
      summary: "A payment has changed its state",
      ...described(
        "Sent on each change of state but those to CREATED and PAYMENT_METHOD_CHOSEN, with `id` added to the query of the address. It bears no state and no signature: read the payment. It may come twice, late, or out of order. Unknown: how long the gateway waits for the response, and between two attempts."
      ),
      parameters: [
        { name: "id", in: "query", required: true, ...described("Id of the payment."), schema: paymentId },
        {
          name: "parent_id",
          in: "query",
          required: false,
          ...described("Of a further payment of a recurrence: its first payment. Weakly known: from third-party code."),
          schema: paymentId
        }
      ],
      security: [],
      responses: {
        200: described("Taken. The body is not checked."),
        "4XX": described("Not taken: sent again, as at any other status."),
        default: described("Any other status: sent again, 20 times at most.")
      }
    }
  }
}
