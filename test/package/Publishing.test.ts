/**
 * What goes to the registry, and how.
 */
import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const text = (path: string): string => readFileSync(join(root, path), "utf8")

const manifest: {
  readonly engines: { readonly node: string }
  readonly scripts: { readonly [name: string]: string }
  readonly dependencies?: unknown
  readonly exports: Targets
  readonly imports: Targets
  readonly typesVersions: Targets
} = JSON.parse(text("package.json"))

/** Files by entry and condition. */
type Targets = string | ReadonlyArray<string> | { readonly [name: string]: Targets }

const filesOf = (targets: Targets): ReadonlyArray<string> =>
  typeof targets === "string" ? [posix.normalize(targets)] : Object.values(targets).flatMap(filesOf)

/**
 * The files of the package, as npm would pack them. Scripts do not run: they would build `dist` under the other tests.
 */
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

  it("has scripts that one can read", () => {
    expect(Object.values(manifest.scripts).filter((script) => script.length > 110)).toEqual([])
  })
})

describe("the tarball", () => {
  let files: ReadonlyArray<string> = []
  beforeAll(async () => {
    files = await packed()
  })

  it("holds the sources, what was built from them, the documents, the examples, and nothing else", () => {
    const documents =
      /^(package\.json|LICENSE|(README|CHANGELOG|CONTRIBUTING|SECURITY|THIRD-PARTY-NOTICES)\.md|docs\/((coming-from\/|cs\/|guides\/)?[\w-]+\.md|images\/[\w-]+\.webp)|examples\/(guides\/)?[\w.-]+\.ts|examples\/recipes\/[\w./+[\]-]+\.(html|json|md|mjs|svelte|tsx?)|examples\/other-languages\/[\w.-]+|dist\/(openapi|seed\.schema)\.json|dist\/local-gateway\/reference\/(LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js(\.LICENSE\.txt)?))$/
    const built = /^dist\/(?!local-gateway\/reference\/)(.+?)(\.d\.ts|\.d\.cts|\.d\.ts\.map|\.c?js|\.c?js\.map)$/
    const unexpected = files.filter((file) => {
      const [, module] = built.exec(file) ?? []
      return module === undefined
        ? !documents.test(file) && !/^src\/[\w./-]+\.(ts|js)$/.test(file)
        : !["ts", "js"].some((extension) => files.includes(`src/${module}.${extension}`))
    })
    expect(unexpected).toEqual([])
    expect(files.filter((file) => /\/(node_modules|build|\.\w+)\//.test(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "SECURITY.md", "THIRD-PARTY-NOTICES.md"]))
    // The dashboard reads its script from beside itself.
    expect(files).toContain("dist/local-gateway/dashboard/browser/main.js")
  })

  it("holds every file that an entry names", () => {
    const targets = [manifest.exports, manifest.imports, manifest.typesVersions].flatMap(filesOf)
    expect(targets.filter((target) => !files.includes(target))).toEqual([])
  })

  it("holds a source map for each module, and every source that a map names", () => {
    const modules = files.filter((file) => /^dist\/(?!.*\/(browser|reference)\/).*\.(c?js|d\.ts)$/.test(file))
    expect(modules.filter((file) => !files.includes(`${file}.map`))).toEqual([])
    const missing = modules.flatMap((file) => {
      const { sources }: { readonly sources: ReadonlyArray<string> } = JSON.parse(text(`${file}.map`))
      const paths = sources.map((source) => posix.join(posix.dirname(file), source))
      return paths.filter((path) => !files.includes(path))
    })
    expect(missing).toEqual([])
  })

  it("holds whatever its documents link to, unless they link to the web", () => {
    const missing = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) => {
        const prose = text(file).replace(/^```[^]*?^```/gm, "")
        const links = prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)
        return Array.from(links, ([, inline, attribute]) => (inline ?? attribute ?? "").replace(/#.*/, ""))
          .filter((link) => link !== "" && !link.startsWith("https://"))
          .map((link) => posix.join(posix.dirname(file), link))
          .filter((path) => !files.includes(path))
          .map((path) => `${file} links to ${path}`)
      })
    expect(missing).toEqual([])
  })
})

describe("the workflows", () => {
  const folder = ".github/workflows"
  const workflows = readdirSync(join(root, folder)).map((file) => ({ file, workflow: text(join(folder, file)) }))

  it.each(workflows)("of $file name every action by its commit", ({ workflow }) => {
    const actions = [...workflow.matchAll(/uses: *(.*)/g)].map(([, action]) => action)
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it.each(workflows)("of $file need no secret, and pass everything that a change has to pass", ({ workflow }) => {
    expect(workflow).not.toMatch(/secrets\.|_TOKEN/)
    expect(workflow).toContain("permissions: {}")
    expect(workflow).toMatch(/run: bash \.ci\/run$/m)
  })

  it("check pushes and pull requests with the versions of Node.js that consumers are tried with", () => {
    const workflow = text(".github/workflows/check.yml")
    const [, matrix = ""] = /node: (\[.*\])/.exec(workflow) ?? []
    const versions: ReadonlyArray<string> = JSON.parse(matrix)
    const [, nodes = ""] = /^nodes=\((.*)\)$/m.exec(text(".ci/run")) ?? []
    const consumers = nodes.split(" ")
    expect(consumers.filter((version, index) => !`${version}.`.startsWith(`${versions[index]}.`))).toEqual([])
    expect(versions).toHaveLength(consumers.length)
    expect(manifest.engines.node).toBe(`>=${versions[0]}`)
    expect(workflow).toMatch(/^ {2}push:$[^]*^ {2}pull_request:$/m)
  })

  it("publish a tag with provenance, and only what has passed", () => {
    const workflow = text(".github/workflows/publish.yml")
    expect(workflow).toContain("id-token: write")
    expect(workflow).toMatch(/bash \.ci\/run[^]*npm publish .*--provenance/)
  })
})
