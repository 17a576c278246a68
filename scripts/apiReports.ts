/**
 * The API reports: what each entry exports, without comments, so that a change of the surface shows in a review.
 */
import { type Declaration, type PublicDeclarations, publicDeclarations } from "./publicDeclarations.js"

/** The entries: the names of their reports, their declarations and what they run. */
export const entries = [
  {
    name: "effect-gopay",
    types: "dist/index.d.ts",
    module: "dist/needs-effect-4.1-else-import-effect-gopay-promise.js"
  },
  { name: "promise", types: "dist/promise/index.d.ts", module: "dist/promise/index.js" },
  {
    name: "node",
    types: "dist/node/index.d.ts",
    module: "dist/node/needs-effect-4.1-else-import-effect-gopay-promise.js"
  },
  {
    name: "ledger",
    types: "dist/ledger/index.d.ts",
    module: "dist/ledger/needs-effect-4.1-else-import-effect-gopay-ledger-promise.js"
  },
  { name: "ledger-promise", types: "dist/ledger/promise/index.d.ts", module: "dist/ledger/promise/index.js" },
  { name: "statement", types: "dist/statement/index.d.ts", module: "dist/statement/index.js" },
  {
    name: "local-gateway",
    types: "dist/local-gateway/index.d.ts",
    module: "dist/local-gateway/needs-effect-4.1-else-import-effect-gopay-local-gateway-promise.js"
  },
  {
    name: "local-gateway-promise",
    types: "dist/local-gateway/promise/index.d.ts",
    module: "dist/local-gateway/promise/index.js"
  },
  {
    name: "local-gateway-vite",
    types: "dist/local-gateway/vite/index.d.ts",
    module: "dist/local-gateway/vite/index.js"
  },
  {
    name: "local-gateway-web",
    types: "dist/local-gateway/web/index.d.ts",
    module: "dist/local-gateway/web/index.js"
  },
  {
    name: "testing",
    types: "dist/testing/index.d.ts",
    module: "dist/testing/needs-effect-4.1-else-import-effect-gopay-testing-promise.js"
  },
  { name: "testing-promise", types: "dist/testing/promise/index.d.ts", module: "dist/testing/promise/index.js" }
] as const

/** Where the reports lie. */
export const reportsFolder = "test/package/api"

/** What the entries export, as built. */
export const entryDeclarations = (): PublicDeclarations => publicDeclarations(entries.map(({ types }) => types))

const exported = (code: string): string => code.replace(/^(?:export )?(?:declare )?/, "export ")

const reported = ({ code, name, namespace }: Declaration): ReadonlyArray<string> =>
  namespace.length === 0
    ? code.map(exported)
    : [
        `export namespace ${name} {\n${namespace
          .flatMap(reported)
          .toSorted()
          .join("\n\n")
          .replace(/^(?=.)/gm, "    ")}\n}`
      ]

/** Each report by its path. */
export const apiReports = ({ entries: built }: PublicDeclarations): ReadonlyMap<string, string> =>
  new Map(
    entries.map(({ name, types }) => {
      const { declarations = [] } = built.find(({ file }) => file === types) ?? {}
      const code = declarations.flatMap(reported).toSorted()
      return [`${reportsFolder}/${name}.api.md`, `# ${types}\n\n\`\`\`ts\n${code.join("\n\n")}\n\`\`\`\n`]
    })
  )
