/**
 * The entries that are one file each, with everything in it that is not external.
 */
import { build, type BuildOptions, type Metafile } from "esbuild"
import { banner } from "./banner.js"
import { root } from "./root.js"

/** `bysquare` would bring a validator along that is more than half of the bundle, for two constants that a test checks. */
const alias = { validator: "./src/local-gateway/documents/NoValidator.ts" }

/** By their module of `src`. An uncaught error prints the line that threw, so lines of minified code are kept short. */
const bundles: Readonly<Record<string, BuildOptions>> = {
  "src/promise/index.ts": { platform: "neutral", minify: true, lineLimit: 600 },
  "src/local-gateway/index.ts": { platform: "node", external: ["effect", "effect/*"], alias },
  "src/local-gateway/promise/index.ts": { platform: "node", minify: true, lineLimit: 300, alias }
}

/** Writes all bundles, each below a banner that says whose code it contains. Returns what the bundler says of the files. */
export const writeBundles = async (): Promise<Metafile["outputs"]> => {
  const outputs = await Promise.all(
    Object.entries(bundles).map(async ([entry, options]) => {
      const bundle = {
        ...options,
        absWorkingDir: root,
        bundle: true,
        entryPoints: [entry],
        format: "esm",
        legalComments: "none",
        logLevel: "warning",
        metafile: true,
        outbase: "src",
        outdir: "dist",
        target: ["es2022", "node20.19"]
      } satisfies BuildOptions
      const dryRun = await build({ ...bundle, write: false })
      const { metafile } = await build({ ...bundle, banner: { js: banner(dryRun.metafile) } })
      return metafile.outputs
    })
  )
  return Object.assign({}, ...outputs)
}
