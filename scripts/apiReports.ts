/**
 * The API reports: what each entry exports, without comments, so that a change of the surface shows in a review.
 */
import { join } from "node:path"
import { publicDeclarations } from "./publicDeclarations.js"
import { root } from "./root.js"

/** The entries by the file of their report. */
const entries: Readonly<Record<string, string>> = {
  "effect-gopay.api.md": "dist/index.d.ts",
  "promise.api.md": "dist/promise/index.d.ts",
  "node.api.md": "dist/node/index.d.ts",
  "ledger.api.md": "dist/ledger/index.d.ts",
  "ledger-promise.api.md": "dist/ledger/promise/index.d.ts",
  "statement.api.md": "dist/statement/index.d.ts",
  "local-gateway.api.md": "dist/local-gateway/index.d.ts",
  "local-gateway-promise.api.md": "dist/local-gateway/promise/index.d.ts"
}

/** Where the reports lie. */
export const reportsFolder = "test/package/api"

const withoutComments = (code: string): string =>
  code
    .replace(/^\s*\/\*\*[^]*?\*\/\n/gm, "")
    .replace(/^\/\/# sourceMappingURL.*$/gm, "")
    .replace(/^export declare /gm, "export ")
    .trim()

/** Each report by its path. They need the built declarations. */
export const apiReports = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(entries).map(([file, entry]) => {
      const declarations = publicDeclarations(join(root, entry)).filter(({ code }) => code !== "")
      const unique = [...new Set(declarations.map(({ code }) => withoutComments(code)))].toSorted()
      return [`${reportsFolder}/${file}`, `# ${entry}\n\n\`\`\`ts\n${unique.join("\n\n")}\n\`\`\`\n`]
    })
  )
