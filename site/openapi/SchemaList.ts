/**
 * Schemas as lists of their members.
 */
import { type Content, type Html, html } from "../../src/html/Html.js"
import type { ShownSchema } from "./ReferenceDocument.js"
import { breakable, evidence, prose } from "./ReferenceText.js"

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference

/** The link to a schema. */
const link = (reference: string): Html =>
  html`<a href="#schema-${nameOf(reference)}">${breakable(nameOf(reference))}</a>`

/** The type of a value, with links to schemas. */
export const typeOf = (schema: ShownSchema): Content => {
  const { $ref, anyOf, format, items, type } = schema
  if ($ref !== undefined) return link($ref)
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (anyOf !== undefined) return anyOf.map((one, index) => [index === 0 ? undefined : " or ", typeOf(one)])
  if (items !== undefined) return ["array of ", typeOf(items)]
  const types = type === undefined ? "any" : [type].flat().join(" or ")
  return format === undefined ? types : `${types} (${format})`
}

/** The limits of a value, as a sentence of its own. */
const limitsOf = ({
  enum: values,
  maxLength,
  maximum,
  minItems,
  minLength,
  minimum,
  pattern
}: ShownSchema): Content => {
  const limits: ReadonlyArray<Content> = [
    minimum === undefined ? undefined : `at least ${minimum}`,
    maximum === undefined ? undefined : `at most ${maximum}`,
    minLength === undefined ? undefined : `${minLength} characters or more`,
    maxLength === undefined ? undefined : `${maxLength} characters or fewer`,
    minItems === undefined ? undefined : `${minItems} or more of them`,
    pattern === undefined ? undefined : html`matches <code>${pattern}</code>`,
    values === undefined
      ? undefined
      : ["one of ", values.map((one, index) => [index === 0 ? undefined : ", ", html`<code>${String(one)}</code>`])]
  ].filter((limit) => limit !== undefined)
  return limits.length === 0
    ? undefined
    : html`<p class="limits">${limits.map((limit, index) => [index === 0 ? undefined : "; ", limit])}</p>`
}

/** A name, its type and what is known of it. */
export const member = (
  name: Content,
  schema: ShownSchema,
  {
    description,
    isRequired,
    mark
  }: { readonly description?: string | undefined; readonly isRequired: boolean; readonly mark?: string | undefined }
): Html =>
  html`<dt>
      <code>${name}</code>
      <span class="type">${typeOf(schema)}</span
      >${isRequired ? html` <span class="required">required</span>` : undefined}${evidence(mark)}
    </dt>
    <dd>${prose(description)}${limitsOf(schema)}${inlined(schema)}</dd>`

/** Members of an object that has no name of its own. */
const inlined = (schema: ShownSchema): Html | undefined => {
  const own = schema.properties === undefined ? schema.items : schema
  return own?.properties === undefined
    ? undefined
    : html`<details>
        <summary>Members</summary>
        ${membersOf(own)}
      </details>`
}

/** The members of an object, as a list. */
const membersOf = ({ properties = {}, required = [] }: ShownSchema): Html =>
  html`<dl class="members">
    ${Object.entries(properties).map(([name, schema]) =>
      member(name, schema, {
        description: schema.description,
        isRequired: required.includes(name),
        mark: schema["x-evidence"]
      })
    )}
  </dl>`

/** A schema with what is known of it: its members, or its values. */
export const schemaBody = (schema: ShownSchema): Content => {
  const values = schema["x-enumDescriptions"]
  return [
    prose(schema.description),
    schema.properties === undefined ? html`<p class="type">${typeOf(schema)}</p>` : membersOf(schema),
    values === undefined
      ? limitsOf(schema)
      : html`<dl class="members">
          ${Object.entries(values).map(
            ([value, meaning]) =>
              html`<dt><code>${value}</code></dt>
                <dd>${prose(meaning)}</dd>`
          )}
        </dl>`
  ]
}
