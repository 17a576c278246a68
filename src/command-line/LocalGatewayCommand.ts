/**
 * The command `local-gateway`: runs a local gateway.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { styleText } from "node:util"
import { isLoopback } from "../basics/Loopback.js"
import { messageOf } from "../basics/AnyRealm.js"
import type { LoggedEvent, JournalEntry, LoggedRequest } from "../local-gateway/server/Journal.js"
import type { LocalMerchant } from "../local-gateway/books/Actors.js"
import { passwordRefusal } from "../local-gateway/LocalGatewayService.js"
import {
  settings,
  strictSettings,
  type SettingsChange,
  type Setting,
  settingGroups
} from "../local-gateway/books/LocalGatewaySettings.js"
import {
  CommandFailure,
  commandOf,
  flag,
  openBrowser,
  option,
  type Options,
  outputFailed,
  portOf,
  repeatable,
  suggestion,
  type Values,
  wrapped,
  WrongUsage
} from "./Command.js"
import { printable } from "./OutputText.js"
import type { Language } from "./Language.js"
import { localAddress, localUrl } from "./ShopClient.js"
import { words } from "./Words.js"

const options = {
  port: {
    ...option("NUMBER", {
      en: `the port to listen on; 0 means any free one (default: ${localAddress.port})`,
      cs: `port, na kterém naslouchá; 0 je kterýkoli volný (jinak ${localAddress.port})`
    }),
    default: localAddress.port
  },
  host: {
    ...option("NAME", {
      en: `the address to listen on (default: ${localAddress.host}, this machine only)`,
      cs: `adresa, na které naslouchá (jinak ${localAddress.host}, jen tento počítač)`
    }),
    default: localAddress.host
  },
  "allow-host": repeatable("NAME", {
    en: "another name that the gateway answers to, such as gopay between containers; may be repeated",
    cs: "další jméno, na které brána odpovídá, například gopay mezi kontejnery; lze opakovat"
  }),
  "public-url": option("URL", {
    en: `the address at which browsers and clients reach the gateway, such as ${localUrl} when it runs in a container`,
    cs: `adresa, na které bránu najdou prohlížeče a klienti, například ${localUrl}, běží-li v kontejneru`
  }),
  seed: option("FILE", {
    en: "the initial merchants, payments, cards and settings (JSON; the schema is effect-gopay/seed.schema.json)",
    cs: "počáteční obchodníci, platby, karty a nastavení (JSON; schéma je effect-gopay/seed.schema.json)"
  }),
  data: option("FILE", {
    en: "keep the state in this file between runs; the file is created when it does not exist, and used in place of the seed when it does",
    cs: "držet stav mezi běhy v tomto souboru; když neexistuje, vytvoří se, a když existuje, použije se místo počátečních dat"
  }),
  set: repeatable("NAME=VALUE", {
    en: "a setting, such as --set refund=acceptedThenFailed; may be repeated (for names and values see --settings, or Settings on the dashboard)",
    cs: "nastavení, například --set refund=acceptedThenFailed; lze opakovat (názvy a hodnoty viz --settings nebo Settings na přehledu)"
  }),
  settings: flag({
    en: "print the settings, their defaults and their values",
    cs: "vypsat nastavení, výchozí a možné hodnoty (anglicky)"
  }),
  strict: flag({
    en: "refuse all that GoPay is said to refuse (recommended for CI); without it the log warns of such calls",
    cs: "odmítat vše, co podle dokumentace odmítá GoPay (doporučeno pro CI); jinak na to upozorní log"
  }),
  open: flag({ en: "open the dashboard in the browser", cs: "otevřít přehled v prohlížeči" }),
  quiet: flag({ en: "print no lines for requests", cs: "nevypisovat řádky o požadavcích" }),
  json: flag({
    en: "print the log as JSON, one entry on each line, and the rest to stderr",
    cs: "vypisovat log jako JSON, položku na řádek, a ostatní na stderr"
  }),
  password: { type: "string" }
} satisfies Options

// ---------------------------------------------------------------------------------------------------------------------
// The log, as lines of a terminal
// ---------------------------------------------------------------------------------------------------------------------

/** The time of day, with the date unless it is today: the gateway's time may have been moved. */
const timeText = (at: number): string => {
  const [date, today] = [new Date(at), new Date()]
  const time = date.toLocaleTimeString("en-GB")
  if (date.toDateString() === today.toDateString()) return time
  const year = date.getFullYear() === today.getFullYear() ? {} : { year: "numeric" as const }
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year })} ${time}`
}

const units = [
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1]
] as const

/** A duration in words, such as `30 days` or `1 hour 30 minutes`. */
const durationText = (millis: number): string => {
  let left = Math.round(millis / 1000)
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`]
  })
  return parts.length === 0 ? "0 seconds" : parts.join(" ")
}

const requestLine = (request: JournalEntry<LoggedRequest>): string => {
  const { at, fault, method, operation = "", path, paymentId, status } = request
  const style = status === 0 || status >= 500 ? "red" : status >= 400 ? "yellow" : "green"
  return [
    styleText("dim", timeText(at)),
    styleText(style, status === 0 ? "---" : String(status)),
    method.padEnd(6),
    path,
    styleText("bold", operation),
    ...(paymentId === undefined ? [] : [`#${paymentId}`]),
    ...(fault === undefined ? [] : [styleText("red", `fault: ${fault}`)])
  ]
    .filter((part) => part !== "")
    .join(" ")
}

/** The line of an event; `undefined` if the line of a request has already shown it. */
const eventLine = (event: JournalEntry<LoggedEvent>): string | undefined => {
  const line = (...parts: ReadonlyArray<string>) => [styleText("dim", timeText(event.at)), ...parts].join(" ")
  switch (event.type) {
    case "notification": {
      const { attempt, problem, status, url } = event
      return line(
        styleText(status === 200 ? "green" : "yellow", status === 0 ? "---" : String(status)),
        `notify ${printable(url)}`,
        ...(attempt > 1 ? [`attempt ${attempt}`] : []),
        ...(problem === undefined ? [] : [styleText("yellow", problem)])
      )
    }
    case "warning":
      return line(
        styleText("yellow", `warning: ${event.operation}: GoPay may refuse this: ${printable(event.refusal)}`)
      )
    case "state": {
      const { by, paymentId, subState, to } = event
      const reason = subState === undefined ? [] : [subState]
      return by === "merchant" ? undefined : line(styleText("cyan", by), `#${paymentId} is ${to}`, ...reason)
    }
    case "time":
      return line(styleText("cyan", "time"), `moved forward by ${durationText(event.advancedMillis)}`)
    case "payer":
    case "preauthorization":
    case "recurrence":
    case "operation":
    case "fault":
    case "control":
      return undefined
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The options
// ---------------------------------------------------------------------------------------------------------------------

const defaultOf = (setting: Setting): string => {
  if ("unit" in setting) {
    return `${setting.default} (${setting.default === 0 ? "at once" : durationText(setting.default * 1_000)})`
  }
  return typeof setting.default === "string" ? setting.default : JSON.stringify(setting.default)
}

/** The settings by group: name, meaning, default and possible values. */
const settingsList: ReadonlyArray<string> = Object.entries(settingGroups).flatMap(([group, settings]) => [
  `${group}:`,
  ...Object.entries<Setting>(settings).flatMap(([name, setting]) => [
    `  ${name}`,
    ...wrapped(setting.meaning.replaceAll("`", ""), 6),
    ...wrapped(
      `default: ${defaultOf(setting)}${"choices" in setting ? `; one of ${setting.choices.join(", ")}` : ""}`,
      6
    )
  ]),
  ""
])

const settingValue = (text: string): unknown => {
  if (text.startsWith("[")) return JSON.parse(text)
  return /^\d+$/.test(text) ? Number(text) : text
}

/** The gateway itself reports wrong settings when it starts. */
const settingsOf = (texts: ReadonlyArray<string>): SettingsChange =>
  Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new WrongUsage((said) => said.localGateway.setForm(text))
      try {
        return [name, settingValue(value)]
      } catch {
        throw new WrongUsage((said) => said.localGateway.setList(name))
      }
    })
  )

const fileText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new CommandFailure(1, (said) => said.localGateway.noSeed(path, messageOf(error)))
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------------------------------------------------

/** Whether only this machine can reach a host. */
const isOwnHost = (host: string): boolean => isLoopback(host) || host === "::1"

/** A value, in quotes if a shell needs them. */
const quoted = (value: string): string =>
  /^[\w./:@%+=-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`

const variablesOf = ({ clientId, clientSecret, environment, goid }: LocalMerchant) => ({
  GOPAY_GOID: String(goid),
  GOPAY_CLIENT_ID: clientId,
  GOPAY_CLIENT_SECRET: clientSecret,
  GOPAY_ENVIRONMENT: environment
})

const environmentLines = (merchant: LocalMerchant): ReadonlyArray<string> =>
  Object.entries(variablesOf(merchant)).map(([name, value]) => `${name}=${quoted(value)}`)

/** Runs a command with the variables of a merchant. Returns its exit status; `undefined` after a signal. */
const ranWith = ([program = "", ...args]: ReadonlyArray<string>, merchant: LocalMerchant) => {
  // Windows finds npm only through a shell.
  const shell = process.platform === "win32"
  // A command in a group of its own could not read from the terminal.
  const detached = !shell && !process.stdin.isTTY
  const env = { ...process.env, ...variablesOf(merchant) }
  const child = spawn(program, args, { env, stdio: "inherit", shell, detached })
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", (error) =>
      reject(new CommandFailure(1, (said) => said.localGateway.cannotRun(program, error.message)))
    )
    child.once("exit", (status) => resolve(status ?? 1))
  })
  /** Signals the command and what it has started: npm runs a script in a shell, which would end alone. */
  const signal = (name: NodeJS.Signals | 0): boolean => {
    if (!detached || child.pid === undefined) return child.kill(name)
    try {
      return process.kill(-child.pid, name)
    } catch {
      return false
    }
  }
  /** Waits for them for up to ten seconds: in a container those that have ended may seem to be there for ever. */
  const allEnded = async (): Promise<void> => {
    for (let look = 0; look < 200 && signal(0); look++) await setTimeout(50)
  }
  return { ended, allEnded, signal }
}

const serve = async (
  command: ReadonlyArray<string>,
  values: Values<typeof options>,
  language: Language
): Promise<void> => {
  const said = words[language].localGateway
  const { data, host, json, open, password = process.env["LOCAL_GATEWAY_PASSWORD"], quiet, seed, strict } = values
  if (password !== undefined && password !== "") {
    throw new CommandFailure(1, ({ inEnglish }) =>
      inEnglish(`--password or LOCAL_GATEWAY_PASSWORD: ${passwordRefusal}`)
    )
  }
  /** Lines for people. */
  const say = json ? console.error : console.log
  const given = {
    port: portOf(values.port),
    host,
    allowHosts: values["allow-host"],
    publicUrl: values["public-url"],
    settings: settingsOf(values.set),
    seed: seed === undefined ? undefined : fileText(seed),
    dataFile: data,
    ...(quiet
      ? {}
      : {
          onRequest: (request: JournalEntry<LoggedRequest>) =>
            console.log(json ? JSON.stringify({ type: "request", ...request }) : requestLine(request)),
          onEvent: (event: JournalEntry<LoggedEvent>) => {
            const line = json ? JSON.stringify(event) : eventLine(event)
            if (line !== undefined) console.log(line)
          }
        })
  }
  const isResumed = data !== undefined && existsSync(data)
  // Loaded only here, since it takes time that --help does not need.
  const { LocalGatewayError, startLocalGateway } = await import("../local-gateway/promise/index.js")
  for (const name of Object.keys(given.settings)) {
    if (Object.hasOwn(settings, name)) continue
    throw new WrongUsage(({ localGateway }) => localGateway.noSetting(name, suggestion(name, Object.keys(settings))))
  }
  const gateway = await startLocalGateway({
    ...given,
    settings: strict ? { ...strictSettings, ...given.settings } : given.settings
  }).catch((error: unknown) => {
    if (!(error instanceof LocalGatewayError)) throw error
    const { _tag, message } = error.reason
    if (_tag === "InvalidInput") throw new WrongUsage(({ inEnglish }) => inEnglish(message))
    throw new CommandFailure(1, ({ inEnglish }) => inEnglish(_tag === "InvalidSeed" ? `${seed}: ${message}` : message))
  })
  const { url } = gateway
  if (!isOwnHost(host)) {
    console.error(said.reachable(host))
  }
  let isStopping = false
  let running: ReturnType<typeof ranWith> | undefined
  const stop = (signal: NodeJS.Signals): void => {
    // A second signal ends it without waiting.
    if (isStopping) process.exit(130)
    isStopping = true
    if (running === undefined) void gateway.close()
    // On Ctrl-C a terminal also signals the command itself.
    else if (signal !== "SIGINT" || !process.stdin.isTTY) running.signal(signal)
  }
  // Set up before the addresses are printed, since their reader may stop the gateway at once.
  process.on("SIGINT", stop)
  process.on("SIGTERM", stop)
  // Keep running if the reader of the lines has gone.
  process.stdout.off("error", outputFailed).on("error", () => {})
  say(
    [
      `${styleText("bold", said.runs)} ${said.noMoney}`,
      "",
      `  ${said.dashboard.padEnd(13)}${styleText("cyan", url)}`,
      `  API          ${url}/api`,
      `  control API  ${url}/local-gateway/…`,
      `  OpenAPI      ${url}/openapi.json`,
      `               ${url}/local-gateway/openapi.json`,
      ...(isResumed ? ["", said.continuing(data, seed !== undefined)] : []),
      "",
      said.forEnv,
      ...(await gateway.listMerchants()).flatMap((merchant) => [...environmentLines(merchant), ""]),
      command.length === 0 ? said.stop : said.running(command.join(" "))
    ].join("\n")
  )
  if (open) openBrowser(url)
  if (command.length === 0) return
  running = ranWith(command, gateway.merchant)
  try {
    const status = await running.ended
    if (isStopping) await running.allEnded()
    process.exitCode = isStopping ? 0 : status
  } finally {
    await gateway.close()
  }
}

export const localGatewayCommand = commandOf({
  name: "local-gateway",
  summary: { en: "run a local gateway", cs: "spustit lokální bránu" },
  usage: "local-gateway [options] [-- COMMAND [ARGUMENT ...]]",
  about: {
    en: `Runs a local gateway for GoPay's REST API v3 and v4, for development and tests.
It prints its addresses and the environment variables to set, then a line for each request.
With a command, such as -- npm start, it runs it with these variables set, and ends with it.`,
    cs: `Spustí lokální bránu pro REST API GoPay v3 a v4, pro vývoj a testy.
Vypíše své adresy a proměnné prostředí k nastavení, pak řádek za každý požadavek (anglicky).
S příkazem, například -- npm start, ho spustí s těmito proměnnými a skončí s ním.`
  },
  options,
  end: {
    en: `Exit status: 0 when stopped (Ctrl-C), 1 when it cannot start, 2 for wrong usage; or that of
the command.`,
    cs: `Návratový kód: 0 po zastavení (Ctrl-C), 1, když ji nelze spustit, 2 při chybném použití;
nebo kód spuštěného příkazu.`
  },
  takesCommand: true,
  run: async (values, _, { command, language }) => {
    if (command?.length === 0) throw new WrongUsage((said) => said.localGateway.noCommand)
    if (values.settings) return console.log(settingsList.join("\n"))
    await serve(command ?? [], values, language)
  }
})
