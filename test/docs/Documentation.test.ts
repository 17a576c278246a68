import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { ErrorCodes, PaymentSubStates } from "../../src/contract/CodeLists.js"
import { changeFactsV4 } from "../../src/contract/ChangeFactsV4.js"
import * as Endpoint from "../../src/contract/Endpoint.js"
import { endpointsV4 } from "../../src/contract/EndpointV4.js"
import { attentionKinds } from "../../src/ledger/model/Attention.js"
import { faultDescriptions } from "../../src/local-gateway/server/Faults.js"
import { maxBodyBytes } from "../../src/local-gateway/server/ServedRequest.js"
import { defaultSettings } from "../../src/local-gateway/books/DefaultSettings.js"
import { type Setting, settings } from "../../src/local-gateway/books/LocalGatewaySettings.js"
import { pages } from "./Pages.js"

/** The comment over each method or program in a file, without its indentation, breaks of lines, category and version. */
const docsIn = (file: string, declaration: RegExp): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(file, "utf8").matchAll(/(\/\*\*(?:(?!\*\/)[^])*\*\/)\n([^\n]*)/g)].flatMap(
      ([, comment = "", line = ""]) => {
        const name = declaration.exec(line)?.[1]
        return name === undefined ? [] : [[name, textOf(comment.replace(/^\s+/gm, ""))] as const]
      }
    )
  )

const textOf = (comment: string): string =>
  comment
    .replace(/\*\n\* @category .*\n/, "")
    .replace(/^\/\*\*\s+|\s*\*\/$/g, "")
    .replaceAll(/\n\* (?=\S)/g, " ")

describe("the documentation of a method", () => {
  const member = /^ {2}readonly (\w+): [(<]/
  const operations = docsIn("src/contract/GatewayOperations.ts", member)
  const programs = docsIn("dist/client/Programs.d.ts", /^export declare const (\w+)/)
  const methods = docsIn("src/promise/GatewayClient.ts", member)

  it("exists for each endpoint but that of the token", () => {
    expect([...operations.keys(), "getAccessToken"].toSorted()).toEqual(Object.keys(Endpoint).toSorted())
  })

  // The methods of the service and of the promise client have the operation's own: their types are mapped from it.
  it.each([...operations])("says the same of the operation and of the program: %s", (name, doc) => {
    expect(programs.get(name)).toBe(doc)
  })

  it.each(["reconcile", "sendRequest", "verifyPayment", "awaitPayment"])(
    "says the same of the program and of the promise: %s",
    (name) => {
      expect(programs.get(name)).toBeDefined()
      expect(methods.get(name)).toBe(programs.get(name))
    }
  )
})

const operationNames = Object.values(Endpoint).map(({ name }) => name)

describe("a list of operations", () => {
  const called = Object.values(Endpoint).filter(({ name }) => name !== "getAccessToken")
  const reads = called.flatMap(({ kind, name }) => (kind === "read" ? [name] : []))
  const namesIn = (text: string): ReadonlyArray<string> =>
    Array.from(text.matchAll(/`(\w+)`/g), ([, name = ""]) => name)

  it.each([
    ["docs/reliability.md", /^Operations are either _reads_ \(([^)]*)\)/m],
    ["docs/configuration.md", /^Reads \(([^)]*)\)/m]
  ])("in %s names every read and no change", (page, list) => {
    const [, found = ""] = list.exec(readFileSync(page, "utf8")) ?? []
    expect(namesIn(found).toSorted()).toEqual(reads.toSorted())
  })

  it("in docs/coming-from/index.md has a row for each operation", () => {
    const [, section = ""] = readFileSync("docs/coming-from/index.md", "utf8").split(
      "\n## The methods, and their names elsewhere\n"
    )
    const rows = Array.from(section.matchAll(/^\| `(\w+)` /gm), ([, name = ""]) => name)
    expect(rows.toSorted()).toEqual([...called.map(({ name }) => name), "getEmbedJsUrl"].toSorted())
  })
})

describe("the guide on API v4", () => {
  const page = readFileSync("docs/guides/shop-on-v4.md", "utf8")
  const [before = "", after = ""] = page.split("## When a response is lost")
  /** The operations that the first cells of a table name. */
  const namedIn = (text: string): ReadonlyArray<string> =>
    Array.from(text.matchAll(/^\| (`.*?) \|/gm)).flatMap(([, cell = ""]) =>
      Array.from(cell.matchAll(/`(\w+)`/g), ([, name = ""]) => name)
    )

  it("says of each operation how it is known", () => {
    const operations = Object.keys(endpointsV4).filter((name) => name !== "getAccessToken")
    expect(namedIn(before).toSorted()).toEqual([...operations, "reconcile"].toSorted())
  })

  it("says of each change what a lost one shows", () => {
    expect(namedIn(after).toSorted()).toEqual(Object.keys(changeFactsV4).toSorted())
  })
})

describe("the pages on the local gateway", () => {
  /** The rows of a page's tables that begin with code: their cells, without the marks of code. */
  const rowsOf = (page: string): ReadonlyArray<ReadonlyArray<string>> => {
    const text = readFileSync(`docs/${page}.md`, "utf8")
    return Array.from(text.matchAll(/^\| `.*$/gm), ([row]) =>
      row
        .replaceAll("`", "")
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
  }

  /** The choices of a setting, as the page writes them. */
  const choicesOf = (setting: Setting): string => {
    if ("choices" in setting) return setting.choices.join(", ")
    if (!("minimum" in setting)) return "a list of hosts"
    return setting.maximum > 1000 ? `${setting.minimum} or more` : `${setting.minimum} to ${setting.maximum}`
  }

  it("lists each setting as the gateway itself describes it, with its default and its choices", () => {
    const described = Object.entries<Setting>(settings).map(([name, setting]) => [
      name,
      Array.isArray(setting.default) ? "none" : String(setting.default),
      choicesOf(setting),
      `${setting.meaning} ${setting.more}`.replaceAll("`", "").trim()
    ])
    expect(rowsOf("local-gateway-settings")).toEqual(described)
  })

  it("lists each fault as the gateway itself describes it, with its parameters and their defaults", () => {
    // What `effect` means stands below the table.
    const faults = Object.entries(faultDescriptions).map(([name, { description, parameters }]) => [
      name,
      description,
      Object.entries(parameters)
        .map(([parameter, { default: value, description }]) => {
          const text = description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, "")
          return `${parameter} (${value})${parameter === "effect" ? "" : `: ${text}`}`
        })
        .join("; ")
    ])
    expect(rowsOf("local-gateway-faults")).toEqual(faults)
  })

  describe("names as guesses only what is there:", () => {
    const page = readFileSync("docs/local-gateway-guesses.md", "utf8")
    const [, section = ""] = /^## What is a guess$([^]*?)^## /m.exec(page) ?? []
    const rows = Array.from(section.matchAll(/^\| (.*?) +\| (.*?) +\|$/gm), ([, topic = "", text = ""]) => ({
      topic,
      text
    }))
    const guess = (topic: string): string => rows.find((row) => row.topic === topic)?.text ?? ""

    it("settings", () => {
      const named = Array.from(section.matchAll(/`([a-z]+[A-Z]\w*)`/g), ([, name = ""]) => name)
      const known = new Set([...Object.keys(defaultSettings), ...operationNames])
      expect(named.filter((name) => !known.has(name))).toEqual([])
      expect(named).toContain("recurrenceChild")
    })

    it("sub-states", () => {
      const named = Array.from(section.matchAll(/`(_\d+)`/g), ([, code = ""]) => code)
      expect(named.filter((code) => !Object.hasOwn(PaymentSubStates, code))).toEqual([])
      expect(named).toContain("_5047")
    })

    it("error codes", () => {
      const named = Array.from(section.matchAll(/(?<=[ (])([1-3]\d\d)(?=[ ,;:)])/g), ([, code = ""]) => code)
      const known = new Set(Object.keys(ErrorCodes))
      expect(named.filter((code) => !known.has(code))).toEqual([])
      expect(named).toContain("352")
    })

    it("times and limits", () => {
      const {
        authorizationLifetimeSeconds,
        notificationMaxRetryDelaySeconds,
        notificationRetryDelaySeconds,
        timeToPaySeconds,
        timeToProcessSeconds
      } = defaultSettings
      expect(guess("time-out")).toContain(`${timeToPaySeconds / 3600} hours`)
      expect(guess("preauthorization")).toContain(`${authorizationLifetimeSeconds / 86_400} days`)
      expect(guess("accepted operations")).toContain(`${timeToProcessSeconds} seconds`)
      expect(guess("notifications")).toContain(`${notificationRetryDelaySeconds} seconds`)
      expect(notificationMaxRetryDelaySeconds).toBe(3600)
      expect(guess("notifications")).toContain("up to an hour")
      expect(guess("codes without evidence")).toContain(`${maxBodyBytes / 2 ** 20} MiB`)
    })

    it("topics, each once", () => {
      const topics = rows.map(({ topic }) => topic)
      expect(new Set(topics).size).toBe(topics.length)
      expect(topics.length).toBeGreaterThan(25)
    })
  })
})

it("the page on configuration lists each option of a client, and no other", () => {
  const optionsIn = (file: string, name: string): ReadonlyArray<string> => {
    const [, members = ""] =
      new RegExp(`^export interface ${name} \\{$([^]*?)^\\}$`, "m").exec(readFileSync(file, "utf8")) ?? []
    return Array.from(members.matchAll(/^ {2}readonly (\w+)\??:/gm), ([, option = ""]) => option)
  }
  const options = new Set([
    ...optionsIn("src/promise/GatewayClient.ts", "GatewayClientOptions"),
    ...optionsIn("src/client/config/GatewayOptions.ts", "GatewayOptions")
  ])
  expect(options.size).toBeGreaterThan(15)
  const [table = ""] = readFileSync("docs/configuration.md", "utf8").split("\n## ")
  expect(new Set(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, option = ""]) => option))).toEqual(options)
})

it("the page on operating the ledger lists each kind of attention, and so does the comment of the type", () => {
  const kindsIn = (file: string, pattern: RegExp): ReadonlyArray<string> => [
    ...new Set(Array.from(readFileSync(file, "utf8").matchAll(pattern), ([, kind = ""]) => kind))
  ]
  const [, table = ""] =
    /^\| kind .*\n\| -.*\n((?:\|.*\n)+)/m.exec(readFileSync("docs/ledger-operate.md", "utf8")) ?? []
  expect(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, kind]) => kind)).toEqual(attentionKinds)
  expect(kindsIn("src/ledger/model/Attention.ts", /^ \* - `([A-Z]\w+)`[:,]/gm).toSorted()).toEqual(
    attentionKinds.toSorted()
  )
})

describe("the tables of", () => {
  it.each(pages)("%s have as many cells in each row as in their heads", (document) => {
    const lines = readFileSync(document, "utf8").split("\n")
    const cells = (line: string): number => line.replaceAll("\\|", "").split("|").length
    const broken = lines.filter((line, index) => {
      if (!line.startsWith("|") || !lines[index - 1]?.startsWith("|")) return false
      return cells(line) !== cells(lines[index - 1] ?? "")
    })
    expect(broken).toEqual([])
  })
})

describe("a page", () => {
  /** Every error links into the first, and the second grows with each version. */
  const exempt = new Set(["docs/errors.md", "CHANGELOG.md"])

  it("that everyone reads first has at most 10 kB, and a picture in its first forty lines", () => {
    const readme = readFileSync("README.md", "utf8")
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(10_000)
    const [, picture = ""] = /^!\[.*\]\((.*)\)$/m.exec(readme.split("\n").slice(0, 40).join("\n")) ?? []
    expect(existsSync(picture)).toBe(true)
  })

  it.each(pages.filter((page) => !exempt.has(page)))(
    "has at most 24 kB, so that one can find one's way in it: %s",
    (page) => {
      expect(readFileSync(page).length).toBeLessThanOrEqual(24_000)
    }
  )
})

describe("the links of", () => {
  /** The name by which a heading can be linked to. */
  const anchor = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-")

  it.each(pages)("%s lead to something that is there", (document) => {
    const links = Array.from(readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g))
    const broken = links.filter(([, path = "", heading]) => {
      const target = path === "" ? document : join(dirname(document), path)
      if (!existsSync(target)) return true
      if (heading === undefined) return false
      const headings = Array.from(readFileSync(target, "utf8").matchAll(/^#+ (.*)$/gm), ([, text = ""]) => anchor(text))
      return !headings.includes(heading)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

describe("the commands of", () => {
  it.each(pages)("%s are there", (document) => {
    const text = readFileSync(document, "utf8")
    const { scripts }: { readonly scripts: object } = JSON.parse(readFileSync("package.json", "utf8"))
    const programs = Array.from(
      text.matchAll(/\b(?:bash|tsx) ((?:\.ci|scripts|test|site)\/[\w./-]+)/g),
      ([, path = ""]) => path
    )
    expect(programs.filter((path) => !existsSync(path))).toEqual([])
    const named = Array.from(text.matchAll(/`npm run (?:-s )?([\w:-]+)/g), ([, name = ""]) => name)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    expect(named.length).toBeGreaterThan(document === "CONTRIBUTING.md" ? 9 : -1)
  })
})
