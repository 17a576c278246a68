/**
 * The reference as typedoc writes it has a page for each entry; the site has one for each group of its names.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"

/** The entries: the page that typedoc writes for each, and the path that it is imported by. */
export const entries: ReadonlyArray<{ readonly file: string; readonly path: string }> = [
  { file: "promise.md", path: "effect-gopay/promise" },
  { file: "index/index.md", path: "effect-gopay" },
  { file: "node/index.md", path: "effect-gopay/node" },
  { file: "ledger.md", path: "effect-gopay/ledger" },
  { file: "ledger/promise.md", path: "effect-gopay/ledger/promise" },
  { file: "ledger/operator.md", path: "effect-gopay/ledger/operator" },
  { file: "ledger/operator/promise.md", path: "effect-gopay/ledger/operator/promise" },
  { file: "statement.md", path: "effect-gopay/statement" },
  { file: "local-gateway.md", path: "effect-gopay/local-gateway" },
  { file: "local-gateway/promise.md", path: "effect-gopay/local-gateway/promise" },
  { file: "local-gateway/web.md", path: "effect-gopay/local-gateway/web" },
  { file: "local-gateway/vite.md", path: "effect-gopay/local-gateway/vite" },
  { file: "testing.md", path: "effect-gopay/testing" },
  { file: "testing/promise.md", path: "effect-gopay/testing/promise" }
]

interface Group {
  readonly title: string
  readonly file: string
  readonly text: string
}

/** The groups of an entry's page: those that clients are made by come first. */
const groupsOf = (file: string, text: string): ReadonlyArray<Group> => {
  const folder = file.replace(/\.md$/, "").replace(/\/index$/, "")
  const groups = text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...lines] = part.split("\n")
      const name = title.toLowerCase().replaceAll(/\W+/g, "-")
      return { title, file: `${folder}/${name}.md`, text: withFirst("createGatewayClient", lines.join("\n").trim()) }
    })
  const isFirst = ({ text: one }: Group): boolean => one.includes("### createGatewayClient\n")
  return [...groups.filter(isFirst), ...groups.filter((group) => !isFirst(group))]
}

const rule = /\n+\*\*\*\n+(?=<a id="[^"]*"><\/a>\n+### )/

const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^### (\w+)/gm), ([, name = ""]) => name)

const withFirst = (name: string, text: string): string => {
  const parts = text.split(rule)
  const isFirst = (part: string): boolean => part.includes(`\n### ${name}`)
  return [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))].join("\n\n***\n\n")
}

const anchorsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/<a id="([^"]+)"/g), ([, id = ""]) => id)

/** Writes a page for each group, and makes links lead to them. */
export const splitReference = (folder: string): void => {
  const read = (file: string): string => readFileSync(join(folder, file), "utf8")
  const groups = new Map(entries.map(({ file }) => [file, groupsOf(file, read(file))]))
  const homes = new Map(
    [...groups].flatMap(([file, all]) =>
      all.flatMap((group) => anchorsIn(group.text).map((id) => [`${file}#${id}`, group.file] as const))
    )
  )
  /** The text of a page that was a part of `from` and becomes `to`. */
  const linked = (text: string, from: string, to: string): string =>
    text.replaceAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g, (_, path, id) => {
      const target = path === "" ? from : posix.join(posix.dirname(from), path)
      const home = homes.get(`${target}#${id}`) ?? target
      return home === to ? `](#${id})` : `](${posix.relative(posix.dirname(to), home)}#${id})`
    })
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".md") && !groups.has(file)
  )
  for (const file of others) write(file, linked(read(file), file, file))
  for (const { file, path } of entries) {
    const all = groups.get(file) ?? []
    if (all.every(({ text }) => namesIn(text).length === 0)) {
      write(file, linked(read(file), file, file).replace(/^# .*$/m, `# ${path}`))
      continue
    }
    for (const group of all) {
      write(group.file, `# ${path}: ${group.title}\n\n${linked(group.text, file, group.file)}\n`)
    }
    const list = all.map((group) => {
      const address = posix.relative(posix.dirname(file), group.file)
      const names = namesIn(group.text).map((name) => `[\`${name}\`](${address}#${name.toLowerCase()})`)
      return `## ${group.title}\n\n[All of them](${address}): ${names.join(", ")}\n`
    })
    write(file, `# ${path}\n\n${list.join("\n")}`)
  }
}

/** What one does with a client, in the order of a shop's life, and the members of `GatewayClient` that do it. */
const tasks: ReadonlyArray<readonly [task: string, members: ReadonlyArray<string>]> = [
  [
    "Take a payment",
    ["createPayment", "getEmbedJsUrl", "getPaymentQr", "getPaymentInstruments", "getPaymentInstrumentsAll"]
  ],
  ["Know that it is paid", ["createNotificationHandler", "verifyPayment", "getPayment", "awaitPayment"]],
  ["Return money", ["refundPayment", "getPaymentRefunds"]],
  [
    "Hold money, then capture or release it",
    ["captureAuthorization", "captureAuthorizationPartial", "voidAuthorization"]
  ],
  ["Charge again and again", ["createRecurrence", "voidRecurrence"]],
  ["Stored cards", ["getCardDetails", "deleteCard"]],
  ["Bookkeeping", ["getAccountStatement"]],
  ["When the response to a change is lost", ["reconcile"]],
  ["The client itself", ["warm", "close", "sendRequest"]]
]

/** Writes the page that leads from what one wants to do to the member that does it, for both styles. */
export const writeTasks = (folder: string): void => {
  const promises = readFileSync(join(folder, "promise/promises.md"), "utf8")
  const client = promises.slice(promises.indexOf("### GatewayClient\n"))
  const row = (name: string): string => {
    const [, anchor, first] =
      new RegExp(`<a id="([\\w-]+)"></a>\n+##### ${name}\n+\`\`\`ts\n[^]*?\`\`\`\n+(.+?[.:])(?=\\s)`).exec(client) ?? []
    if (anchor === undefined || first === undefined) throw new Error(`The reference has no ${name} of GatewayClient.`)
    return `### ${name}\n\n${first.replace(/:$/, ".")} [Parameters, result, errors](promise/promises.md#${anchor})\n`
  }
  const text = tasks.map(([task, members]) => `## ${task}\n\n${members.map(row).join("\n")}`).join("\n")
  writeFileSync(
    join(folder, "tasks.md"),
    `# API by task\n\nThe members of a client, \`createGatewayClient\` of [effect-gopay/promise](promise.md). With Effect the same names are functions of [effect-gopay](index/index.md).\n\n${text}`
  )
}
