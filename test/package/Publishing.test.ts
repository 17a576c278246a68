/**
 * What goes to the registry, and how.
 */
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const text = (path: string): string => readFileSync(join(root, path), "utf8")

const manifest: {
  readonly scripts: { readonly [name: string]: string }
  readonly dependencies?: unknown
  readonly exports: { readonly [entry: string]: string | { readonly [condition: string]: string } }
} = JSON.parse(text("package.json"))

/** The files of the package, as npm would pack them. Scripts do not run: they would build `dist` under the other tests. */
const packed = async (): Promise<ReadonlyArray<string>> => {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root
  })
  const [{ files }]: [{ readonly files: ReadonlyArray<{ readonly path: string }> }] = JSON.parse(stdout)
  return files.map(({ path }) => path)
}

describe("the package", () => {
  it("runs nothing when it is installed, and brings nothing along", () => {
    const onInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish"]
    expect(Object.keys(manifest.scripts).filter((name) => onInstall.includes(name))).toEqual([])
    // npm would run a build for it.
    expect(existsSync(join(root, "binding.gyp"))).toBe(false)
    expect(manifest.dependencies).toBeUndefined()
  })

  it("holds what was built from the sources, the documents, and nothing else", async () => {
    const files = await packed()
    const documents =
      /^(package\.json|LICENSE|(README|CHANGELOG|CONTRIBUTING|SECURITY|THIRD-PARTY-NOTICES)\.md|docs\/([\w-]+\.md|images\/[\w-]+\.png)|dist\/(openapi|seed\.schema)\.json)$/
    const built = /^dist\/(.+?)(\.d\.ts|\.js)$/
    const unexpected = files.filter((file) => {
      const [, module] = built.exec(file) ?? []
      return module === undefined
        ? !documents.test(file)
        : !["ts", "js"].some((extension) => existsSync(join(root, "src", `${module}.${extension}`)))
    })
    expect(unexpected).toEqual([])
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "SECURITY.md", "THIRD-PARTY-NOTICES.md"]))
    // The dashboard reads its script from beside itself.
    expect(files).toContain("dist/local-gateway/dashboard/browser/main.js")
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry)
    )
    expect(targets.filter((target) => !files.includes(target.replace("./", "")))).toEqual([])
  })
})

describe("the publishing workflow", () => {
  const workflow = text(".github/workflows/publish.yml")

  it("names every action by its commit", () => {
    const actions = [...workflow.matchAll(/uses: *(.*)/g)].map(([, action]) => action)
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it("needs no secret, and passes everything before it publishes with provenance", () => {
    expect(workflow).not.toMatch(/secrets\.|_TOKEN/)
    expect(workflow).toContain("id-token: write")
    expect(workflow).toMatch(/bash \.ci\/run[^]*npm publish .*--provenance/)
  })
})
