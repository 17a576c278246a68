#!/usr/bin/env node
/// <reference types="node" />
/**
 * The command line: `effect-gopay local-gateway`.
 */
import { existsSync, readFileSync } from "node:fs"
import { parseArgs, styleText } from "node:util"
import { version } from "./api/Version.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "./local-gateway/engine/Journal.plain.js"
import type { LocalMerchant } from "./local-gateway/promise/RunningLocalGateway.plain.js"
import type { SettingsChange } from "./local-gateway/settings/Settings.plain.js"

const help = `Usage: effect-gopay local-gateway [options]

Runs a local gateway: it stands in for GoPay's REST API v3 while you build and test.
It prints the addresses to open and the environment variables to set, then a line for each request.

Options:
  --port NUMBER      where to listen; 0 lets the system choose (default: 4646)
  --host NAME        the address to listen on (default: 127.0.0.1, this machine only)
  --allow-host NAME  a name by which the gateway may be called besides localhost, such as
                     gopay between containers; may be repeated
  --seed FILE        what to begin with: merchants, payments, cards, settings (JSON;
                     its schema is effect-gopay/seed.schema.json)
  --data FILE        keep the state in this file between runs; made when it is not there,
                     and used in place of the seed when it is
  --set NAME=VALUE   a setting, such as --set refund=acceptedThenFailed; may be repeated
                     (their names and values: Settings on the dashboard, or docs/local-gateway.md)
  --quiet            print no line for each request
  --help             print this
  --version          print the version

It ends with status 0 when it is stopped (Ctrl-C), 1 when it cannot start, 2 when it is called wrongly.
`

/** It was called wrongly, or cannot start. */
class Failure extends Error {
  readonly status: 1 | 2

  constructor(status: 1 | 2, message: string) {
    super(message)
    this.status = status
  }
}

const usage = (message: string): Failure => new Failure(2, `${message}\nTry: effect-gopay local-gateway --help`)

const given = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        port: { type: "string", default: "4646" },
        host: { type: "string", default: "127.0.0.1" },
        "allow-host": { type: "string", multiple: true, default: [] },
        seed: { type: "string" },
        data: { type: "string" },
        set: { type: "string", multiple: true, default: [] },
        quiet: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        version: { type: "boolean", short: "v", default: false }
      }
    })
  } catch (error) {
    // Node goes on to tell of positional arguments, which this command has none of.
    throw usage(error instanceof Error ? (error.message.split(". ")[0] ?? error.message) : String(error))
  }
}

const portOf = (text: string): number => {
  const port = Number(text)
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw usage(`--port must be a whole number from 0 to 65535, not ${text}`)
}

const settingValue = (text: string): unknown => {
  if (text.startsWith("[")) return JSON.parse(text)
  return /^\d+$/.test(text) ? Number(text) : text
}

/** What is wrong with them is told when the gateway is started. */
const settingsOf = (texts: ReadonlyArray<string>): SettingsChange =>
  Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw usage(`--set must be NAME=VALUE, not ${text}`)
      try {
        return [name, settingValue(value)]
      } catch {
        throw usage(`--set ${name}: a list must be JSON, such as ["shop.test"]`)
      }
    })
  )

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new Failure(1, `The seed ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Style = Parameters<typeof styleText>[0]

const painter = (isColoured: boolean) => (style: Style, text: string) => (isColoured ? styleText(style, text) : text)

const requestLine = (
  { at, fault, method, operation = "", path, paymentId, status }: JournalEntry<LoggedRequest>,
  paint: ReturnType<typeof painter>
): string => {
  const style = status === 0 || status >= 500 ? "red" : status >= 400 ? "yellow" : "green"
  return [
    paint("dim", new Date(at).toLocaleTimeString("en-GB")),
    paint(style, status === 0 ? "---" : String(status)),
    method.padEnd(6),
    path,
    paint("bold", operation),
    ...(paymentId === undefined ? [] : [`#${paymentId}`]),
    ...(fault === undefined ? [] : [paint("red", `fault: ${fault}`)])
  ]
    .filter((part) => part !== "")
    .join(" ")
}

type Notified = Extract<JournalEntry<LoggedEvent>, { readonly type: "notification" }>

const notificationLine = ({ at, attempt, problem, status, url }: Notified, paint: ReturnType<typeof painter>): string =>
  [
    paint("dim", new Date(at).toLocaleTimeString("en-GB")),
    paint(status === 200 ? "green" : "yellow", status === 0 ? "---" : String(status)),
    `notify ${url}`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(problem === undefined ? [] : [paint("yellow", problem)])
  ].join(" ")

/** Quoted where a shell would read more into it. */
const quoted = (value: string): string =>
  /^[\w./:@%+=-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`

const environmentLines = ({ clientId, clientSecret, environment, goid }: LocalMerchant): ReadonlyArray<string> =>
  Object.entries({
    GOPAY_GOID: String(goid),
    GOPAY_CLIENT_ID: clientId,
    GOPAY_CLIENT_SECRET: clientSecret,
    GOPAY_ENVIRONMENT: environment
  }).map(([name, value]) => `${name}=${quoted(value)}`)

const serve = async ({
  "allow-host": allowHosts,
  data,
  host,
  port,
  quiet,
  seed,
  set
}: ReturnType<typeof given>["values"]): Promise<void> => {
  const paint = painter(process.stdout.isTTY && !process.env["NO_COLOR"])
  const options = {
    port: portOf(port),
    host,
    allowHosts,
    settings: settingsOf(set),
    ...(seed === undefined ? {} : { seed: textOf(seed) }),
    ...(data === undefined ? {} : { dataFile: data }),
    ...(quiet
      ? {}
      : {
          onRequest: (request: JournalEntry<LoggedRequest>) => console.log(requestLine(request, paint)),
          onEvent: (event: JournalEntry<LoggedEvent>) => {
            if (event.type === "notification") console.log(notificationLine(event, paint))
          }
        })
  }
  const isResumed = data !== undefined && existsSync(data)
  // What is heavy is loaded only when it is needed.
  const { LocalGatewayError, startLocalGateway } = await import("./local-gateway/promise/index.js")
  const gateway = await startLocalGateway(options).catch((error: unknown) => {
    if (!(error instanceof LocalGatewayError)) throw error
    const isUsage = error.reason._tag === "InvalidInput" && !error.reason.message.startsWith("The seed")
    const isSeed = error.reason.message.startsWith("The seed")
    throw isUsage
      ? usage(error.reason.message)
      : new Failure(1, isSeed ? `${seed}: ${error.reason.message}` : error.reason.message)
  })
  // Listening everywhere, it is reached from here all the same.
  const url = gateway.url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
  let isStopping = false
  const stop = (): void => {
    // Whoever asks twice does not want to wait.
    if (isStopping) process.exit(130)
    isStopping = true
    void gateway.stop()
  }
  // Before the addresses are told: whoever reads them may stop it at once.
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  // Whoever read the lines is gone: it runs on.
  process.stdout.on("error", () => {})
  console.log(
    [
      `${paint("bold", "The local gateway runs.")} No money moves here.`,
      "",
      `  dashboard    ${paint("cyan", url)}`,
      `  API          ${url}/api          (described at ${url}/openapi.json)`,
      `  control API  ${url}/local-gateway/… (described at ${url}/local-gateway/openapi.json)`,
      ...(isResumed
        ? ["", `It goes on with the state in ${data}${seed === undefined ? "" : "; the seed is not used"}.`]
        : []),
      "",
      "For an .env file, or with export for a shell:",
      ...(await gateway.merchants()).flatMap((merchant) => [
        ...environmentLines({ ...merchant, environment: url }),
        ""
      ]),
      "Ctrl-C stops it."
    ].join("\n")
  )
}

const run = async (): Promise<void> => {
  const { positionals, values } = given()
  const [command, ...others] = positionals
  if (values.version) console.log(version)
  else if (values.help || (command === undefined && process.argv.length === 2)) console.log(help)
  else if (command !== "local-gateway") {
    throw usage(command === undefined ? "A command is missing" : `There is no command ${command}`)
  } else if (others.length > 0) throw usage(`What is ${others.join(" ")}?`)
  else await serve(values)
}

run().catch((error: unknown) => {
  if (error instanceof Failure) console.error(error.message)
  else console.error(error)
  process.exitCode = error instanceof Failure ? error.status : 1
})
