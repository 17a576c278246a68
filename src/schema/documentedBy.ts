/**
 * Schemas that describe themselves in an OpenAPI document: each member has a description, and a list of codes its
 * codes.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { ownMember } from "../basics/OwnMember.js"

type Described = Schema.Struct<{ readonly [name: string]: Schema.Top }>

/** What the schemas of an API say of themselves. */
export interface Texts {
  /** By the path of an interface or its member: what it is, and the interface that has the members of its type. */
  readonly descriptions: { readonly [path: string]: string | readonly [about: string, type: string] }
  /** The lists of codes, by their names: the name of their type. */
  readonly codeTypes: { readonly [list: string]: { readonly name: string; readonly about: string } }
  /** The lists of codes, by their names: the meaning of each code. */
  readonly codeLists: { readonly [list: string]: { readonly [code: string]: unknown } }
}

/** The description of an interface or a member, and the interface that has the members of its type. */
const saidOf = (
  { descriptions }: Texts,
  path: string
): { readonly about: string | undefined; readonly type: string } => {
  const said = ownMember(descriptions, path)
  if (said === undefined || typeof said === "string") return { about: said, type: path }
  const [about, type] = said
  return { about: about === "" ? undefined : about, type }
}

/** Gives a struct the descriptions of the interface of a name. */
export const documentedBy =
  (texts: Texts) =>
  <S extends Described>(struct: S, name: string): S => {
    const fields = Object.fromEntries(
      Object.entries(struct.fields).map(([key, field]) => [
        key,
        field.rebuild(member(texts, field.ast, `${name}.${key}`).ast)
      ])
    )
    const { about } = saidOf(texts, name)
    const made = annotated(
      struct.mapFields(() => fields, { unsafePreserveChecks: true }),
      struct.ast,
      about
    )
    const identifier = struct.ast.annotations?.["identifier"]
    if (typeof identifier === "string") named.set(identifier, made)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is what it was, and says more
    return made as S
  }

/** A member with its description, next to its type if that has a name and a description of its own. */
const member = (texts: Texts, ast: SchemaAST.AST, path: string): Schema.Top => {
  const { about, type } = saidOf(texts, path)
  if (about === undefined) return valueOf(texts, ast, type)
  const encoded = encodedWith(ast, about)
  if (encoded !== undefined) return encoded
  const value = valueOf(texts, ast, type)
  return isDescribable(value.ast) ? value.annotate({ description: about }) : value.annotateKey({ description: about })
}

/** A type that is encoded as another one, described in the document; `undefined` if it is encoded as itself. */
const encodedWith = (ast: SchemaAST.AST, description: string): Schema.Top | undefined => {
  const [link, ...others] = ast.encoding ?? []
  if (link === undefined || others.length > 0 || link.transformation._tag !== "Transformation") return undefined
  const encoded: Schema.Top = Schema.make(link.to)
  const made = encoded
    .annotate({ description })
    .pipe(Schema.decodeTo(Schema.make(SchemaAST.toType(ast)), link.transformation))
  return SchemaAST.isOptional(ast) ? Schema.optionalKey(made) : made
}

/**
 * Whether a document shows the description of a type. It does not if the type has a name and a description of its own,
 * if it is encoded as another type, or if its last check, which carries the description, does not appear in the
 * document.
 */
const isDescribable = (ast: SchemaAST.AST): boolean =>
  SchemaAST.resolveIdentifier(ast) === undefined &&
  ast.encoding === undefined &&
  (ast.checks === undefined || ast.checks.at(-1)?.annotations?.toJsonSchema !== undefined)

/** A value whose members, if it has any, are described by an interface. */
const valueOf = (texts: Texts, ast: SchemaAST.AST, path: string): Schema.Top => {
  const made = shapeOf(texts, ast, path)
  if (made === undefined) return Schema.make(ast)
  return SchemaAST.isOptional(ast) && !SchemaAST.isOptional(made.ast) ? Schema.optionalKey(made) : made
}

/** Named schemas by their names: a document contains each once. */
const named = new Map<string, Schema.Top>()

const once = (name: string, make: () => Schema.Top): Schema.Top => {
  const made = named.get(name) ?? make()
  named.set(name, made)
  return made
}

/** The described parts of a type; `undefined` if there is nothing to describe. */
const shapeOf = (texts: Texts, ast: SchemaAST.AST, path: string): Schema.Top | undefined => {
  if (ast.encoding !== undefined) return undefined
  const list = ast.annotations?.["codeList"]
  if (typeof list === "string" && SchemaAST.isString(ast)) return once(list, () => codesOf(texts, list))
  if (SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0) {
    const name = ast.annotations?.["identifier"]
    return typeof name === "string" ? once(name, () => structOf(texts, ast, path)) : structOf(texts, ast, path)
  }
  if (SchemaAST.isObjects(ast) && ast.propertySignatures.length === 0) {
    const [signature, ...others] = ast.indexSignatures
    if (signature === undefined || others.length > 0 || !SchemaAST.isString(signature.parameter)) return undefined
    return checked(annotated(Schema.Record(Schema.String, valueOf(texts, signature.type, path)), ast), ast)
  }
  if (SchemaAST.isArrays(ast) && ast.elements.length === 0 && ast.rest[0] !== undefined) {
    return checked(annotated(Schema.Array(valueOf(texts, ast.rest[0], path)), ast), ast)
  }
  if (SchemaAST.isUnion(ast)) {
    const given = ast.types.filter((type) => !SchemaAST.isUndefined(type))
    const [only, ...others] = given
    if (only === undefined || others.length > 0 || given.length === ast.types.length) return undefined
    return Schema.optional(valueOf(texts, only, path))
  }
  return undefined
}

const structOf = (texts: Texts, ast: SchemaAST.Objects, path: string): Schema.Top => {
  const fields = ast.propertySignatures.map(({ name, type }) => [name, member(texts, type, `${path}.${String(name)}`)])
  return checked(annotated(Schema.Struct(Object.fromEntries(fields)), ast, saidOf(texts, path).about), ast)
}

const checked = (made: Schema.Top, { checks }: SchemaAST.AST): Schema.Top =>
  checks === undefined ? made : made.check(...checks)

const annotated = (made: Schema.Top, { annotations }: SchemaAST.AST, about?: string): Schema.Top =>
  made.annotate({ ...annotations, ...(about === undefined ? undefined : { description: about }) })

/** The codes of a list, and any other code: none is rejected. */
const codesOf = ({ codeLists, codeTypes }: Texts, list: string): Schema.Top => {
  const codes = Object.entries(ownMember(codeLists, list) ?? {})
  const { about, name } = ownMember(codeTypes, list) ?? { about: "A code.", name: list }
  const meanings = codes.flatMap(([code, meaning]) =>
    Predicate.isString(meaning) ? [`- \`${code}\`: ${meaning}`] : []
  )
  return Schema.Union([
    Schema.Literals(codes.map(([code]) => code)),
    Schema.String.annotate({ description: "A code that is not listed here." })
  ]).annotate({
    identifier: name,
    description: [`${about} The list is open.`, meanings.join("\n")].join("\n\n").trim(),
    expected: "a code (text)"
  })
}
