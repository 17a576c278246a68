/**
 * The reference as typedoc writes it has a page for each entry; the site has one for each of its names.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { clientTasks } from "../src/promise/clientTasks.js"

/** The entries: the page that typedoc writes for each, and the path that it is imported by. */
export const entries: ReadonlyArray<{ readonly file: string; readonly path: string }> = [
  { file: "promise.md", path: "effect-gopay/promise" },
  { file: "index/index.md", path: "effect-gopay" },
  { file: "index/namespaces/GatewaySchema.md", path: "effect-gopay: GatewaySchema" },
  { file: "index/namespaces/Merchant.md", path: "effect-gopay: Merchant" },
  { file: "promise/v4.md", path: "effect-gopay/v4/promise" },
  { file: "client/v4/index.md", path: "effect-gopay/v4" },
  { file: "client/v4/namespaces/MerchantV4.md", path: "effect-gopay/v4: MerchantV4" },
  { file: "node/index.md", path: "effect-gopay/node" },
  { file: "node/namespaces/NodeHttpClient.md", path: "effect-gopay/node: NodeHttpClient" },
  { file: "schema.md", path: "effect-gopay/schema" },
  { file: "schema/v4.md", path: "effect-gopay/v4/schema" },
  { file: "ledger.md", path: "effect-gopay/ledger" },
  { file: "ledger/promise.md", path: "effect-gopay/ledger/promise" },
  { file: "statement.md", path: "effect-gopay/statement" },
  { file: "local-gateway.md", path: "effect-gopay/local-gateway" },
  { file: "local-gateway/promise.md", path: "effect-gopay/local-gateway/promise" },
  { file: "local-gateway/web.md", path: "effect-gopay/local-gateway/web" },
  { file: "local-gateway/vite.md", path: "effect-gopay/local-gateway/vite" },
  { file: "testing.md", path: "effect-gopay/testing" },
  { file: "testing/promise.md", path: "effect-gopay/testing/promise" }
]

/** What an entry exports by one name, or by two that differ in their case only. */
interface Exported {
  readonly names: ReadonlyArray<string>
  readonly group: string
  /** The page that says it, and its text there. Without a text another entry has it. */
  readonly page: string
  readonly text: string
}

const rule = /\n+\*\*\*\n+/

/** What an entry exports: what clients are made by comes first. */
const exportsOf = (file: string, text: string): ReadonlyArray<Exported> => {
  const folder = file.replace(/\.md$/, "").replace(/\/index$/, "")
  const found = new Map<string, Exported>()
  for (const part of text.split(/^## /m).slice(1)) {
    const [group = "", ...lines] = part.split("\n")
    // "Inherited from" may name an interface that no entry exports, which has no page.
    const own = lines.join("\n").replaceAll(/^#+ Inherited from\n\n.*\n+/gm, "")
    for (const one of own.split(rule)) {
      const [, name] = /^### (\w+)/m.exec(one) ?? []
      if (name === undefined) continue
      const page = `${folder}/${name.toLowerCase()}.md`
      const [, other] = /^Re-exports \[[^\]]*\]\(([^)]+)\)/m.exec(one) ?? []
      const before = found.get(page)
      if (other !== undefined) {
        const names = [...new Set([...(before?.names ?? []), name])]
        const elsewhere = { group, page: posix.join(posix.dirname(file), other), text: "" }
        found.set(page, { ...(before ?? elsewhere), names })
        continue
      }
      found.set(page, {
        names: [...new Set([...(before?.names ?? []), name])],
        group: before?.group ?? group,
        page,
        text: [...(before === undefined ? [] : [before.text]), one.trim()].join("\n\n")
      })
    }
  }
  const all = [...found.values()]
  const first = all.find(({ names }) => names.includes("createGatewayClient"))
  const groups = new Set([...(first === undefined ? [] : [first.group]), ...all.map(({ group }) => group)])
  return [...groups].flatMap((group) =>
    all.filter((one) => one.group === group).toSorted((a, b) => Number(b === first) - Number(a === first))
  )
}

/** The first sentence of what is said about a name. */
const sentenceOf = (text: string): string => {
  const [, sentence = ""] =
    /^(?![|<*>-])(\S[^]*?[.:])(?=\s|$)/m.exec(text.replaceAll(/^```[^]*?^```$|^#.*$|^<a id.*$/gm, "")) ?? []
  return sentence.replaceAll(/\s+/g, " ").replace(/:$/, ".")
}

/** The text without its links, which lead from the page that it is of. */
const plain = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")

const anchorsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/<a id="([^"]+)"/g), ([, id = ""]) => id)

/** Writes a page for each name, and makes links lead to them. */
export const splitReference = (folder: string): void => {
  const read = (file: string): string => readFileSync(join(folder, file), "utf8")
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const exported = new Map(entries.map(({ file }) => [file, exportsOf(file, read(file))]))
  const homes = new Map<string, string>(
    [...exported].flatMap(([file, all]) =>
      all.flatMap(({ page, text }) =>
        anchorsIn(text).map((id) => {
          const isName = text.includes(`<a id="${id}"></a>\n\n### `)
          return [`${file}#${id}`, isName ? page : `${page}#${id}`] as const
        })
      )
    )
  )
  const addressOf = (target: string, from: string): string => {
    const [page = "", id] = (homes.get(target) ?? target).split("#")
    const hash = id === undefined ? "" : `#${id}`
    return page === from && hash !== "" ? hash : `${posix.relative(posix.dirname(from), page)}${hash}`
  }
  /** The text of a page that was a part of `from` and becomes `to`. */
  const linked = (text: string, from: string, to: string): string =>
    text.replaceAll(/\]\((?!https?:)([^)#\s]*)(#[^)]+)?\)/g, (_, path: string, id = "") => {
      const target = path === "" ? from : posix.join(posix.dirname(from), path)
      return `](${addressOf(`${target}${id}`, to)})`
    })
  /** What each page begins with. */
  const sentences = new Map(
    [...exported.values()]
      .flat()
      .filter(({ text }) => text !== "")
      .map(({ page, text }) => [page, plain(sentenceOf(text))] as const)
  )
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".md") && !exported.has(file)
  )
  for (const file of others) write(file, linked(read(file), file, file))
  const written = new Set([...exported.keys(), ...others])
  for (const { file, path } of entries) {
    const all = exported.get(file) ?? []
    if (all.length === 0) {
      write(file, linked(read(file), file, file).replace(/^# .*$/m, `# ${path}`))
      continue
    }
    for (const { group, names, page, text } of all.filter((one) => one.text !== "")) {
      if (written.has(page)) throw new Error(`Two pages of the reference would be ${page}.`)
      written.add(page)
      const home = `[${path}](${posix.relative(posix.dirname(page), file)}#${idOf(group)})`
      const body = text
        .replace(/^<a id.*\n+### .*\n+/, "")
        .replaceAll(/^#{3,6}(?= )/gm, (marks) => "#".repeat(Math.max(2, marks.length - 2)))
        .replaceAll(/^```ts$/gm, `\`\`\`ts of=${file} self=${page.replace(".md", "")}`)
      write(page, `# ${names.join(", ")}\n\nOf ${home}.\n\n${linked(body, file, page)}\n`)
    }
    const list = [...new Set(all.map(({ group }) => group))].map((group) => {
      const lines = all
        .filter((one) => one.group === group)
        .map(({ names, page }) => {
          const said = sentences.get(addressOf(page, "")) ?? ""
          return `- [\`${names.join("`, `")}\`](${addressOf(page, file)})${said === "" ? "" : `: ${said}`}`
        })
      return `## ${group}\n\n${lines.join("\n")}\n`
    })
    const [, said = ""] = /^# .*\n+((?!## )[^]*?)(?=^## )/m.exec(read(file)) ?? []
    write(file, `# ${path}\n\n${said}${list.join("\n")}`)
  }
  const pages = entries.map(({ file }) => {
    const all = (exported.get(file) ?? []).flatMap(({ names, page }) =>
      names.map((name) => [name, `/reference/${addressOf(page, "")}`.replace(".md", "")] as const)
    )
    return [file, Object.fromEntries(all)] as const
  })
  writeFileSync(join(folder, "names.json"), JSON.stringify(Object.fromEntries(pages)))
}

/** The anchor of a heading. */
const idOf = (heading: string): string => heading.toLowerCase().replaceAll(/\W+/g, "-")

/** What one does with a client, and the members of `GatewayClient` that do it. */
const tasks: ReadonlyArray<readonly [task: string, members: ReadonlyArray<string>]> = [
  ...new Set(Object.values(clientTasks))
].map((task) => [task, Object.entries(clientTasks).flatMap(([member, its]) => (its === task ? [member] : []))])

/** Writes the page that leads from what one wants to do to the member that does it, for both styles. */
export const writeTasks = (folder: string): void => {
  const client = readFileSync(join(folder, "promise/gatewayclient.md"), "utf8")
  const row = (name: string): string => {
    const [, anchor, first] =
      new RegExp(`<a id="([\\w-]+)"></a>\n+### ${name}\n+\`\`\`ts.*\n[^]*?\`\`\`\n+(.+?[.:])(?=\\s)`).exec(client) ?? []
    if (anchor === undefined || first === undefined) throw new Error(`The reference has no ${name} of GatewayClient.`)
    return `### ${name}\n\n${first.replace(/:$/, ".")} [Parameters, result, errors](promise/gatewayclient.md#${anchor})\n`
  }
  const text = tasks.map(([task, members]) => `## ${task}\n\n${members.map(row).join("\n")}`).join("\n")
  writeFileSync(
    join(folder, "tasks.md"),
    `# API by task\n\nThe members of a client, [\`createGatewayClient\`](promise/creategatewayclient.md) of [effect-gopay/promise](promise.md). With Effect the same names are functions of [effect-gopay](index/index.md).\n\n${text}`
  )
}
