/**
 * The modules that are built by bundling: the entries for callers who do not use Effect, with the Effect that they need,
 * and the local gateway.
 */
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin, transform } from "esbuild"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { minify } from "terser"
import { banner } from "./banner.js"
import { ownSources, type SourceMap } from "./ownSources.js"
import { root } from "./root.js"
import { withWholeStrings } from "./wholeStrings.js"
import { dashboardStyle } from "../src/local-gateway/pages/dashboard/style.js"
import { type ServedText, servedTexts } from "../src/local-gateway/pages/ServedText.js"

type Outputs = Metafile["outputs"]

/**
 * The entries that share one runtime. Each is modules without Effect, and one module that has it. As ESM only the latter
 * is bundled: who imports only the others is not given it.
 */
const shared = [
  { name: "client", entry: "src/promise/index.ts", withEffect: "src/promise/withEffect.ts" },
  { name: "ledger", entry: "src/ledger/promise/index.ts", withEffect: "src/ledger/promise/createLedger.ts" },
  {
    name: "operator",
    entry: "src/ledger/promise/operator.ts",
    withEffect: "src/ledger/promise/createLedgerOperator.ts"
  }
] as const

/**
 * `bysquare` would bring a validator along that is more than half of the bundle, for two constants that a test checks.
 */
const alias = { validator: "./src/local-gateway/documents/StandIns.ts" }

/** `lzma1` would bring its decoder along, which only a reader of QR codes needs. */
const withoutDecoder: Plugin = {
  name: "without-decoder",
  setup: (building) =>
    building.onResolve({ filter: /^\.\/decoder\.js$/ }, ({ importer }) =>
      importer.endsWith("/lzma1/lib/lzma.js")
        ? { path: join(root, "src/local-gateway/documents/StandIns.ts") }
        : undefined
    )
}

/**
 * Rewrites modules of Effect so that esbuild leaves out what is not used of them. It keeps a class that has a computed
 * member, and a call with a global in its arguments, for their possible side effects, with all that they need.
 */
const withoutUnused: Plugin = {
  name: "without-unused",
  setup: (building) =>
    building.onLoad({ filter: /\/effect\/dist\/(Schema|internal\/(core|effect))\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replace(
          /^export class (\w+) (extends \/\*#__PURE__\*\/[^]*?^\})$/gm,
          "export const $1 = /*#__PURE__*/(() => class $1 $2)();"
        )
        .replace(/^(export const \w+ = \/\*#__PURE__\*\/)(instanceOf\(globalThis\.[^]*?^\}\));$/gm, "$1(() => $2)();")
    }))
}

const common = {
  absWorkingDir: root,
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  outbase: "src",
  outdir: "dist",
  platform: "neutral",
  sourcemap: true,
  sourcesContent: false,
  target: ["es2022", "node20.19"]
} satisfies BuildOptions

/** An uncaught error prints the line that threw, and one below it as long. More would cost: statements on lines, a fifth. */
const minified = { minify: true, lineLimit: 240 } satisfies BuildOptions

/** Without maps: a stack trace has the names of the sources. */
const compact = { minifySyntax: true, minifyWhitespace: true, lineLimit: 240, sourcemap: false } satisfies BuildOptions

/** CommonJS: named exports that an `import` in Node.js can find, and an address for `import.meta.url`. */
const commonJs = {
  platform: "node",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "importMetaUrl" },
  inject: ["scripts/importMetaUrl.js"],
  format: "cjs"
} satisfies BuildOptions

const written = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

type Written = Pick<OutputFile, "path" | "text">

/** Writes code, each with its map where it has one. */
const writeFiles = (files: ReadonlyArray<Written>): void => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  for (const { path, text } of files) {
    if (path.endsWith(".map")) continue
    const content = texts.get(`${path}.map`)
    const map: SourceMap | undefined = content === undefined ? undefined : JSON.parse(content)
    const { code, mappings } = withWholeStrings(text, map?.mappings)
    written(path, code)
    if (map !== undefined) written(`${path}.map`, JSON.stringify(ownSources({ ...map, mappings }, code)))
  }
}

/** Bundles below a banner that says whose code they contain, with source maps. */
const bundled = async (options: BuildOptions) => {
  const plugins = [withoutUnused, ...(options.plugins ?? [])]
  const all = { ...common, ...options, plugins, metafile: true, write: false } as const
  const dryRun = await build(all)
  return build({ ...all, banner: { js: banner(dryRun.metafile) } })
}

/** What the bundler says of the code that it has made. */
const codeIn = ({ outputs }: Metafile): Outputs =>
  Object.fromEntries(Object.entries(outputs).filter(([path]) => !path.endsWith(".map")))

/** Writes bundles. */
const write = async (options: BuildOptions): Promise<Outputs> => {
  const { metafile, outputFiles } = await bundled(options)
  writeFiles(outputFiles)
  return codeIn(metafile)
}

/**
 * Minifies code that users bundle. With the white space esbuild drops the comments that say which calls have no side
 * effects, without which their bundlers leave nothing out. This keeps them.
 */
const minifiedForBundlers = async (files: ReadonlyArray<Written>): Promise<ReadonlyArray<Written>> => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const pairs = await Promise.all(
    files.map(async ({ path, text }): Promise<ReadonlyArray<Written>> => {
      if (path.endsWith(".map")) return []
      const content = texts.get(`${path}.map`)
      if (content === undefined) throw new Error(`${path} has no map.`)
      const { code, map } = await minify(text, {
        ecma: 2020,
        format: { max_line_len: minified.lineLimit, preserve_annotations: true },
        module: true,
        sourceMap: { asObject: true, content, url: `${basename(path)}.map` }
      })
      if (code === undefined) throw new Error(`${path} has no code.`)
      return [
        { path, text: code },
        { path: `${path}.map`, text: JSON.stringify(map) }
      ]
    })
  )
  return pairs.flat()
}

const isOwn = (module: string): boolean => module.startsWith("src/")

/** How a module imports another one. */
const importOf = (from: string, module: string): string => {
  const path = relative(dirname(from), module).replace(/\.ts$/, ".js")
  return path.startsWith(".") ? path : `./${path}`
}

/** The modules of the shared entries that are not bundled. They must not bring Effect along. */
const unbundled = async (): Promise<ReadonlySet<string>> => {
  const entries: ReadonlySet<string> = new Set(shared.map(({ entry }) => entry))
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    entryPoints: [...entries],
    external: shared.map(({ entry, withEffect }) => importOf(entry, withEffect)),
    metafile: true,
    outdir: "dist",
    write: false
  })
  const wrong = Object.entries(metafile.inputs).find(
    ([module, { imports }]) => isOwn(module) && imports.some(({ external, path }) => external !== true && !isOwn(path))
  )
  if (wrong !== undefined) throw new Error(`${wrong[0]} is loaded by promise entries and must not import a package`)
  return new Set(Object.keys(metafile.inputs).filter((input) => !entries.has(input)))
}

/** Leaves modules out of the bundles in a folder of `dist`, which import them from beside it. */
const importing = (modules: ReadonlySet<string>): Plugin => ({
  name: "importing",
  setup: (building) => {
    building.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const module = relative(root, join(resolveDir, path)).replace(/\.js$/, ".ts")
      return modules.has(module)
        ? { path: module.replace(/^src\/(.*)\.ts$/, "../$1.js"), external: true, sideEffects: false }
        : undefined
    })
  }
})

/** The modules with Effect in one folder, so that all are as far from those without it. */
const writeShared = async (): Promise<Outputs> => {
  const { metafile, outputFiles } = await bundled({
    entryPoints: shared.map(({ name, withEffect }) => ({ in: withEffect, out: `bundle/${name}` })),
    chunkNames: "bundle/runtime-[hash]",
    external: ["#transport"],
    format: "esm",
    plugins: [importing(await unbundled())],
    splitting: true
  })
  writeFiles(await minifiedForBundlers(outputFiles))
  for (const { name, withEffect } of shared) {
    const file = withEffect.replace(/^src\/(.*)\.ts$/, "dist/$1.js")
    const bundle = relative(dirname(file), `dist/bundle/${name}.js`)
    written(join(root, file), `export * from "${bundle}"\n`)
  }
  return codeIn(metafile)
}

/**
 * The same entries as CommonJS, which esbuild does not split: split as ESM, then written as CommonJS, and only then made
 * short, so that maps keep the names.
 */
const writeSharedCommonJs = async (): Promise<Outputs> => {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: [...new Set(shared.map(({ entry }) => entry))],
    chunkNames: "bundle/runtime-[hash]",
    external: ["#transport"],
    format: "esm",
    outExtension: { ".js": ".cjs" },
    plugins: [withoutUnused],
    sourcemap: "inline",
    splitting: true,
    write: false
  })
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code, map } = await transform(text, {
        ...minified,
        banner: banner(metafile),
        charset: "utf8",
        format: "cjs",
        platform: "node",
        sourcefile: path,
        sourcemap: "external",
        sourcesContent: false,
        target: common.target
      })
      writeFiles([
        { path, text: `${code}//# sourceMappingURL=${basename(path)}.map\n` },
        { path: `${path}.map`, text: map }
      ])
    })
  )
  return metafile.outputs
}

/**
 * Built-in modules as a script gets them that is neither ESM nor CommonJS: a bundler may make either of it, and in ESM
 * there is no `require`.
 */
const builtIns: Plugin = {
  name: "built-ins",
  setup: (building) => {
    building.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "built-in" }))
    building.onLoad({ filter: /./, namespace: "built-in" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`
    }))
  }
}

/** The dashboard's script: its components as one file, with the library that they are written for. */
const dashboardScript = {
  entryPoints: [{ in: "src/local-gateway/pages/dashboard/main.tsx", out: "served/dashboard" }],
  format: "esm",
  minify: true,
  sourcemap: false,
  target: "es2022"
} satisfies BuildOptions

/**
 * Writes what the local gateway serves as it was built: each text as a module, which Node.js reads as a file, and what
 * has no files imports when it is asked for. Returns what the bundler says of the script.
 */
export const writeServed = async (documents: Record<"openapi" | "control-openapi", unknown>): Promise<Outputs> => {
  const { metafile, outputFiles } = await bundled(dashboardScript)
  const style = await transform(dashboardStyle, { loader: "css", minify: true })
  const texts: Readonly<Record<ServedText, string>> = {
    dashboard: outputFiles.map(({ text }) => text).join(""),
    "dashboard-style": style.code,
    openapi: JSON.stringify(documents.openapi),
    "control-openapi": JSON.stringify(documents["control-openapi"])
  }
  for (const [name, text] of Object.entries(texts)) {
    written(join(root, `dist/served/${name}.js`), `export default ${JSON.stringify(text)}\n`)
  }
  return metafile.outputs
}

/** Imports what is served, where there are no files to read. */
const servedModules: Plugin = {
  name: "served-modules",
  setup: (building) => {
    building.onLoad({ filter: /\/pages\/ServedText\.ts$/ }, ({ path }) => ({
      resolveDir: dirname(path),
      contents: `
        import * as Effect from "effect/Effect"
        export const leftBehind = ""
        export const servedText = (name) => Effect.promise(async () => (await modules[name]()).default)
        const modules = {${servedTexts.map((name) => `"${name}": () => import("../served/${name}.js")`).join()}}`
    }))
    building.onResolve({ filter: /^\.\.\/served\// }, ({ path }) => ({ path, external: true }))
  }
}

/** Leaves out of a bundle what is not in a folder: it is imported from where it is. */
const besides = (folder: string): Plugin => ({
  name: "besides",
  setup: (building) => {
    building.onResolve({ filter: /^\..*\.js$/ }, ({ kind, path, resolveDir }) => {
      const module = join(resolveDir, path)
      const isInside = kind === "entry-point" || module.startsWith(join(root, folder, "/"))
      return isInside ? undefined : { path: relative(join(root, folder), module), external: true }
    })
  }
})

/** The ledger of programs and its operator, and what they share. */
const writeLedger = (): Promise<Outputs> =>
  write({
    ...compact,
    chunkNames: "bundle/ledger-programs",
    entryPoints: ["src/ledger/index.ts", "src/ledger/operator.ts"],
    external: ["effect", "effect/*"],
    format: "esm",
    plugins: [besides("src/ledger")],
    splitting: true
  })

/** The command line as one file. */
const writeCommandLine = (): Promise<Outputs> =>
  write({
    ...compact,
    entryPoints: ["src/command-line/index.ts"],
    format: "esm",
    platform: "node",
    plugins: [besides("src/command-line")]
  })

/** The test shop as CommonJS: over the other entries, so that all of a program's are the same. Its ESM is the modules. */
const writeTestingCommonJs = (): Promise<Outputs> =>
  write({
    ...compact,
    ...commonJs,
    inject: [],
    entryPoints: ["src/testing/promise/index.ts"],
    plugins: [
      {
        name: "entries",
        setup: (building) => {
          building.onResolve({ filter: /^\.\.\/.*\/(index|operator)\.js$/ }, ({ path }) => ({
            path: path.replace(/\.js$/, ".cjs"),
            external: true
          }))
        }
      }
    ]
  })

/** An entry as CommonJS and as ESM, each whole: some bundlers read only the latter. */
const writeBothForms = async (
  name: string,
  options: BuildOptions,
  { asCommonJs, asEsm }: { readonly asCommonJs: BuildOptions; readonly asEsm: BuildOptions }
): Promise<Outputs> => {
  const all: BuildOptions = { ...minified, ...options, entryPoints: [`src/${name}/index.ts`], sourcemap: false }
  const outputs = await Promise.all([
    write({ ...all, ...commonJs, ...asCommonJs }),
    write({ ...all, format: "esm", ...asEsm })
  ])
  return Object.assign({}, ...outputs)
}

/**
 * Writes all other bundles. Returns what the bundler says of the files.
 */
export const writeBundles = async (): Promise<Outputs> =>
  Object.assign(
    {},
    ...(await Promise.all([
      writeShared(),
      writeSharedCommonJs(),
      writeLedger(),
      writeCommandLine(),
      // What `#transport` is, by platform.
      ...(["fetch", "node"] as const).flatMap((platform) =>
        [{ format: "esm", platform: platform === "node" ? "node" : "neutral" } as const, commonJs].map((format) =>
          write({ ...format, entryPoints: [`src/client/transport/${platform}.ts`] })
        )
      ),
      write({
        ...minified,
        alias,
        entryPoints: ["src/local-gateway/index.ts"],
        external: ["effect", "effect/*"],
        format: "esm",
        platform: "node",
        plugins: [withoutDecoder],
        sourcemap: false
      }),
      writeBothForms(
        "local-gateway/promise",
        { alias },
        {
          asCommonJs: { plugins: [builtIns, withoutDecoder] },
          asEsm: { platform: "node", plugins: [withoutDecoder] }
        }
      ),
      write({
        ...minified,
        alias,
        entryPoints: ["src/local-gateway/web.ts"],
        format: "esm",
        plugins: [servedModules, withoutDecoder],
        sourcemap: false
      }),
      writeTestingCommonJs(),
      // The module has no use for its address, which would bring `node:url` along.
      writeBothForms(
        "statement",
        {},
        { asCommonJs: { mainFields: ["main"], inject: [] }, asEsm: { mainFields: ["module", "main"] } }
      )
    ]))
  )
