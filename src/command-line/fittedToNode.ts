/**
 * Adapts a recipe to the Node.js at hand. Recipes are written for a version that runs TypeScript and has `node:sqlite`.
 */
import { isBuiltin } from "node:module"
import { ownMember } from "../basics/OwnMember.js"

/** The text of each file by its path. */
export type Files = Readonly<Record<string, string>>

/** What this Node.js can do without a flag. */
export interface NodeFeatures {
  readonly version: string
  /** From 22.18. */
  readonly runsTypeScript: boolean
  /** From 22.13. */
  readonly hasSqlite: boolean
}

export const nodeFeatures = (): NodeFeatures => ({
  version: process.versions.node,
  runsTypeScript: Boolean(Reflect.get(process.features, "typescript")),
  hasSqlite: isBuiltin("node:sqlite")
})

/** The versions that this package is tested with. */
export const packages = { libsql: "0.5.29", tsx: "4.23.15" }

/** The versions of Node.js that packages of recipes need, from their own `engines`. */
const neededBy: Readonly<Record<string, string>> = {
  "@effect/platform-node": "22.19",
  "@sveltejs/kit": "22.17",
  miniflare: "22.0"
}

/** A module whose stores use libsql, and the configuration of a bundler that must leave it alone. */
const withDriver = (code: string): string =>
  /\bfileStore\(\w+\)|\bcreateTestShop\(/.test(code)
    ? code
        .replaceAll(/\bfileStore\((\w+)\)/g, "fileStore($1, { driver: Database })")
        .replaceAll(/\bcreateTestShop\((?:\)|\{ )/g, (call) =>
          call.endsWith(")") ? "createTestShop({ driver: Database })" : "createTestShop({ driver: Database, "
        )
        .replace(/^import /m, 'import Database from "libsql"\nimport ')
    : code.replace('serverExternalPackages: ["effect-gopay"]', 'serverExternalPackages: ["effect-gopay", "libsql"]')

type Members = Readonly<Record<string, unknown>>

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Members
  readonly devDependencies?: Members
  readonly engines?: { readonly node: string }
}

/** A script that runs TypeScript with tsx. A test that is JavaScript imports a module that is TypeScript. */
const withTsx = (script: string): string =>
  /\.(ts|test\.mjs)$/.test(script)
    ? script.replace("node --disable-warning=ExperimentalWarning", "node --import tsx")
    : script

/** Whether a version such as `22.18.0` is at least another one, such as `22.18`. */
const isEnough = (version: string, needed: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [least = 0, leastMinor = 0] = needed.split(".").map(Number)
  return major > least || (major === least && minor >= leastMinor)
}

/** The package of a recipe that needs a newer Node.js than the oldest that this package supports, if there is one. */
export const needing = (files: Files): { readonly name: string; readonly version: string } | undefined => {
  const { dependencies, devDependencies }: Manifest = JSON.parse(files["package.json"] ?? "{}")
  return Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
    const version = ownMember(neededBy, name)
    return version === undefined ? [] : [{ name, version }]
  })[0]
}

/**
 * The files adapted to an older Node.js: tsx runs their TypeScript, and libsql is the driver of their stores.
 * `undefined` if a package of the recipe needs a newer version.
 */
export const fittedToNode = (files: Files, { hasSqlite, runsTypeScript, version }: NodeFeatures): Files | undefined => {
  const needed = needing(files)?.version
  if (needed !== undefined && !isEnough(version, needed)) return undefined
  const manifest: Manifest = JSON.parse(files["package.json"] ?? "{}")
  const { dependencies, devDependencies, scripts = {} } = manifest
  const ofModules = Object.fromEntries(
    Object.entries(files).map(([path, code]) => [
      path,
      hasSqlite || !/\.(ts|mjs)$/.test(path) ? code : withDriver(code)
    ])
  )
  const needsTsx = !runsTypeScript && Object.values(scripts).some((script) => withTsx(script) !== script)
  const needsDriver = Object.entries(files).some(([path, text]) => ownMember(ofModules, path) !== text)
  if (!needsTsx && !needsDriver) return files
  const fitted = {
    ...manifest,
    scripts: needsTsx
      ? Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, withTsx(script)]))
      : scripts,
    dependencies: { ...dependencies, ...(needsDriver ? { libsql: packages.libsql } : {}) },
    devDependencies: {
      ...devDependencies,
      ...(needsTsx ? { tsx: packages.tsx } : {})
    },
    engines: { node: `>=${needed ?? (hasSqlite ? "22.13" : "20.19")}` }
  }
  return { ...ofModules, "package.json": JSON.stringify(fitted) }
}

/**
 * Whether Node.js itself runs the TypeScript of a recipe. Then its files may be `.mts`, unless a framework determines
 * their names.
 */
export const runsByItself = (files: Files): boolean => {
  const { scripts = {} }: Manifest = JSON.parse(files["package.json"] ?? "{}")
  return /^node .*\.ts$/.test(ownMember(scripts, "start") ?? "")
}

/** The same modules in files that are ES modules whatever `type` the project's package.json has. */
export const asMts = (files: Files): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path.replace(/\.ts$/, ".mts"),
      path.endsWith(".json")
        ? text.replaceAll(/\.ts(?=["\s])/g, ".mts")
        : text.replaceAll(/((?:from|import) "\.\/[^"]+)\.ts"/g, '$1.mts"')
    ])
  )
