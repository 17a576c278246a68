/**
 * The declarations of the package's entries, as TypeScript's checker reads the built `.d.ts` files.
 */
import { join } from "node:path"
import { API, NodeBuilderFlags, type Project, type Symbol, SymbolFlags } from "typescript/unstable/sync"
import {
  getTextOfJSDocComment,
  isClassDeclaration,
  isConstructorDeclaration,
  isExportDeclaration,
  isExportSpecifier,
  isIdentifier,
  isInterfaceDeclaration,
  isJSDoc,
  isMethodDeclaration,
  isPropertyDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  ModifierFlags,
  type Node,
  type SourceFile
} from "typescript/unstable/ast"
import { root } from "./root.js"

/** A member of a declaration, or the declaration itself, as an editor shows it. */
export interface Hover {
  readonly name: string
  /** Its type, as the checker writes it. */
  readonly type: string
  /** Every identifier in its type. */
  readonly typeNames: ReadonlySet<string>
  /** Its comment, without the tags. */
  readonly doc: string
}

/** A name that an entry exports. */
export interface Declaration extends Hover {
  /** Its declared name, which may differ from the exported one. */
  readonly declaredName: string
  readonly file: string
  /** Whether it exists at run time, and is not just a type. */
  readonly isValue: boolean
  /** The tags of its comment, such as `@category errors`. */
  readonly tags: ReadonlyArray<string>
  /** Each of its declarations without comments: a name may be a value and a type. */
  readonly code: ReadonlyArray<string>
  /** The own, public members of a class or interface. */
  readonly members: ReadonlyArray<Hover>
  /** The declarations in a namespace. */
  readonly namespace: ReadonlyArray<Declaration>
}

/** The exports of an entry. */
export interface Entry {
  /** The path of its declarations. */
  readonly file: string
  readonly declarations: ReadonlyArray<Declaration>
  /**
   * The types that the exports extend and that are not exported: their members are part of the API, their names are
   * not.
   */
  readonly extended: ReadonlyArray<Declaration>
}

/** The exports of the entries, and the unexported types that they depend on. */
export interface PublicDeclarations {
  readonly entries: ReadonlyArray<Entry>
  readonly internalTypes: ReadonlySet<string>
}

const hasFlag = (symbol: Symbol, flag: SymbolFlags): boolean => (symbol.flags & flag) !== 0

/** The statement of a declaration: the name of a constant is two levels below it. */
const statementOf = (declaration: Node): Node =>
  isVariableDeclaration(declaration) ? declaration.parent.parent : declaration

const isTypeOnly = (declaration: Node): boolean =>
  isExportSpecifier(declaration) &&
  (declaration.isTypeOnly || (isExportDeclaration(declaration.parent.parent) && declaration.parent.parent.isTypeOnly))

const isPrivate = (node: Node): boolean =>
  (isPropertyDeclaration(node) || isMethodDeclaration(node) || isConstructorDeclaration(node)) &&
  (node.modifierFlags & ModifierFlags.Private) !== 0

const identifiersIn = (node: Node): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (child: Node): void => {
    if (isIdentifier(child)) found.add(child.text)
    child.forEachChild(visit)
  }
  visit(node)
  return found
}

/** The comment above a node. The checker finds none above the export of a namespace. */
const commentOver = (node: Node | undefined): Pick<Declaration, "doc" | "tags"> => {
  const comment = node?.jsDoc?.findLast(isJSDoc)
  return {
    doc: getTextOfJSDocComment(comment?.comment) ?? "",
    tags: comment?.tags?.map((tag) => `@${tag.tagName.text} ${getTextOfJSDocComment(tag.comment) ?? ""}`) ?? []
  }
}

const declarationReader = (project: Project): ((exported: Symbol) => Declaration) => {
  const { checker, emitter } = project

  const nodesOf = (symbol: Symbol): ReadonlyArray<Node> =>
    symbol.declarations.flatMap((declaration) => declaration.resolve(project) ?? [])

  const hoverOf = (symbol: Symbol): Hover => {
    const type = hasFlag(symbol, SymbolFlags.Value)
      ? checker.getTypeOfSymbol(symbol)
      : checker.getDeclaredTypeOfSymbol(symbol)
    const node = type && checker.typeToTypeNode(type, undefined, NodeBuilderFlags.NoTruncation)
    return {
      name: symbol.name,
      type: node ? emitter.printNode(node) : "",
      typeNames: node ? identifiersIn(node) : new Set(),
      doc: checker.getDocumentationCommentOfSymbol(symbol)
    }
  }

  /** An interface under another name: `export type Reconciliation = Plain.Reconciliation`. */
  const interfaceOf = (symbol: Symbol): Symbol =>
    hasFlag(symbol, SymbolFlags.TypeAlias) ? (checker.getDeclaredTypeOfSymbol(symbol)?.getSymbol() ?? symbol) : symbol

  const membersOf = (declared: Symbol): ReadonlyArray<Hover> => {
    const symbol = interfaceOf(declared)
    const isClass = hasFlag(symbol, SymbolFlags.Class)
    if (!isClass && !hasFlag(symbol, SymbolFlags.Interface)) return []
    return [...symbol.getMembers().values(), ...(isClass ? symbol.getExports().values() : [])]
      .filter((member) => !hasFlag(member, SymbolFlags.TypeParameter | SymbolFlags.Prototype))
      .filter((member) => !nodesOf(member).some(isPrivate))
      .map(hoverOf)
  }

  const commentOf = (symbol: Symbol): Pick<Declaration, "doc" | "tags"> => ({
    doc: checker.getDocumentationCommentOfSymbol(symbol),
    tags: checker.getJsDocTagsOfSymbol(symbol).map(({ name, text = "" }) => `@${name} ${text}`)
  })

  return function declarationOf(exported): Declaration {
    const symbol = hasFlag(exported, SymbolFlags.Alias) ? checker.getAliasedSymbol(exported) : exported
    const isNamespace = hasFlag(symbol, SymbolFlags.ValueModule)
    return {
      ...hoverOf(symbol),
      name: exported.name,
      declaredName: symbol.name,
      file: symbol.declarations[0]?.path ?? "",
      isValue: hasFlag(symbol, SymbolFlags.Value) && !nodesOf(exported).some(isTypeOnly),
      ...(isNamespace ? commentOver(nodesOf(exported)[0]?.parent) : commentOf(symbol)),
      code: isNamespace ? [] : nodesOf(symbol).map((node) => emitter.printNode(statementOf(node))),
      members: membersOf(symbol),
      namespace: isNamespace ? checker.getExportsOfModule(symbol).map(declarationOf) : []
    }
  }
}

/** Our own types that interfaces extend and that are not exported, and those that these extend in turn. */
const extendedBy = (project: Project, exported: ReadonlyArray<Symbol>): ReadonlyArray<Symbol> => {
  const { checker } = project
  const found = new Set<Symbol>()
  const identity = (symbol: Symbol): Symbol =>
    hasFlag(symbol, SymbolFlags.Alias) ? checker.getAliasedSymbol(symbol) : symbol
  const known = new Set(exported.map(identity))
  const visitTypes = (node: Node): void => {
    const symbol = isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    if (symbol !== undefined) extend(identity(symbol))
    node.forEachChild(visitTypes)
  }
  const visit = (symbol: Symbol): void => {
    for (const declaration of symbol.declarations) {
      const node = declaration.resolve(project)
      if (node && isInterfaceDeclaration(node)) node.heritageClauses?.forEach(visitTypes)
    }
  }
  const extend = (symbol: Symbol): void => {
    const isOurs = symbol.declarations.some(({ path }) => path.startsWith(join(root, "dist")))
    if (!isOurs || hasFlag(symbol, SymbolFlags.TypeParameter) || known.has(symbol)) return
    known.add(symbol)
    found.add(symbol)
    visit(symbol)
  }
  exported.map(identity).forEach(visit)
  return [...found]
}

const typesIn = (source: SourceFile): ReadonlyArray<string> =>
  source.statements.flatMap((node) =>
    isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) || (isClassDeclaration(node) && node.name)
      ? [node.name?.text ?? ""]
      : []
  )

const allNames = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<string> =>
  declarations.flatMap(({ name, namespace }) => [name, ...allNames(namespace)])

/** Reads the declarations of entries: the paths of built `.d.ts` files, from the package's root. */
export const publicDeclarations = (files: ReadonlyArray<string>): PublicDeclarations => {
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openFiles: files.map((file) => join(root, file)) })
    const types = new Set<string>()
    const entries = files.map((file) => {
      const project = snapshot.getDefaultProjectForFile(join(root, file))
      const source = project?.program.getSourceFile(join(root, file))
      const module = source && project?.checker.getSymbolAtLocation(source)
      if (project === undefined || module === undefined) throw new Error(`${file} is no module; run: npm run build`)
      for (const name of project.program.getSourceFileNames()) {
        const ours = name.startsWith(join(root, "dist")) ? project.program.getSourceFile(name) : undefined
        if (ours) typesIn(ours).forEach((type) => types.add(type))
      }
      const exported = project.checker.getExportsOfModule(module)
      const declarationOf = declarationReader(project)
      return {
        file,
        declarations: exported.map(declarationOf),
        extended: extendedBy(project, exported).map(declarationOf)
      }
    })
    entries.flatMap(({ declarations }) => allNames(declarations)).forEach((name) => types.delete(name))
    return { entries, internalTypes: types }
  } finally {
    api.close()
  }
}
