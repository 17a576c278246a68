/**
 * A recipe as the Node.js at hand can run it. The recipes are written for one that runs TypeScript and has `node:sqlite`.
 */
import { isBuiltin } from "node:module"

/** The text of each file by its path. */
export type Files = Readonly<Record<string, string>>

/** What this Node.js does by itself, without a flag. */
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

/** As this package tries them. */
export const packages = { libsql: "0.5.29", tsx: "4.23.15", vitest: "4.1.12" }

const opensStore = /\b(fileStore\(\w+\)|createTestShop\(|TestShop\.layer\()/

/** A module whose stores are over libsql. */
const withDriver = (code: string): string =>
  opensStore.test(code)
    ? code
        .replaceAll(/\bfileStore\((\w+)\)/g, "fileStore($1, { driver: Database })")
        .replaceAll(/\b(createTestShop|TestShop\.layer)\((?:\)|\{ )/g, (call, name) =>
          call.endsWith(")") ? `${name}({ driver: Database })` : `${name}({ driver: Database, `
        )
        .replace(/^import /m, 'import Database from "libsql"\nimport ')
    : code

type Members = Readonly<Record<string, unknown>>

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Members
  readonly devDependencies?: Members
  readonly engines?: { readonly node: string }
}

/** A script whose TypeScript is read by tsx. Without it, Node.js finds no tests that are written in TypeScript either. */
const withTsx = (script: string, tests: ReadonlyArray<string>): string =>
  /\.ts$|--test-force-exit$/.test(script)
    ? script
        .replace("node --disable-warning=ExperimentalWarning", "node --import tsx")
        .replace(/--test-force-exit$/, `--test-force-exit ${tests.join(" ")}`)
    : script

/** Whether a version is that of a range such as `>=22` or `>=22.18`. */
const isEnough = (version: string, range = ""): boolean => {
  const [, major = "0", minor = "0"] = /^>=(\d+)(?:\.(\d+))?$/.exec(range) ?? []
  const [own = 0, ownMinor = 0] = version.split(".").map(Number)
  return own > Number(major) || (own === Number(major) && ownMinor >= Number(minor))
}

/**
 * The same files, or what takes their place on an older Node.js: tsx runs their TypeScript, libsql is the driver of their
 * stores. `undefined` where the recipe needs a newer one for another reason.
 */
export const fittedToNode = (files: Files, { hasSqlite, runsTypeScript, version }: NodeFeatures): Files | undefined => {
  const manifest: Manifest = JSON.parse(files["package.json"] ?? "{}")
  const { dependencies, devDependencies, scripts = {} } = manifest
  const tests = Object.keys(files).filter((path) => /\.test\.(ts|mjs)$/.test(path))
  const ofModules = Object.fromEntries(
    Object.entries(files).map(([path, code]) => [
      path,
      hasSqlite || !/\.(ts|mjs)$/.test(path) ? code : withDriver(code)
    ])
  )
  const needsTsx = !runsTypeScript && Object.values(scripts).some((script) => withTsx(script, tests) !== script)
  const needsDriver = Object.keys(files).some((path) => ofModules[path] !== files[path])
  const needsVitest4 = !hasSqlite && devDependencies?.["@effect/vitest"] !== undefined
  if (!needsTsx && !needsDriver) return isEnough(version, manifest.engines?.node) ? files : undefined
  const fitted = {
    ...manifest,
    scripts: needsTsx
      ? Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, withTsx(script, tests)]))
      : scripts,
    dependencies: { ...dependencies, ...(needsDriver ? { libsql: packages.libsql } : {}) },
    devDependencies: {
      ...devDependencies,
      ...(needsTsx ? { tsx: packages.tsx } : {}),
      ...(needsVitest4 ? { vitest: packages.vitest } : {})
    },
    // Its own `vitest` needs Node.js 22.
    ...(needsVitest4 ? { overrides: { "@effect/vitest": { vitest: "$vitest" } } } : {}),
    engines: { node: hasSqlite ? ">=22.13" : ">=20.19" }
  }
  return { ...ofModules, "package.json": JSON.stringify(fitted) }
}
