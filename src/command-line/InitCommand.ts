/**
 * The command `init`: writes a recipe into the project in this directory.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { messageOf } from "../basics/AnyRealm.js"
import { ownMember } from "../basics/OwnMember.js"
import {
  asMts,
  type Files,
  fittedToNode,
  needing,
  nodeFeatures,
  type NodeFeatures,
  runsByItself
} from "./fittedToNode.js"
import { commandOf, CommandFailure, flag, suggestion, WrongUsage } from "./Command.js"
import type { Language, Text } from "./Language.js"
import { type Words, words } from "./Words.js"

const sameInBoth = (name: string): Text => ({ en: name, cs: name })

const shops: Readonly<Record<string, Text>> = {
  express: sameInBoth("Express"),
  fastify: sameInBoth("Fastify"),
  hono: { en: "Hono, on Node.js or Bun", cs: "Hono, na Node.js nebo Bunu" },
  nestjs: sameInBoth("NestJS"),
  nextjs: sameInBoth("Next.js, App Router"),
  nitro: { en: "Nitro and Nuxt", cs: "Nitro a Nuxt" },
  sveltekit: sameInBoth("SvelteKit"),
  subscriptions: { en: "Members who pay each month, with Express", cs: "Členové, kteří platí každý měsíc, s Express" },
  "effect-http-api": sameInBoth("Effect 4, HttpApi"),
  "effect-3": sameInBoth("Effect 3"),
  lambda: sameInBoth("AWS Lambda"),
  worker: { en: "Cloudflare Workers, with Hono", cs: "Cloudflare Workers, s Hono" }
}

/** Files that belong to a project, with any extension. */
const ofProject =
  /^(package\.json|tsconfig\.json|(next|nitro|vite)\.config\.|src\/app\.html$|(src\/)?app\/layout\.|(src\/)?proxy\.)/

/** Whether the contents of such a file matter to the recipe. */
const isConfiguration = (path: string): boolean => /\.config\.|(^|\/)proxy\./.test(path)

/**
 * Whether the files belong to a framework that finds modules by their names without an extension: `page.js` would
 * replace `page.tsx`.
 */
const isOfFramework = (files: Files): boolean => Object.keys(files).some((path) => /\.config\./.test(path))

const filesOf = (recipe: string): Files => {
  const all: Readonly<Record<string, Files>> = JSON.parse(
    readFileSync(new URL("../recipes.json", import.meta.url), "utf8")
  )
  const files = ownMember(all, recipe)
  if (files !== undefined) return files
  throw new WrongUsage(({ init }) => init.unknownRecipe(recipe, suggestion(recipe, Object.keys(shops))))
}

const fileText = (folder: string, path: string): string | undefined =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined

const scriptExtension = /\.[cm]?[jt]sx?$/

/** The project's file that corresponds to this one: `next.config.mjs` for `next.config.ts`. */
const present = (folder: string, path: string): string | undefined => {
  if (existsSync(join(folder, path))) return path
  if (!scriptExtension.test(path) || !existsSync(join(folder, dirname(path)))) return undefined
  const name = path.replace(scriptExtension, "")
  // A proxy of Next.js 16 was called middleware before, and there may be only one.
  const names = [name, name.replace(/(^|\/)proxy$/, "$1middleware")]
  const found = readdirSync(join(folder, dirname(path))).map((file) => join(dirname(path), file))
  return found.find((file) => scriptExtension.test(file) && names.includes(file.replace(scriptExtension, "")))
}

/** The recipe with the folders of this project. */
const fitted = (folder: string, files: Files): Files => {
  const has = (path: string): boolean => existsSync(join(folder, path))
  const isNuxt = ["ts", "js", "mjs"].some((extension) => has(`nuxt.config.${extension}`))
  const entries = Object.entries(files).filter(
    // Nuxt has its own pages and configuration.
    ([path]) => !(isNuxt && /^(nitro\.config\.ts|tsconfig\.json|server\/routes\/index\.ts)$/.test(path))
  )
  if (!("next.config.ts" in files && has("src/app"))) return Object.fromEntries(entries)
  return Object.fromEntries(
    entries.map(([path, text]) => [
      /^(app\/|lib\/|instrumentation|proxy)/.test(path) ? `src/${path}` : path,
      path === "package.json" ? text.replace(" lib/gopay.test.mjs", " src/lib/gopay.test.mjs") : text
    ])
  )
}

// ---------------------------------------------------------------------------------------------------------------------
// package.json
// ---------------------------------------------------------------------------------------------------------------------

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})

const parsedManifest = (text: string): Members => {
  try {
    return membersOf(JSON.parse(text))
  } catch (error) {
    throw new CommandFailure(1, ({ init }) => init.noManifest(messageOf(error)))
  }
}

const sorted = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Packages that bring a recipe's framework with them: a project that has one of them has the framework. */
const frameworks: Readonly<Record<string, ReadonlyArray<string>>> = { nitropack: ["nitro", "nuxt"] }

/**
 * The project's manifest, completed from the recipe's. Existing members stay, including how the project is started and
 * built.
 */
const withRecipe = (own: Members, recipe: Members): Members => {
  const known = { ...membersOf(own["dependencies"]), ...membersOf(own["devDependencies"]) }
  const completed = (kind: string, which = /./): Members => {
    const lacking = Object.entries(membersOf(ownMember(recipe, kind))).filter(
      ([name]) =>
        which.test(name) && ![name, ...(ownMember(frameworks, name) ?? [])].some((one) => Object.hasOwn(known, one))
    )
    return lacking.length === 0
      ? {}
      : { [kind]: sorted({ ...membersOf(ownMember(own, kind)), ...Object.fromEntries(lacking) }) }
  }
  const scripts = membersOf(own["scripts"])
  if ("dev" in scripts || "start" in scripts)
    return {
      ...own,
      ...completed("dependencies"),
      ...completed("devDependencies", /^(@types\/|tsx$|(@effect\/)?vitest$)/)
    }
  // The `test` script that `npm init` writes is a placeholder.
  const { test, ...others } = scripts
  const isTestless = typeof test === "string" && test.includes("no test specified")
  const ownScripts = isTestless ? others : scripts
  return {
    ...own,
    scripts: { ...membersOf(recipe["scripts"]), ...ownScripts },
    ...completed("dependencies"),
    ...completed("devDependencies"),
    ...(own["engines"] === undefined ? { engines: recipe["engines"] } : {})
  }
}

/** A manifest without the project's name. */
const unnamed = (manifest: Members): Members =>
  Object.fromEntries(Object.entries(manifest).filter(([member]) => member !== "name"))

const script = (manifest: Members, name: string): string | undefined => {
  const text = ownMember(membersOf(manifest["scripts"]), name)
  return typeof text === "string" ? text : undefined
}

/** The command that runs the recipe's tests, where the project's scripts stay as they are and have another `test` or none. */
const ownTestOf = (project: Members, recipe: Members): string | undefined => {
  const test = script(recipe, "test")
  if (test === undefined || test === script(project, "test")) return undefined
  return test.startsWith("node ") ? test : `npx ${test}`
}

/** The command that starts the shop, at the port of its return page. */
const startOf = (project: Members, recipe: Members): string => {
  const dev = script(recipe, "dev")
  const start = script(recipe, "start") ?? "npm start"
  const [ownDev, ownStart = ""] = [script(project, "dev"), script(project, "start")]
  if (dev !== undefined && ownDev !== undefined) {
    return ownDev !== dev && dev.endsWith("--port 3000") ? "npm run dev -- --port 3000" : "npm run dev"
  }
  // The project's own program does not load the recipe's, but a framework finds it.
  return dev !== undefined || ownStart === start ? "npm start" : start
}

// ---------------------------------------------------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------------------------------------------------

interface InitOptions {
  readonly folder: string
  readonly recipe: string
  readonly files: Files
  readonly node: NodeFeatures
  readonly force?: boolean
}

/** The project's file that corresponds to the recipe's. */
const inPlaceOf = (path: string, { files, folder }: InitOptions): string | undefined => {
  const found = present(folder, path)
  return found === path || ofProject.test(path) || isOfFramework(files) ? found : undefined
}

/** The files of a recipe to be written, and the paths of those that the project keeps. */
const decided = (
  files: Files,
  options: InitOptions
): { readonly toWrite: Files; readonly kept: ReadonlyArray<string>; readonly inTheWay: ReadonlyArray<string> } => {
  const { folder, force = false } = options
  const paths = Object.keys(files)
  const others = paths.filter((path) => {
    const found = inPlaceOf(path, options)
    return found !== undefined && !ofProject.test(path) && fileText(folder, found) !== ownMember(files, path)
  })
  // A file with another name cannot be overwritten, and would remain the module next to a new one.
  const inTheWay = force ? others.filter((path) => inPlaceOf(path, options) !== path) : others
  const kept = paths.filter((path) => inPlaceOf(path, options) !== undefined && !others.includes(path))
  const stays = (path: string): boolean => kept.includes(path) || inTheWay.includes(path)
  return { toWrite: Object.fromEntries(Object.entries(files).filter(([path]) => !stays(path))), kept, inTheWay }
}

/** Short enough to be shown, such as the page with the button that the project's own page is to get. */
const isShort = (text: string): boolean => text.trim().split("\n").length <= 24

/** Clients of databases that the ledger can have its rows in, and the page about each. */
const clientPages = {
  "drizzle-orm": "ledger-drizzle.md",
  "@prisma/client": "ledger-databases.md",
  kysely: "ledger-databases.md",
  typeorm: "ledger-databases.md",
  pg: "ledger-databases.md"
}

/** What to do about the recipe's file where the project has a database, and why it has a driver. */
const storeLines = (own: Members, merged: Members, node: NodeFeatures, { init }: Words): ReadonlyArray<string> => {
  const known = { ...membersOf(own["dependencies"]), ...membersOf(own["devDependencies"]) }
  const [name, page] = Object.entries(clientPages).find(([one]) => Object.hasOwn(known, one)) ?? []
  const isAdded = !Object.hasOwn(known, "libsql") && Object.hasOwn(membersOf(merged["dependencies"]), "libsql")
  return [
    ...(isAdded ? ["", init.libsql(node.version)] : []),
    ...(name === undefined || page === undefined ? [] : ["", init.otherClient(name, page)])
  ]
}

/** The lines by which Git passes over a shop's database and the gateway that goes with it. */
const withIgnored = (text: string | undefined): string =>
  /^gateway\.json$/m.test(text ?? "") ? (text ?? "") : `${(text ?? "node_modules").trimEnd()}\nshop.db*\ngateway.json\n`

/** Writes a recipe into a folder, and returns the lines that tell of it. */
export const writeRecipe = (options: InitOptions, said: Words = words.en): ReadonlyArray<string> => {
  const { init } = said
  const { folder, node, recipe } = options
  const running = fittedToNode(options.files, node)
  if (running === undefined) {
    const { name = recipe, version } = needing(options.files) ?? {}
    throw new CommandFailure(1, ({ init }) => init.needsNode(name, recipe, String(version), node.version))
  }
  const ownManifest = fileText(folder, "package.json")
  const own = ownManifest === undefined ? undefined : parsedManifest(ownManifest)
  // To Node.js the project's own .js and .ts files are CommonJS, and they stay so.
  const isCommonJs = own !== undefined && own["type"] !== "module"
  const isMts = isCommonJs && runsByItself(running)
  const { "package.json": manifest = "{}", ...files } = fitted(folder, isMts ? asMts(running) : running)
  const { inTheWay, kept, toWrite } = decided(files, options)
  const wanted = parsedManifest(manifest)
  const merged = own === undefined ? unnamed(wanted) : withRecipe(own, wanted)
  const hasLedger = Object.values(files).some((text) => /createLedger|Ledger\.layer/.test(text))
  const completed: Files = {
    "package.json": `${JSON.stringify(merged, undefined, /^[ \t]+/m.exec(ownManifest ?? "")?.[0] ?? 2)}\n`,
    ...(hasLedger ? { ".gitignore": withIgnored(fileText(folder, ".gitignore")) } : {})
  }
  const added = Object.keys(completed).filter((path) => fileText(folder, path) !== undefined)
  const all = Object.entries({ ...toWrite, ...completed }).filter(([path, text]) => fileText(folder, path) !== text)
  for (const [path, text] of all) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const ownScripts = membersOf(own?.["scripts"])
  const ownTest = ownTestOf(merged, wanted)
  const needsModules =
    isCommonJs && !isMts && wanted["type"] === "module" && !("dev" in ownScripts || "start" in ownScripts)
  // With Vite's plugin no other program has to be started.
  const isMounted = Boolean(fileText(folder, "vite.config.ts")?.includes("effect-gopay/local-gateway/vite"))
  return [
    ...all.map(([path]) => `${added.includes(path) ? init.added : init.written}  ${path}`),
    ...kept
      .filter((path) => fileText(folder, path) !== ownMember(files, path))
      .flatMap((path) => [
        `${init.yours} ${inPlaceOf(path, options)}${isConfiguration(path) ? init.recipeHas : ""}`,
        ...(isConfiguration(path) ? indented(ownMember(files, path) ?? "") : [])
      ]),
    ...inTheWay.flatMap((path) => {
      const found = inPlaceOf(path, options)
      const text = ownMember(files, path) ?? ""
      return [
        `${init.yours} ${found}${init.notWritten(found === path ? "" : `${path} `)}`,
        ...(isShort(text) ? [`          ${init.itHas}`, ...indented(text)] : [])
      ]
    }),
    ...(inTheWay.some((path) => inPlaceOf(path, options) === path)
      ? ["", `${init.overwrite} effect-gopay init ${recipe} --force`]
      : []),
    ...(ownTest === undefined ? [] : ["", init.testsRunBy, `  ${ownTest}`]),
    ...(hasLedger ? storeLines(own ?? {}, merged, node, said) : []),
    "",
    init.next,
    ...(needsModules ? [`  npm pkg set type=module   # ${init.commonJs}`] : []),
    "  npm install",
    `  ${isMounted ? "" : `npx effect-gopay local-gateway${hasLedger ? " --data gateway.json" : ""} -- `}${startOf(merged, wanted)}`
  ]
}

const indented = (text: string): ReadonlyArray<string> =>
  text
    .trim()
    .split("\n")
    .map((line) => `            ${line}`.trimEnd())

const recipeLines = (language: Language): string =>
  Object.entries(shops)
    .map(([recipe, title]) => `  ${recipe.padEnd(19)}${title[language]}`)
    .join("\n")

export const initCommand = commandOf({
  name: "init",
  summary: {
    en: "write a shop for a framework into this project",
    cs: "zapsat do tohoto projektu obchod pro framework"
  },
  usage: "init RECIPE [--force]",
  about: {
    en: `Writes a small shop into the project in this directory: checkout, return page, notifications,
refunds. What package.json lacks is added to it; tsconfig.json and the framework's own
configuration stay as they are. A file that is there already stays, too, and is named. Where
package.json does not say "type": "module", files that Node.js runs are written as .mts.
It writes what runs on this Node.js: before 22.18 by tsx, before 22.13 over libsql.

Recipes:
${recipeLines("en")}`,
    cs: `Zapíše do projektu v tomto adresáři malý obchod: pokladnu, návratovou stránku, notifikace,
refundace. Co chybí v package.json, doplní; tsconfig.json a nastavení frameworku zůstanou.
Zůstanou i soubory, které už existují, a vypíšou se. Kde package.json nemá "type": "module",
zapíšou se soubory pro Node.js jako .mts. Zapíše to, co běží na tomto Node.js: před 22.18
přes tsx, před 22.13 nad libsql.

Recepty:
${recipeLines("cs")}`
  },
  options: {
    force: flag({ en: "overwrite files that are there", cs: "přepsat soubory, které už existují" })
  },
  takes: 1,
  run: async ({ force }, [recipe], { language }) => {
    if (recipe === undefined) throw new WrongUsage(({ init }) => init.noRecipe)
    console.log(
      writeRecipe(
        { folder: process.cwd(), recipe, files: filesOf(recipe), node: nodeFeatures(), force },
        words[language]
      ).join("\n")
    )
  }
})
