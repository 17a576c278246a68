/**
 * The mutants of a module: small changes, each of which some test has to notice. All of them are put into one text,
 * behind a switch, so that a module is transformed once.
 */
import { parseAst } from "vitest/node"

/** A piece of the source, and what stands there instead. */
export interface Mutant {
  readonly id: number
  readonly file: string
  readonly line: number
  /** The line that it begins in. */
  readonly text: string
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
}

/** A node of the syntax tree, as far as it is checked. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

interface Change {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nodesIn = (value: unknown): ReadonlyArray<Node> =>
  isNode(value) ? [value] : Array.isArray(value) ? value.filter(isNode) : []

const opposites: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.entries({
    "===": ["!=="],
    "!==": ["==="],
    "<": ["<="],
    "<=": ["<"],
    ">": [">="],
    ">=": [">"],
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["*"]
  })
)

const otherMethods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    some: "every",
    every: "some",
    min: "max",
    max: "min",
    startsWith: "endsWith",
    endsWith: "startsWith"
  })
)

/** Methods whose object can stand in the place of the call. */
const omissible = new Set([
  "filter",
  "map",
  "slice",
  "trim",
  "toLowerCase",
  "toUpperCase",
  "sort",
  "toSorted",
  "reverse"
])

/** Functions of Effect that add something to their first argument, and others that can be left out. */
const decorators = new Set(
  (
    "tap tapError tapCause ensuring onExit onInterrupt onError uninterruptible interruptible catch catchCause catchTag " +
    "catchReason mapError timeout timeoutOrElse retry repeat provideService withSpan delay scoped ignore annotateSpans"
  ).split(" ")
)

/** All changes to a module that are checked. */
const changesOf = (source: string): { readonly changes: ReadonlyArray<Change>; readonly statements: Array<number> } => {
  const changes: Array<Change> = []
  const statements: Array<number> = []
  /** Where conditions begin: to turn round a comparison there says no more than the others do. */
  const conditions = new Set<number>()
  const text = ({ end, start }: Node): string => source.slice(start, end)
  const add = (node: Node, ...replacements: ReadonlyArray<string>): void => {
    for (const replacement of replacements) changes.push({ start: node.start, end: node.end, replacement })
  }

  /** A line that begins with a parenthesis would go on with the one before it. */
  const lines = (body: unknown): void => {
    for (const { start, type } of nodesIn(body)) if (type === "ExpressionStatement") statements.push(start)
  }

  const isText = (node: unknown): boolean =>
    isNode(node) && (node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node["value"] === "string"))

  /** What decides: it may always hold, or never. Where it has several parts, each of them is checked by itself. */
  const condition = (node: unknown, ...values: ReadonlyArray<"true" | "false">): void => {
    if (!isNode(node) || node.type === "LogicalExpression") return
    conditions.add(node.start)
    add(node, ...values)
  }

  const literal = (node: Node): void => {
    const { value } = node
    if (typeof value === "string") {
      if (!isForPeople(value)) add(node, value === "" ? '"mutated"' : '""')
    } else if (typeof value === "boolean") add(node, String(!value))
    else if (typeof value === "number") add(node, value < 10 ? `(${text(node)} + 1)` : `(${text(node)} * 2)`)
    else if (isRegex(node)) {
      const { flags, pattern } = node.regex
      if (pattern.startsWith("^")) add(node, `/${pattern.slice(1)}/${flags}`)
      if (/(?<!\\)\$$/.test(pattern)) add(node, `/${pattern.slice(0, -1)}/${flags}`)
    }
  }

  const call = (node: Node): void => {
    const { callee } = node
    const args = nodesIn(node["arguments"])
    const [first] = args
    if (!isNode(callee) || callee.type !== "MemberExpression") return
    const { object, property } = callee
    if (!isNode(object) || !isNode(property) || callee["computed"] === true) return
    const name = text(property)
    const other = otherMethods.get(name)
    if (other !== undefined) add(node, `${text(object)}.${other}${source.slice(property.end, node.end)}`)
    const isModule = object.type === "Identifier" && /^[A-Z]/.test(text(object))
    if (omissible.has(name) && !isModule) add(node, text(object))
    if (isModule && first !== undefined && args.length > (name.includes("nterruptible") ? 0 : 1)) {
      if (decorators.has(name)) add(node, text(first))
      if (name === "andThen" && args[1] !== undefined) add(node, text(args[1]))
    }
    if (name === "pipe") {
      for (const argument of args) if (argument.type === "CallExpression") add(argument, "((same) => same)")
    }
  }

  /** `isSpine`: the node is a part of an optional chain, which parentheses would cut. */
  const visit = (node: Node, isSpine = false): void => {
    const { type } = node
    if (type.startsWith("TS")) {
      if (isNode(node["expression"])) visit(node["expression"], isSpine)
      return
    }
    switch (type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ExportSpecifier":
      case "ImportExpression":
      case "TaggedTemplateExpression":
        return
      case "ExpressionStatement": {
        const { expression } = node
        const isSuper = isNode(expression) && text(expression).startsWith("super(")
        if (isNode(expression) && !isSuper && expression.type !== "Literal") add(expression, "undefined")
        break
      }
      case "BlockStatement":
      case "StaticBlock":
        lines(node["body"])
        break
      case "SwitchCase":
        lines(node["consequent"])
        break
      case "IfStatement":
      case "ConditionalExpression":
        condition(node["test"], "true", "false")
        break
      case "WhileStatement":
        condition(node["test"], "false")
        break
      case "LogicalExpression": {
        const { left, operator, right } = node
        if (operator === "??") {
          if (isNode(left)) add(node, text(left))
        } else {
          const neutral = operator === "&&" ? "true" : "false"
          condition(left, neutral)
          condition(right, neutral)
          add(node, operator === "&&" ? "false" : "true")
        }
        break
      }
      case "BinaryExpression": {
        const { left, operator, right } = node
        const isSum = operator === "+" && (isText(left) || isText(right))
        const isEquality = operator === "===" || operator === "!=="
        if (isNode(left) && isNode(right) && !isSum && !(isEquality && conditions.has(node.start))) {
          const others = opposites.get(String(operator)) ?? []
          add(node, ...others.map((other) => `(${text(left)}) ${other} (${text(right)})`))
        }
        break
      }
      case "UnaryExpression":
        if (node["operator"] === "delete") return
        if (node["operator"] === "!" && isNode(node["argument"])) add(node, text(node["argument"]))
        break
      case "Literal":
        literal(node)
        return
      case "TemplateLiteral":
        if (!isForPeople(text(node))) add(node, "``")
        break
      case "ArrayExpression":
        if (nodesIn(node["elements"]).length > 0) add(node, "[]")
        break
      case "CallExpression": {
        const { callee } = node
        // Annotations only describe, so they are not mutated.
        if (isNode(callee) && /\.annotate(Key)?$/.test(text(callee))) {
          visit(callee, isSpine)
          return
        }
        if (!isSpine) call(node)
        if (isNode(callee)) visit(callee, isSpine || callee.type === "MemberExpression")
        for (const argument of nodesIn(node["arguments"])) visit(argument)
        return
      }
      case "MemberExpression": {
        const { object, property } = node
        if (isNode(object)) visit(object, isSpine && isChained(source, node))
        if (node["computed"] === true && isNode(property)) visit(property)
        return
      }
      case "ChainExpression":
        if (isNode(node["expression"])) visit(node["expression"], true)
        return
      case "NewExpression":
        for (const argument of nodesIn(node["arguments"])) visit(argument)
        return
      case "AssignmentExpression": {
        const { operator, right } = node
        if (operator === "+=") addWithin(node, "+=", "-=")
        if (operator === "-=") addWithin(node, "-=", "+=")
        if (isNode(right)) visit(right)
        return
      }
      case "UpdateExpression":
        return
      case "Property":
      case "PropertyDefinition":
      case "MethodDefinition":
        if (node["computed"] === true && isNode(node["key"])) visit(node["key"])
        if (isNode(node["value"])) visit(node["value"])
        return
      case "ClassDeclaration":
      case "ClassExpression":
        if (isNode(node["body"])) visit(node["body"])
        return
      case "VariableDeclarator":
      case "AssignmentPattern": {
        const value = node["init"] ?? node["right"]
        if (isNode(node["left"])) visit(node["left"])
        if (isNode(node["id"])) visit(node["id"])
        if (isNode(value)) visit(value)
        return
      }
      case "Identifier":
        return
    }
    for (const [name, value] of Object.entries(node)) {
      if (name === "source" || name === "returnType" || name.startsWith("type")) continue
      for (const child of nodesIn(value)) visit(child)
    }
  }

  const addWithin = (node: Node, from: string, to: string): void => add(node, text(node).replace(from, to))

  const { body } = parseAst(source, { lang: "ts" })
  lines(body)
  for (const statement of nodesIn(body)) visit(statement)
  return { changes, statements }
}

/** Sentences say what tests need not repeat. */
const isForPeople = (text: string): boolean => /[^\s`] [^\s`]/.test(text.replaceAll(/\$\{[^}]*\}/g, ""))

const isRegex = (node: Node): node is Node & { readonly regex: { readonly pattern: string; readonly flags: string } } =>
  "regex" in node && typeof node["regex"] === "object" && node["regex"] !== null

/** Whether the object of a member is a part of the same optional chain. */
const isChained = (source: string, { object }: Node): boolean =>
  isNode(object) &&
  (object.type === "MemberExpression" || object.type === "CallExpression") &&
  source.slice(object.start, object.end).includes("?.")

/** The mutants of a module, numbered from `firstId` on. */
export const mutantsOf = (file: string, source: string, firstId: number): ReadonlyArray<Mutant> => {
  const seen = new Set<string>()
  return changesOf(source)
    .changes.filter(({ end, replacement, start }) => {
      const key = `${start} ${end} ${replacement}`
      if (seen.has(key) || source.slice(start, end) === replacement) return false
      seen.add(key)
      return true
    })
    .map(({ end, replacement, start }, index) => ({
      id: firstId + index,
      file,
      line: source.slice(0, start).split("\n").length,
      text: source
        .slice(source.lastIndexOf("\n", start - 1) + 1)
        .split("\n", 1)
        .join()
        .trim(),
      start,
      end,
      original: source.slice(start, end),
      replacement
    }))
}

/** The name of the switch: whether a mutant is the one that is tried. */
export const switchName = "__isMutant"

/** The module with all of its mutants. */
export const instrumented = (source: string, mutants: ReadonlyArray<Mutant>): string => {
  const { statements } = changesOf(source)
  const bySpan = new Map<string, Array<Mutant>>()
  for (const mutant of mutants) {
    const key = `${mutant.start} ${mutant.end}`
    bySpan.set(key, [...(bySpan.get(key) ?? []), mutant])
  }
  const spans = [...bySpan.values()].flatMap(([one]) => (one === undefined ? [] : [one]))
  spans.sort((one, other) => one.start - other.start || other.end - one.end)
  const separators = new Set(statements)
  let next = 0
  /** The text from `start` to `end`, with the spans that lie within. */
  const render = (start: number, end: number): string => {
    let text = ""
    let position = start
    const upTo = (until: number): void => {
      for (; position < until; position++) {
        if (separators.delete(position)) text += ";"
        text += source[position]
      }
    }
    for (let span = spans[next]; span !== undefined && span.start < end; span = spans[next]) {
      next++
      upTo(span.start)
      if (separators.delete(position)) text += ";"
      const choices = bySpan.get(`${span.start} ${span.end}`) ?? []
      const chosen = choices.map(({ id, replacement }) => `${switchName}(${id}) ? (${replacement}) : `).join("")
      text += `(${chosen}(${render(span.start, span.end)}))`
      position = span.end
    }
    upTo(end)
    return text
  }
  return render(0, source.length)
}
