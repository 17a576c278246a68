/**
 * A call of the API in several languages. Letters stay as they are: the gateway's firewall refuses `\u` escapes.
 */
import type { Endpoint, Parameter } from "./ReferenceDocument.js"

/** A call in a language. */
export interface CodeSample {
  readonly language: "curl" | "Node.js" | "Python" | "PHP"
  readonly code: string
}

/** The body of a call, as it is sent. */
interface Body {
  readonly contentType: string
  readonly example: unknown
}

const formType = "application/x-www-form-urlencoded"

const json = (value: unknown): string => JSON.stringify(value, null, 2)

const fieldsOf = (example: unknown): ReadonlyArray<readonly [string, string]> =>
  typeof example === "object" && example !== null
    ? Object.entries(example).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
    : []

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A value in the syntax of a language that has JSON's but for its words. */
const literal = (value: unknown, words: ReadonlyMap<string, string>): string =>
  json(value).replace(/\b(true|false|null)\b(?=[,\n\]}]|$)/g, (word) => words.get(word) ?? word)

const pythonWords = new Map([
  ["true", "True"],
  ["false", "False"],
  ["null", "None"]
])

const inPython = (value: unknown): string => literal(value, pythonWords)

const inPhp = (value: unknown, indent = ""): string => {
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? `'${value.replaceAll(/['\\]/g, "\\$&")}'` : JSON.stringify(value)
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((one) => `${inner}${inPhp(one, inner)}`)
    : Object.entries(value).map(([name, one]) => `${inner}'${name}' => ${inPhp(one, inner)}`)
  return members.length === 0 ? "[]" : `[\n${members.join(",\n")}\n${indent}]`
}

const inTypeScript = (value: unknown): string => json(value).replaceAll(/^(\s*)"([A-Za-z_]\w*)": /gm, "$1$2: ")

/** Values of parameters that have no example in the document. */
const examples: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ["card_id", 3_000_000_011],
  ["currency", "CZK"],
  ["goid", 8_123_456_781],
  ["id", 3_000_000_001]
])

/** An example of a parameter's value. */
export const exampleOf = ({ example, name = "" }: Parameter): string | number => {
  const known = typeof example === "string" || typeof example === "number" ? example : examples.get(name)
  return known ?? name
}

/** A path with the examples of its parameters. */
const pathOf = ({ parameters, path }: Endpoint): string =>
  parameters.reduce(
    (filled, parameter) =>
      parameter.in === "path" ? filled.replace(`{${parameter.name}}`, String(exampleOf(parameter))) : filled,
    path
  )

const bodyOf = ({ operation }: Endpoint): Body | undefined => {
  const [entry] = Object.entries(operation.requestBody?.content ?? {})
  return entry === undefined ? undefined : { contentType: entry[0], example: entry[1].example }
}

const curl = (endpoint: Endpoint, base: string, body: Body | undefined): string => {
  const isToken = endpoint.operation.operationId === "getAccessToken"
  return [
    `curl -X ${endpoint.method} ${inShell(`${base}${pathOf(endpoint)}`)}`,
    isToken ? `-u "$GOPAY_CLIENT_ID:$GOPAY_CLIENT_SECRET"` : `-H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.contentType}'`]),
    ...(body === undefined || body.example === undefined
      ? []
      : body.contentType === formType
        ? fieldsOf(body.example).map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`)
        : [`-d ${inShell(json(body.example))}`])
  ].join(" \\\n  ")
}

const node = ({ operation, parameters }: Endpoint, body: Body | undefined): string => {
  const head = `import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"

const gateway = createGatewayClient(optionsFromEnv(process.env))
`
  if (operation.operationId === "getAccessToken")
    return `${head}await gateway.warm() // every call gets its token by itself`
  const args = [
    ...parameters.flatMap((parameter) => (parameter.in === "path" ? [JSON.stringify(exampleOf(parameter))] : [])),
    ...(body?.example === undefined ? [] : [inTypeScript(body.example)])
  ]
  return `${head}const response = await gateway.${operation.operationId}(${args.join(", ")})
console.log(response)`
}

const python = (endpoint: Endpoint, base: string, body: Body | undefined): string => {
  const isToken = endpoint.operation.operationId === "getAccessToken"
  const example = body?.example
  const isForm = body?.contentType === formType
  return `import json, os, requests

response = requests.request(
    "${endpoint.method}",
    "${base}${pathOf(endpoint)}",
    ${
      isToken
        ? `auth=(os.environ["GOPAY_CLIENT_ID"], os.environ["GOPAY_CLIENT_SECRET"])`
        : `headers={"Authorization": "Bearer " + os.environ["TOKEN"]${body === undefined ? "" : `, "Content-Type": "${body.contentType}"`}}`
    },${
      example === undefined
        ? ""
        : isForm
          ? `\n    data=${inPython(Object.fromEntries(fieldsOf(example)))},`
          : `\n    data=json.dumps(${inPython(example)}, ensure_ascii=False).encode(),`
    }
)
print(response.json())`
}

const php = (endpoint: Endpoint, base: string, body: Body | undefined): string => {
  const isToken = endpoint.operation.operationId === "getAccessToken"
  const isForm = body?.contentType === formType
  const example = body?.example
  const options = [
    `CURLOPT_CUSTOMREQUEST => '${endpoint.method}'`,
    "CURLOPT_RETURNTRANSFER => true",
    ...(isToken ? ["CURLOPT_USERPWD => getenv('GOPAY_CLIENT_ID') . ':' . getenv('GOPAY_CLIENT_SECRET')"] : []),
    `CURLOPT_HTTPHEADER => [${[
      ...(isToken ? [] : ["'Authorization: Bearer ' . getenv('TOKEN')"]),
      ...(body === undefined ? [] : [`'Content-Type: ${body.contentType}'`])
    ].join(", ")}]`,
    ...(example === undefined
      ? []
      : [
          isForm
            ? `CURLOPT_POSTFIELDS => http_build_query(${inPhp(Object.fromEntries(fieldsOf(example)), "  ")})`
            : `CURLOPT_POSTFIELDS => json_encode(${inPhp(example, "  ")}, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES)`
        ])
  ]
  return `<?php
$call = curl_init('${base}${pathOf(endpoint)}');
curl_setopt_array($call, [
  ${options.join(",\n  ")}
]);
print_r(json_decode(curl_exec($call), true));`
}

/** A call of an endpoint, with the examples of its document. `hasClient`: the client of this package has the operation. */
export const codeSamples = (endpoint: Endpoint, base: string, hasClient: boolean): ReadonlyArray<CodeSample> => {
  const body = bodyOf(endpoint)
  return [
    { language: "curl", code: curl(endpoint, base, body) },
    ...(hasClient ? [{ language: "Node.js", code: node(endpoint, body) } as const] : []),
    { language: "Python", code: python(endpoint, base, body) },
    { language: "PHP", code: php(endpoint, base, body) }
  ]
}
