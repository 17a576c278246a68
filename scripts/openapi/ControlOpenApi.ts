/**
 * The OpenAPI 3.1 document of the control API, made from its declaration.
 */
import * as Schema from "effect/Schema"
import { version } from "../../src/package/Version.js"
import { type ControlEndpoint, controlEndpoints, controlTags } from "../../src/local-gateway/pages/ControlEndpoints.js"
import { ControlError } from "../../src/local-gateway/pages/ControlMessages.js"
import type { JsonSchema } from "./JsonSchemas.js"
import { ownMember } from "../../src/basics/OwnMember.js"

/** An OpenAPI 3.1 document; fit for `JSON.stringify`. */
interface ControlDocument {
  readonly openapi: string
  readonly servers: ReadonlyArray<{ readonly [member: string]: unknown }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } }
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonSchema }
  }
  readonly [member: string]: unknown
}

/** JSON Schemas, of which the named ones are components. */
class Components {
  private readonly named = new Map<string, JsonSchema>()

  get schemas(): { readonly [name: string]: JsonSchema } {
    return Object.fromEntries(this.named)
  }

  /** The JSON Schema of a schema's type, after conversion. */
  of(schema: Schema.Constraint): JsonSchema {
    const { definitions, schema: made } = Schema.toJsonSchemaDocument(Schema.toType(schema), {
      onExcessProperty: "error"
    })
    for (const [name, definition] of Object.entries(definitions)) {
      const component = referring(definition)
      const known = this.named.get(name) ?? component
      if (JSON.stringify(known) !== JSON.stringify(component)) throw new Error(`Two schemas are called ${name}.`)
      this.named.set(name, component)
    }
    return { ...referring(made) }
  }
}

/** The same schema with references to components. A single alternative is not listed as one. */
const referring = (schema: object): { [name: string]: JsonSchema } =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), (_, member: unknown) => {
    if (typeof member !== "object" || member === null || !("anyOf" in member)) return member
    const { anyOf, ...rest } = member
    return Array.isArray(anyOf) && anyOf.length === 1 ? { ...rest, ...anyOf[0] } : member
  })

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The schema of a body, in which members with a default are optional. */
const withDefaults = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, member: unknown) => {
    if (!isObject(member) || !isObject(member["properties"]) || !Array.isArray(member["required"])) return member
    const { properties, required, ...rest } = member
    const needed = required.filter((name: unknown) => {
      const property = ownMember(properties, String(name))
      return !isObject(property) || !("default" in property)
    })
    return { ...rest, properties, ...(needed.length === 0 ? {} : { required: needed }) }
  })

const description = `Controls a local gateway of effect-gopay: the payer, time, settings and the whole state. It is a tool for developers and not part of GoPay.

Amounts are integers in minor units (haléře, cents). Every action is a POST with a JSON body and \`content-type: application/json\`. Requests that a browser sends for another site are refused with 403.`

/** The document of the control API. */
export const controlDocument = (): ControlDocument => {
  const components = new Components()
  const paths = new Map<string, { readonly [method: string]: unknown }>()
  for (const [name, endpoint] of Object.entries<ControlEndpoint>(controlEndpoints)) {
    const operations = { [endpoint.method.toLowerCase()]: operation(name, endpoint, components) }
    paths.set(endpoint.path, { ...paths.get(endpoint.path), ...operations })
  }
  return {
    openapi: "3.1.1",
    info: { title: "Local gateway: control API", version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "http://127.0.0.1:4646/local-gateway", description: "A local gateway on its own port." }],
    tags: Object.entries(controlTags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    security: [],
    components: { schemas: components.schemas }
  }
}

const parametersOf = ({ path, query }: ControlEndpoint, components: Components) => [
  ...(path.includes("{id}")
    ? [
        {
          name: "id",
          in: "path",
          required: true,
          description: "Id of the payment.",
          schema: { type: "integer", minimum: 1 }
        }
      ]
    : []),
  ...Object.entries(query.fields ?? {}).map(([name, field]) => {
    const { description, ...schema } = components.of(field)
    return { name, in: "query", required: false, ...(description === undefined ? {} : { description }), schema }
  })
]

const refusalMeanings = {
  400: "The request is invalid; `problems` names the fields.",
  403: "A browser sent the request for another site, or the `Host` is not this gateway's.",
  404: "There is no such payment, or no such fault.",
  409: "The payment does not allow it: `WrongPaymentState`, `InstrumentNotOffered` or `Refused`.",
  413: "The body is too large.",
  415: "The content type is not `application/json`."
}

const operation = (name: string, endpoint: ControlEndpoint, components: Components) => {
  const { body, description, example, method, refusals, response, summary, tag } = endpoint
  const isAction = method === "POST"
  const statuses = [400, 403, ...refusals, ...(isAction ? ([413, 415] as const) : [])] as const
  const error = components.of(ControlError)
  return {
    operationId: name,
    summary,
    tags: [tag],
    ...(description === undefined ? {} : { description }),
    parameters: parametersOf(endpoint, components),
    ...(isAction
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: withDefaults(components.of(body)), example: example ?? {} } }
          }
        }
      : {}),
    responses: {
      200: { description: summary, content: { "application/json": { schema: components.of(response) } } },
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: refusalMeanings[status], content: { "application/json": { schema: error } } }
        ])
      )
    }
  }
}
