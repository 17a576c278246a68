/**
 * Changes the compiler's declarations, using the compiler's own syntax trees.
 *
 * - `{@inheritDoc Name}` stands for the comment of that interface, unless there is another text beside it, and gives
 *   each member or field that has no comment that of the interface's member. `{@inheritDoc Name.member}` stands for a
 *   member's comment.
 * - Types made from tables are written out, so that an editor shows each member with its comment.
 * - The declarations that ESM and CommonJS share are `.d.cts` files: TypeScript takes a `.d.ts` of this package for
 *   ESM, which CommonJS cannot import, but ESM imports a `.d.cts`.
 * - Declarations that no entry needs are removed.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { API, type Checker, type Project, type Symbol, type Type } from "typescript/unstable/sync"
import {
  isExportDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isInterfaceDeclaration,
  isJSDoc,
  isLiteralTypeNode,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isTypeReferenceNode,
  type InterfaceDeclaration,
  type Node,
  type SourceFile
} from "typescript/unstable/ast"
import { targetsIn } from "./manifest.js"
import { root } from "./root.js"
import { tableTypes } from "./tableTypes.js"

/** A replacement of the text between two positions. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

const edited = (code: string, edits: ReadonlyArray<Edit>): string =>
  edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((result, { from, text, to }) => result.slice(0, from) + text + result.slice(to), code)

/** The lines of a comment, without indentation. */
type Comment = ReadonlyArray<string>

/** Where the comment above a node is: the node's position is before the white space. */
const commentPlace = (node: Node): { readonly from: number; readonly to: number } | undefined => {
  const comment = node.jsDoc?.findLast(isJSDoc)
  return comment && { from: node.getSourceFile().text.indexOf("/**", comment.pos), to: comment.end }
}

const commentOver = (node: Node): Comment => {
  const place = commentPlace(node)
  if (place === undefined) return []
  const [first = "", ...others] = node.getSourceFile().text.slice(place.from, place.to).split("\n")
  return [first, ...others.map((line) => ` ${line.trim()}`)]
}

/** The name of a statement whose comment others may inherit. */
const nameOf = (statement: Node): string | undefined =>
  isInterfaceDeclaration(statement) || isTypeAliasDeclaration(statement) || isFunctionDeclaration(statement)
    ? statement.name?.text
    : undefined

/** The members of a type that may have comments, by name. */
type Members = (name: string) => Symbol | undefined

const noMembers: Members = () => undefined

/** Finds comments by the names in `{@inheritDoc}`: in the same folder, or else anywhere. */
const inheritanceIn = (project: Project, sources: Iterable<SourceFile>) => {
  const { checker } = project
  const statements = new Map<string, Array<Node>>()
  for (const statement of Array.from(sources).flatMap((source) => [...source.statements])) {
    const name = nameOf(statement)
    if (name === undefined || commentOver(statement).some((line) => inheritance.test(line))) continue
    statements.set(name, [...(statements.get(name) ?? []), statement])
  }

  const nearest = <Found extends Node>(found: ReadonlyArray<Found>, source: SourceFile): Found | undefined => {
    const near = found.filter((node) => dirname(node.getSourceFile().fileName) === dirname(source.fileName))
    const [one, ...others] = near.length > 0 ? near : found
    return others.length === 0 ? one : undefined
  }

  const membersOf = (type: Type | undefined): Members => {
    const object = type === undefined ? undefined : objectIn(checker, type)
    return object === undefined ? noMembers : (name) => checker.getPropertyOfType(object, name)
  }

  const membersIn = (declaration: InterfaceDeclaration | undefined): Members => {
    const symbol = declaration && checker.getSymbolAtLocation(declaration.name)
    return symbol === undefined ? noMembers : membersOf(checker.getDeclaredTypeOfSymbol(symbol))
  }

  const interfaces = Array.from(statements.values()).flat().filter(isInterfaceDeclaration)
  const tagged = new Map<string, Array<InterfaceDeclaration>>()
  for (const declaration of interfaces) {
    const tag = membersIn(declaration)("_tag")
    const type = tag && checker.getTypeOfSymbol(tag)
    if (type?.isStringLiteralType() !== true) continue
    tagged.set(type.value, [...(tagged.get(type.value) ?? []), declaration])
  }

  const commentOf = (member: Symbol | undefined): Comment => {
    const declaration = member?.declarations[0]?.resolve(project)
    return declaration === undefined ? [] : commentOver(declaration)
  }

  const membersNamed = (name: string, source: SourceFile): Members =>
    membersIn(nearest((statements.get(name) ?? []).filter(isInterfaceDeclaration), source))

  return {
    commentOf,
    membersNamed,
    /** The comment for `{@inheritDoc name}` or `{@inheritDoc name.member}`. */
    commentNamed: (name: string, member: string | undefined, source: SourceFile): Comment => {
      const found = statements.get(name) ?? []
      const named = nearest(found.filter(isInterfaceDeclaration), source) ?? nearest(found, source)
      const comment = member === undefined ? named && commentOver(named) : commentOf(membersNamed(name, source)(member))
      if (comment === undefined || comment.length === 0) {
        const tag = `{@inheritDoc ${member === undefined ? name : `${name}.${member}`}}`
        const written = (file: string) => file.replace(/^.*\/dist\//, "src/").replace(/\.d\.ts$/, ".ts")
        const files = found.map((node) => written(node.getSourceFile().fileName))
        const place = files.length === 0 ? `nothing is named ${name}` : `${name} is in ${files.join(" and ")}`
        throw new Error(`${written(source.fileName)}: ${tag} finds no comment, or more than one: ${place}.`)
      }
      return comment
    },
    membersTagged: (tag: string, source: SourceFile): Members => membersIn(nearest(tagged.get(tag) ?? [], source)),
    membersWithin: (member: Symbol): Members => membersOf(checker.getTypeOfSymbol(member))
  }
}

/** The object type within a member's type: the items of an array, the values of a record. */
const objectIn = (checker: Checker, type: Type): Type => {
  const given = checker.getNonNullableType(type) ?? type
  const item = given.isTypeReference() && checker.isArrayType(given) ? checker.getTypeArguments(given)[0] : undefined
  const value = item ?? (given.isObjectType() ? checker.getIndexInfosOfType(given)[0]?.valueType : undefined)
  return value === undefined ? given : objectIn(checker, value)
}

const withTags = (comment: Comment, tags = ""): Comment => {
  if (tags === "") return comment
  const lines =
    comment.length > 1 ? comment.slice(0, -1) : ["/**", ...comment.map((line) => line.replace(/^\/\*\*| \*\/$/g, " *"))]
  return [...lines, " *", ` * ${tags.trim()}`, " */"]
}

const inheritance = /\{@inheritDoc (\w+)(?:\.(\w+))?\} */

const literalIn = (node: Node | undefined): string | undefined =>
  node !== undefined && isLiteralTypeNode(node) && isStringLiteral(node.literal) ? node.literal.text : undefined

/** The `_tag` of an object in a schema's type: `{ readonly _tag: Schema.tag<"Name">; … }`. */
const tagIn = (node: Node): string | undefined => {
  const member = isTypeLiteralNode(node)
    ? node.members.find(
        (one) => isPropertySignatureDeclaration(one) && isIdentifier(one.name) && one.name.text === "_tag"
      )
    : undefined
  const type = member !== undefined && isPropertySignatureDeclaration(member) ? member.type : undefined
  return type !== undefined && isTypeReferenceNode(type) ? literalIn(type.typeArguments?.[0]) : undefined
}

/** The comments that declarations inherit, at their positions. */
const inheritedComments = (source: SourceFile, inherited: ReturnType<typeof inheritanceIn>): ReadonlyArray<Edit> => {
  const edits: Array<Edit> = []
  const indentation = (position: number): string => {
    const before = source.text.slice(0, position)
    return before.slice(before.lastIndexOf("\n") + 1)
  }
  const resolve = (node: Node): void => {
    const place = commentPlace(node)
    const own = commentOver(node).join("\n")
    const [tag, name = "", member] = inheritance.exec(own) ?? []
    if (place === undefined || tag === undefined) return
    const rest = own.replace(tag, "")
    const [, tags] = /^\/\*\* (@.*)? ?\*\/$/.exec(rest) ?? []
    const isAlone = tags !== undefined || rest === "/** */"
    const lines = isAlone ? withTags(inherited.commentNamed(name, member, source), tags) : rest.split("\n")
    edits.push({ ...place, text: lines.join(`\n${indentation(place.from)}`) })
  }
  const visit = (node: Node, members: Members): void => {
    if (isPropertySignatureDeclaration(node)) {
      resolve(node)
      const name = isIdentifier(node.name) || isStringLiteral(node.name) ? node.name.text : ""
      const member = members(name)
      const comment = commentPlace(node) === undefined ? inherited.commentOf(member) : []
      const start = node.getStart()
      const text = comment.map((line) => `${line}\n${indentation(start)}`).join("")
      if (text !== "") edits.push({ from: start, to: start, text })
      const within = member === undefined ? noMembers : inherited.membersWithin(member)
      node.forEachChild((child) => visit(child, within))
      return
    }
    const tag = isTypeReferenceNode(node) ? literalIn(node.typeArguments?.[0]) : tagIn(node)
    const here = tag === undefined ? members : inherited.membersTagged(tag, source)
    node.forEachChild((child) => visit(child, here))
  }
  for (const statement of source.statements) {
    const [, name, member] = inheritance.exec(commentOver(statement).join("\n")) ?? []
    resolve(statement)
    visit(statement, name === undefined || member !== undefined ? noMembers : inherited.membersNamed(name, source))
  }
  return edits
}

/** The types made from tables, written out. */
const writtenTypes = (source: SourceFile): ReadonlyArray<Edit> =>
  source.statements.flatMap((statement) => {
    const path = relative(join(root, "dist"), source.fileName).replace(/\.d\.ts$/, "")
    const text = isTypeAliasDeclaration(statement) ? tableTypes.get(`${path}#${statement.name.text}`) : undefined
    return text === undefined ? [] : [{ from: statement.getStart(), to: statement.end, text }]
  })

/** The texts that refer to a neighbouring file in a declaration: in imports, exports and imported types. */
const neighboursIn = (source: SourceFile): ReadonlyArray<{ readonly path: string; readonly node: Node }> => {
  const found: Array<{ readonly path: string; readonly node: Node }> = []
  const visit = (node: Node): void => {
    const named =
      isImportDeclaration(node) || isExportDeclaration(node)
        ? node.moduleSpecifier
        : isImportTypeNode(node) && isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined
    if (named !== undefined && isStringLiteral(named) && named.text.startsWith(".")) {
      found.push({ path: join(dirname(source.fileName), named.text.replace(/\.js$/, ".d.ts")), node: named })
    }
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** These files and all files that they depend on. */
const reachedFrom = (files: ReadonlyArray<string>, sources: ReadonlyMap<string, SourceFile>): ReadonlySet<string> => {
  const reached = new Set(files)
  for (const file of reached) {
    const source = sources.get(file)
    for (const { path } of source === undefined ? [] : neighboursIn(source)) reached.add(path)
  }
  return reached
}

/** Imports neighbours that are `.d.cts` files as such. */
const sharedNeighbours = (source: SourceFile, shared: ReadonlySet<string>): ReadonlyArray<Edit> =>
  neighboursIn(source).flatMap(({ node, path }) =>
    shared.has(path) ? [{ from: node.end - `.js"`.length, to: node.end, text: `.cjs"` }] : []
  )

/**
 * Writes the declarations. The given entries are ESM and CommonJS: everything they depend on is moved to `.d.cts`
 * files, and an entry's `.d.ts` exports the same.
 */
export const writeDeclarations = (...entries: ReadonlyArray<string>): void => {
  const files = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => join(root, "dist", path))
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openFiles: files })
    const project = snapshot.getDefaultProjectForFile(files[0] ?? "")
    if (project === undefined) throw new Error("The compiler has written no declarations.")
    const sources = new Map(
      files.flatMap((file) => {
        const source = project.program.getSourceFile(file)
        return source === undefined ? [] : [[file, source] as const]
      })
    )
    const inherited = inheritanceIn(project, sources.values())
    const shared = reachedFrom(
      entries.map((entry) => join(root, entry)),
      sources
    )
    const named = [...targetsIn("exports"), ...targetsIn("imports").map((path) => path.replace(/\.js$/, ".d.ts"))]
    const published = reachedFrom(
      named.map((path) => join(root, path.replace(/\.d\.cts$/, ".d.ts"))),
      sources
    )
    for (const [file, source] of sources) {
      if (!published.has(file)) {
        rmSync(file)
        continue
      }
      const edits = [
        ...inheritedComments(source, inherited),
        ...writtenTypes(source),
        ...sharedNeighbours(source, shared)
      ]
      writeFileSync(shared.has(file) ? file.replace(/\.ts$/, ".cts") : file, edited(source.text, edits))
      if (shared.has(file)) rmSync(file)
    }
    for (const entry of entries) {
      const [first] = sources.get(join(root, entry))?.statements ?? []
      const comment = first === undefined ? "" : commentOver(first).join("\n")
      const path = `./${basename(entry, ".d.ts")}.cjs`
      writeFileSync(join(root, entry), `${comment}\nexport * from "${path}"\n`)
    }
  } finally {
    api.close()
  }
}
