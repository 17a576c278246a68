/**
 * The API reports: the exports of each entry, without comments, so that a change of the API is visible in a review.
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
    name: "v4",
    types: "dist/client/v4/index.d.ts",
    module: "dist/client/v4/needs-effect-4.1-else-import-effect-gopay-v4-promise.js"
  },
  { name: "v4-promise", types: "dist/promise/v4/index.d.ts", module: "dist/promise/v4/index.js" },
  {
    name: "node",
    types: "dist/node/index.d.ts",
    module: "dist/node/needs-effect-4.1-else-import-effect-gopay-promise.js"
  },
  {
    name: "schema",
    types: "dist/schema/index.d.ts",
    module: "dist/schema/needs-effect-4.1-else-import-effect-gopay-promise.js"
  },
  {
    name: "v4-schema",
    types: "dist/schema/v4/index.d.ts",
    module: "dist/schema/v4/needs-effect-4.1-else-import-effect-gopay-v4-promise.js"
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
    types: "dist/local-gateway/vite.d.ts",
    module: "dist/local-gateway/vite.js"
  },
  {
    name: "local-gateway-web",
    types: "dist/local-gateway/web.d.ts",
    module: "dist/local-gateway/web.js"
  },
  {
    name: "testing",
    types: "dist/testing/index.d.ts",
    module: "dist/testing/needs-effect-4.1-else-import-effect-gopay-testing-promise.js"
  },
  { name: "testing-promise", types: "dist/testing/promise/index.d.ts", module: "dist/testing/promise/index.js" }
] as const

/** The folder of the reports. */
export const reportsFolder = "test/package/api"

/** The exports of the entries, as built. */
export const entryDeclarations = (): PublicDeclarations => publicDeclarations(entries.map(({ types }) => types))

const bare = (code: string): string => code.replace(/^(?:export )?(?:declare )?/, "")

const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ")

/** The version that added a name, if that is later than 0.1.0. */
const sinceOf = ({ tags }: Declaration): string =>
  tags
    .filter((tag) => tag.startsWith("@since"))
    .map((tag) => `/** ${tag} */\n`)
    .join("")

const namesValue = (code: string): boolean => /^(?:abstract )?(?:class|const|enum|function|let|var)\b/.test(code)

/**
 * A name as exported by its entry, with a note if it is exported under another name, or if a value is exported as a
 * type only.
 */
const reported = (declaration: Declaration): ReadonlyArray<string> => {
  const { declaredName, isValue, name, namespace } = declaration
  if (namespace.length > 0) {
    return [`export namespace ${name} {\n${indented(namespace.flatMap(reported).toSorted().join("\n\n"))}\n}`]
  }
  const code = declaration.code.map(bare)
  const since = sinceOf(declaration)
  if (declaredName === name && (isValue || !code.some(namesValue))) return code.map((one) => `${since}export ${one}`)
  const renamed = declaredName === name ? name : `${declaredName} as ${name}`
  return [[`${since}export ${isValue ? "" : "type "}{ ${renamed} }`, ...code.map((one) => `declare ${one}`)].join("\n")]
}

/** Each report by its path. */
export const apiReports = ({ entries: built }: PublicDeclarations): ReadonlyMap<string, string> =>
  new Map(
    entries.map(({ name, types }) => {
      const { declarations = [], extended = [] } = built.find(({ file }) => file === types) ?? {}
      const inherited = extended.flatMap((declaration) => declaration.code.map((code) => `declare ${bare(code)}`))
      const code = [...declarations.flatMap(reported), ...inherited].toSorted()
      return [`${reportsFolder}/${name}.api.md`, `# ${types}\n\n\`\`\`ts\n${code.join("\n\n")}\n\`\`\`\n`]
    })
  )
