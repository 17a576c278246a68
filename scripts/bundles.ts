/**
 * The modules that are built by bundling: the entries for callers who do not use Effect, with the Effect that they
 * need, and the local gateway. They are not minified, so that stack traces have the names of the sources; a bundler for
 * a browser minifies them.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { build, type BuildOptions, type OutputChunk, type Plugin } from "rolldown"
import { transform } from "esbuild"
import { banner } from "./banner.js"
import type { Bundle, Bundles } from "./Bundle.js"
import { root } from "./root.js"
import { dashboardStyle } from "../src/local-gateway/pages/dashboard/style.js"
import { type ServedText, servedTexts } from "../src/local-gateway/pages/ServedText.js"

/**
 * The entries that share one runtime. Each consists of modules without Effect and modules with it, one line for each.
 * In ESM only the latter are bundled, so importing only the former does not load them.
 */
const shared = [
  { name: "client", entry: "promise/index", withEffect: "promise/withEffect" },
  { name: "client-v4", entry: "promise/v4/index", withEffect: "promise/v4/withEffectV4" },
  { name: "ledger", entry: "ledger/promise/index", withEffect: "ledger/promise/createLedger" },
  { name: "admin", entry: "ledger/promise/index", withEffect: "ledger/promise/createAdminHandler" }
] as const

const source = (module: string): string => join(root, "src", `${module}.ts`)

/** `bysquare` would bring a validator that is more than half of the bundle, for two constants that a test checks. */
const alias = { validator: source("local-gateway/documents/StandIns") }

/** `lzma1` would bring its decoder, which only a reader of QR codes needs. */
const withoutDecoder: Plugin = {
  name: "without-decoder",
  resolveId: {
    filter: { id: /^\.\/decoder\.js$/ },
    handler: (_, importer) =>
      importer?.endsWith("/lzma1/lib/lzma.js") ? source("local-gateway/documents/StandIns") : undefined
  }
}

const isExternal = (path: string): boolean => path.startsWith("node:") || path === "#transport"

/** CommonJS: named exports that an `import` in Node.js can find, and an address for `import.meta.url`. */
const commonJs = {
  platform: "node",
  output: { entryFileNames: "[name].cjs", exports: "named", format: "cjs" },
  transform: {
    define: { "import.meta.url": "importMetaUrl" },
    inject: { importMetaUrl: [join(root, "scripts/importMetaUrl.js"), "importMetaUrl"] }
  }
} satisfies BuildOptions

const bundleOf = (chunk: OutputChunk, files: ReadonlySet<string>): Bundle => {
  const from = dirname(chunk.fileName)
  const importsOf = (paths: ReadonlyArray<string>, isDynamic: boolean) =>
    paths.map((path) => {
      const file = path.startsWith(".") ? join(from, path) : path
      return files.has(file)
        ? { path: join("dist", file), isDynamic, isExternal: false }
        : { path, isDynamic, isExternal: true }
    })
  return {
    imports: [...importsOf(chunk.imports, false), ...importsOf(chunk.dynamicImports, true)],
    modules: Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) =>
      renderedLength > 0 && id.startsWith(root) ? [relative(root, id)] : []
    )
  }
}

/** Builds chunks with a banner that credits the code they contain. */
const chunksOf = async (options: BuildOptions): Promise<ReadonlyArray<OutputChunk>> => {
  const { output } = await build({
    cwd: root,
    external: isExternal,
    // Reading a global or a property has no side effect in Effect's modules.
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    ...options,
    output: {
      postBanner: ({ modules }) =>
        banner(
          Object.entries(modules).flatMap(([id, { renderedLength }]) =>
            renderedLength > 0 ? [relative(root, id)] : []
          )
        ),
      comments: { annotation: true, jsdoc: false, legal: false },
      ...options.output
    },
    transform: { target: ["es2022", "node20.19"], ...options.transform },
    write: false
  })
  return output.filter((file) => file.type === "chunk")
}

const written = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Builds bundles, and writes them to `dist`. */
const write = async (options: BuildOptions): Promise<Bundles> => {
  const chunks = await chunksOf(options)
  const files = new Set(chunks.map(({ fileName }) => fileName))
  for (const { code, fileName } of chunks) written(join(root, "dist", fileName), code)
  return Object.fromEntries(chunks.map((chunk) => [join("dist", chunk.fileName), bundleOf(chunk, files)]))
}

/** The modules without Effect that the shared entries load. They must not load a package. */
const unbundled = async (): Promise<ReadonlySet<string>> => {
  const entries = new Set(shared.map(({ entry }) => source(entry)))
  const effectful = new Set(shared.map(({ withEffect }) => source(withEffect)))
  const { output } = await build({
    cwd: root,
    input: [...entries],
    external: (path, importer, isResolved) => importer !== undefined && !isResolved && !path.startsWith("."),
    plugins: [
      {
        name: "without-effect",
        resolveId: (path, from) => {
          const module = from === undefined ? path : join(dirname(from), path).replace(/\.js$/, ".ts")
          return effectful.has(module) ? { id: path, external: true } : undefined
        }
      }
    ],
    treeshake: false,
    write: false
  })
  const chunks = output.filter((file) => file.type === "chunk")
  const files = new Set(chunks.map(({ fileName }) => fileName))
  const packages = chunks.flatMap(({ imports }) => imports).filter((path) => !path.startsWith(".") && !files.has(path))
  if (packages.length > 0) throw new Error(`Promise entries must not import ${packages.join(", ")} without Effect`)
  return new Set(chunks.flatMap(({ moduleIds }) => moduleIds).filter((module) => !entries.has(module)))
}

/** Excludes modules from the bundles of a folder in `dist`: they are imported from their own place. */
const importing = (folder: string, isImported: (module: string) => boolean): Plugin => ({
  name: "importing",
  resolveId: {
    filter: { id: /^\..*\.js$/ },
    handler: (path, importer) => {
      if (importer === undefined) return undefined
      const module = join(dirname(importer), path)
      if (!isImported(module.replace(/\.js$/, ".ts"))) return undefined
      const from = relative(join(root, "src", folder), module)
      return { id: from.startsWith(".") ? from : `./${from}`, external: true, moduleSideEffects: false }
    }
  }
})

/** The modules with Effect in one folder, so that the relative paths to those without it are the same. */
const writeShared = async (): Promise<Bundles> => {
  const own = await unbundled()
  const bundles = await write({
    input: Object.fromEntries(shared.map(({ name, withEffect }) => [`bundle/${name}`, source(withEffect)])),
    output: { chunkFileNames: "bundle/runtime-[hash].js", hashCharacters: "hex" },
    plugins: [importing("bundle", (module) => own.has(module))]
  })
  for (const { name, withEffect } of shared) {
    const path = relative(dirname(withEffect), `bundle/${name}.js`)
    written(join(root, `dist/${withEffect}.js`), `export * from "${path}"\n`)
  }
  return bundles
}

/** The same entries as CommonJS. */
const writeSharedCommonJs = (): Promise<Bundles> =>
  write({
    ...commonJs,
    input: Object.fromEntries(shared.map(({ entry }) => [entry, source(entry)])),
    output: { ...commonJs.output, chunkFileNames: "bundle/runtime-[hash].cjs", hashCharacters: "hex" }
  })

/**
 * Provides built-in modules to a script that is neither ESM nor CommonJS: a bundler may make either of it, and ESM has
 * no `require`.
 */
const builtIns: Plugin = {
  name: "built-ins",
  resolveId: { filter: { id: /^node:/ }, handler: (path) => `\0${path}.cjs` },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1, -".cjs".length))})`
  }
}

/**
 * Writes the texts that the local gateway serves, each as a module, which Node.js reads as a file, and which platforms
 * without files import on demand. Returns the inputs of the dashboard's script: its components as one file, with the
 * library that they use.
 */
export const writeServed = async (documents: Record<"openapi" | "control-openapi", unknown>): Promise<Bundles> => {
  const chunks = await chunksOf({
    input: { "served/dashboard": join(root, "src/local-gateway/pages/dashboard/main.tsx") },
    output: { minify: true },
    transform: { target: "es2022" }
  })
  const style = await transform(dashboardStyle, { loader: "css", minify: true })
  const texts: Readonly<Record<ServedText, string>> = {
    dashboard: chunks.map(({ code }) => code).join(""),
    "dashboard-style": style.code,
    openapi: JSON.stringify(documents.openapi),
    "control-openapi": JSON.stringify(documents["control-openapi"])
  }
  for (const [name, text] of Object.entries(texts)) {
    written(join(root, `dist/served/${name}.js`), `export default ${JSON.stringify(text)}\n`)
  }
  return Object.fromEntries(chunks.map((chunk) => [join("dist", chunk.fileName), bundleOf(chunk, new Set())]))
}

/** Imports the served texts on platforms without files. */
const servedModules: Plugin = {
  name: "served-modules",
  resolveId: { filter: { id: /^\.\.\/served\// }, handler: (id) => ({ id, external: true }) },
  load: {
    filter: { id: /\/pages\/ServedText\.ts$/ },
    handler: () => `
      import * as Effect from "effect/Effect"
      export const leftBehind = ""
      export const servedText = (name) => Effect.promise(async () => (await modules[name]()).default)
      const modules = {${servedTexts.map((name) => `"${name}": () => import("../served/${name}.js")`).join()}}`
  }
}

const isOutside =
  (folder: string) =>
  (module: string): boolean =>
    !module.startsWith(join(root, "src", folder, "/"))

/** The ledger of programs. */
const writeLedger = (): Promise<Bundles> =>
  write({
    external: (path) => /^effect(\/|$)/.test(path),
    input: { "ledger/index": source("ledger/index") },
    plugins: [importing("ledger", isOutside("ledger"))]
  })

/** The command line as one file. */
const writeCommandLine = (): Promise<Bundles> =>
  write({
    input: { "command-line/index": source("command-line/index") },
    platform: "node",
    plugins: [importing("command-line", isOutside("command-line"))]
  })

/**
 * The test shop as CommonJS, over the other entries, so that a program has only one copy of each. Its ESM is the
 * modules.
 */
const writeTestingCommonJs = (): Promise<Bundles> =>
  write({
    ...commonJs,
    input: { "testing/promise/index": source("testing/promise/index") },
    plugins: [
      {
        name: "entries",
        resolveId: {
          filter: { id: /^\.\.\/.*\/index\.js$/ },
          handler: (path) => ({ id: path.replace(/\.js$/, ".cjs"), external: true })
        }
      }
    ]
  })

/** An entry as CommonJS and as ESM, each complete: some bundlers read only the latter. */
const writeBothForms = async (
  name: string,
  { asCommonJs, asEsm }: { readonly asCommonJs: BuildOptions; readonly asEsm: BuildOptions }
): Promise<Bundles> => {
  const input = { [`${name}/index`]: source(`${name}/index`) }
  const outputs = await Promise.all([write({ ...commonJs, input, ...asCommonJs }), write({ input, ...asEsm })])
  return Object.assign({}, ...outputs)
}

/** Writes all other bundles. Returns their contents. */
export const writeBundles = async (): Promise<Bundles> =>
  Object.assign(
    {},
    ...(await Promise.all([
      writeShared(),
      writeSharedCommonJs(),
      writeLedger(),
      writeCommandLine(),
      // The module behind `#transport`, by platform.
      ...(["fetch", "node"] as const).flatMap((platform) =>
        [{ platform: platform === "node" ? "node" : "neutral" } as const, commonJs].map((format) =>
          write({ ...format, input: { [`client/transport/${platform}`]: source(`client/transport/${platform}`) } })
        )
      ),
      write({
        external: (path) => isExternal(path) || /^effect(\/|$)/.test(path),
        input: { "local-gateway/index": source("local-gateway/index") },
        platform: "node",
        plugins: [withoutDecoder],
        resolve: { alias }
      }),
      writeBothForms("local-gateway/promise", {
        asCommonJs: { external: [], plugins: [builtIns, withoutDecoder], resolve: { alias } },
        asEsm: { platform: "node", plugins: [withoutDecoder], resolve: { alias } }
      }),
      write({
        input: { "local-gateway/web": source("local-gateway/web") },
        plugins: [servedModules, withoutDecoder],
        resolve: { alias }
      }),
      writeTestingCommonJs(),
      writeBothForms("statement", {
        asCommonJs: { resolve: { mainFields: ["main"] } },
        asEsm: { resolve: { mainFields: ["module", "main"] } }
      })
    ]))
  )
