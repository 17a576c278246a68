/**
 * The entries that are one file each, with everything in it that is not external.
 */
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild"
import { writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { banner } from "./banner.js"
import { ownSources } from "./ownSources.js"
import { root } from "./root.js"

/**
 * `bysquare` would bring a validator along that is more than half of the bundle, for two constants that a test checks.
 */
const alias = { validator: "./src/local-gateway/documents/NoValidator.ts" }

/** Leaves the modules out that an entry has beside the bundle: they are what the compiler made of them. */
const besides = (entry: string): Plugin => ({
  name: "besides",
  setup: async (building) => {
    const { metafile } = await build({
      absWorkingDir: root,
      bundle: true,
      entryPoints: [entry],
      external: ["./withEffect.js"],
      metafile: true,
      write: false
    })
    const outside = new Set(Object.keys(metafile.inputs).filter((input) => input !== entry))
    building.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const module = relative(root, join(resolveDir, path)).replace(/\.js$/, ".ts")
      if (!outside.has(module)) return undefined
      const from = relative(dirname(entry), module).replace(/\.ts$/, ".js")
      return { path: from.startsWith(".") ? from : `./${from}`, external: true }
    })
  }
})

interface Bundle {
  readonly entry: string
  readonly formats: ReadonlyArray<"esm" | "cjs">
  readonly options: BuildOptions
}

/** An uncaught error prints the line that threw, so lines of minified code are kept short. */
const bundles: ReadonlyArray<Bundle> = [
  // What is made with Effect, beside the modules that are not: those shake.
  {
    entry: "src/promise/withEffect.ts",
    formats: ["esm"],
    options: { minify: true, lineLimit: 600, external: ["#transport"], plugins: [besides("src/promise/index.ts")] }
  },
  {
    entry: "src/promise/index.ts",
    formats: ["cjs"],
    options: { minify: true, lineLimit: 600, external: ["#transport"] }
  },
  // What `#transport` is, by platform.
  { entry: "src/client/transport/platform/fetch.ts", formats: ["esm", "cjs"], options: {} },
  { entry: "src/client/transport/platform/node.ts", formats: ["esm", "cjs"], options: { platform: "node" } },
  {
    entry: "src/ledger/promise/index.ts",
    formats: ["esm", "cjs"],
    options: { minify: true, lineLimit: 600 }
  },
  // It has no use for its address, which would bring `node:url` along.
  {
    entry: "src/statement/index.ts",
    formats: ["esm", "cjs"],
    options: { minify: true, lineLimit: 600, mainFields: ["main"], inject: [] }
  },
  {
    entry: "src/local-gateway/index.ts",
    formats: ["esm"],
    options: { platform: "node", external: ["effect", "effect/*"], alias }
  },
  {
    entry: "src/local-gateway/promise/index.ts",
    formats: ["esm", "cjs"],
    options: { platform: "node", minify: true, lineLimit: 300, alias }
  }
]

/** CommonJS: named exports that an `import` in Node.js can find, and an address for `import.meta.url`. */
const formatOptions = {
  esm: { platform: "neutral", outExtension: { ".js": ".js" } },
  cjs: {
    platform: "node",
    outExtension: { ".js": ".cjs" },
    define: { "import.meta.url": "importMetaUrl" },
    inject: ["scripts/importMetaUrl.js"]
  }
} satisfies Record<string, BuildOptions>

const write = async ({ entry, options }: Bundle, format: "esm" | "cjs"): Promise<Metafile["outputs"]> => {
  const bundle = {
    ...formatOptions[format],
    ...options,
    absWorkingDir: root,
    bundle: true,
    entryPoints: [entry],
    format,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    outbase: "src",
    outdir: "dist",
    sourcemap: true,
    sourcesContent: false,
    target: ["es2022", "node20.19"],
    write: false
  } satisfies BuildOptions
  const dryRun = await build(bundle)
  const { metafile, outputFiles } = await build({ ...bundle, banner: { js: banner(dryRun.metafile) } })
  const code = outputFiles.find(({ path }) => !path.endsWith(".map"))?.text ?? ""
  for (const { path, text } of outputFiles) {
    writeFileSync(path, path.endsWith(".map") ? JSON.stringify(ownSources(JSON.parse(text), code)) : text)
  }
  return Object.fromEntries(Object.entries(metafile.outputs).filter(([path]) => !path.endsWith(".map")))
}

/**
 * Writes all bundles, each below a banner that says whose code it contains, with its source map. Returns what the
 * bundler says of the files.
 */
export const writeBundles = async (): Promise<Metafile["outputs"]> =>
  Object.assign({}, ...(await Promise.all(bundles.flatMap((bundle) => bundle.formats.map((to) => write(bundle, to))))))
