/**
 * Credits for the code in a bundle: its first line, and its row in THIRD-PARTY-NOTICES.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Bundle, Bundles } from "./Bundle.js"
import { root } from "./root.js"

/** The modules of effect that say from whom they were taken or adapted. */
const takenFrom: Readonly<Record<string, string>> = {
  "node_modules/effect/dist/http/Cookies.js": "@fastify/cookie",
  "node_modules/effect/dist/http/FindMyWay/internal/router.js": "find-my-way",
  "node_modules/effect/dist/http/FindMyWay/internal/queryString.js": "fast-querystring",
  "node_modules/effect/dist/http/MultipartParser/internal/contentType.js": "fast-content-type-parse",
  "node_modules/effect/dist/Random.js": "isaac.js"
}

/** Notices in which a package names itself, as opposed to other people's code. */
const ownNotice = /@mathias \| MIT license|@license\n \* Copyright Filip Seman\n|@copyright Louis-Dominique Dubeau\n/

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const packageOf = (input: string): ReadonlyArray<string> =>
  /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.slice(1) ?? []

interface Manifest {
  readonly license: string
  readonly author?: string | { readonly name: string }
}

/** A package with its licence and copyright, from its licence file or else from its author. */
const credit = (name: string): string => {
  const folder = `node_modules/${name}`
  const { author, license }: Manifest = JSON.parse(text(`${folder}/package.json`))
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry))
  const authorName = typeof author === "object" ? author.name : author
  const copyright =
    file === undefined
      ? authorName && `Copyright ${authorName}`
      : /^Copyright .*$/m.exec(text(`${folder}/${file}`))?.[0]
  if (!license || !copyright)
    throw new Error(`${name} does not say who has the copyright, or under which licence it is.`)
  return `${name} (${license}, ${copyright})`
}

/** Other copyright holders of a module, besides its package. */
const creditsWithin = (input: string): ReadonlyArray<string> => {
  if (!existsSync(join(root, input))) return []
  if (!/\bcopyright\b|\bMIT License\b|\blicensed under\b/i.test(text(input).replace(ownNotice, ""))) return []
  const name = takenFrom[input]
  if (name === undefined) throw new Error(`${input} was taken from someone: say from whom in scripts/banner.ts.`)
  return [name]
}

const list = new Intl.ListFormat("en-GB")

/** Packages by name, each with those from whom parts of it were taken. */
const packagesIn = (modules: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const names = [...new Set(modules.flatMap(packageOf))].sort()
  return new Map(
    names.map((name) => {
      const taken = modules.filter((module) => packageOf(module).includes(name)).flatMap(creditsWithin)
      return [name, [...new Set(taken)].sort()]
    })
  )
}

const described = (name: string, taken: ReadonlyArray<string>): string =>
  taken.length === 0 ? name : `${name} with parts of ${list.format(taken)}`

/** The credits of a file that contains these modules, with licences and copyrights. */
export const banner = (modules: ReadonlyArray<string>): string => {
  const credits = Array.from(packagesIn(modules), ([name, taken]) => described(credit(name), taken))
  const parts = credits.length === 0 ? "" : ` with parts of ${credits.join("; ")}`
  return `/*! effect-gopay (MIT)${parts}: see THIRD-PARTY-NOTICES.md in this package */`
}

/** The rows of the notices: each bundle with third-party code. The names of chunks change with each build. */
const noticeRows = (bundles: Bundles): string => {
  const files = new Map<string, Bundle["modules"]>()
  for (const [path, { modules }] of Object.entries(bundles)) {
    const file = path.replace(/-[0-9a-f]{8}\./, "-….")
    files.set(file, [...(files.get(file) ?? []), ...modules])
  }
  return Array.from(files)
    .flatMap(([file, modules]) => {
      const packages = packagesIn(modules)
      const names = Array.from(packages, ([name, taken]) => described(name, taken))
      return names.length === 0 ? [] : [`- \`${file}\`: ${list.format(names)}`]
    })
    .sort()
    .join("\n")
}

/** Writes the rows of the notices. */
export const writeNotices = (bundles: Bundles): void => {
  const path = join(root, "THIRD-PARTY-NOTICES.md")
  const notices = readFileSync(path, "utf8")
  const written = notices.replace(/(?<=hold parts of others:\n\n)[^]*?(?=\n\n## )/, () => noticeRows(bundles))
  if (written !== notices) writeFileSync(path, written)
}
