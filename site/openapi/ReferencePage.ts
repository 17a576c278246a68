/**
 * The reference of an API as HTML: the side bar and all that is known of each operation and schema.
 */
import * as Schema from "effect/Schema"
import { type Content, type Html, html } from "../../src/html/Html.js"
import { type Endpoint, endpointsOf, type Operation, ReferenceDocument } from "./ReferenceDocument.js"
import { breakable, evidence, prose } from "./ReferenceText.js"
import { member, schemaBody, typeOf } from "./SchemaList.js"

/** The contents of the reference. */
export interface ReferenceContents {
  readonly sideBar: Html
  readonly main: Html
}

const decode = Schema.decodeUnknownSync(ReferenceDocument)

/** The reference of an OpenAPI document. */
export const referenceContents = (document: unknown): ReferenceContents => {
  const shown = decode(document)
  const endpoints = endpointsOf(shown)
  const groups = shown.tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name))
  }))
  const schemas = Object.entries(shown.components.schemas)
  return {
    sideBar: html`<nav class="side" aria-label="Operations and schemas">
      ${groups.map(
        ({ endpoints: members, name }) =>
          html`<h2>${name}</h2>
            <ul>
              ${members.map(
                ({ method, operation: { operationId } }) =>
                  html`<li>
                    <a href="#${operationId}"
                      ><span class="method ${method}">${method}</span> ${breakable(operationId)}</a
                    >
                  </li>`
              )}
            </ul>`
      )}
      <details>
        <summary>Schemas</summary>
        <ul>
          ${schemas.map(([name]) => html`<li><a href="#schema-${name}">${breakable(name)}</a></li>`)}
        </ul>
      </details>
    </nav>`,
    main: html`<main id="content" lang="en" tabindex="-1">
      <h1>${shown.info.title}</h1>
      ${prose(shown.info.description)}
      ${groups.map(
        ({ description, endpoints: members, name }) =>
          html`<section class="group">
            <h2>${name}</h2>
            ${prose(description)} ${members.map((endpoint) => operationOf(endpoint))}
          </section>`
      )}
      <section class="group">
        <h2>Schemas</h2>
        ${schemas.map(
          ([name, schema]) =>
            html`<section class="schema" id="schema-${name}">
              <h3><a class="anchor" href="#schema-${name}">${breakable(name)}</a>${evidence(schema["x-evidence"])}</h3>
              ${schemaBody(schema)}
            </section>`
        )}
      </section>
    </main>`
  }
}

const operationOf = ({ method, operation, parameters, path }: Endpoint): Html => {
  const { callbacks = {}, description, operationId, requestBody, responses, summary } = operation
  return html`<article class="operation" id="${operationId}">
    <h3><a class="anchor" href="#${operationId}">${summary ?? operationId}</a>${evidence(operation["x-evidence"])}</h3>
    <p class="address"><span class="method ${method}">${method}</span> <code>${path}</code></p>
    ${prose(description)}
    ${
      parameters.length === 0
        ? undefined
        : html`<h4>Parameters</h4>
            <dl class="members">
              ${parameters.map((parameter) =>
                member([parameter.name, ` (${parameter.in ?? "query"})`], parameter.schema ?? {}, {
                  description: parameter.description,
                  isRequired: parameter.required === true,
                  mark: parameter["x-evidence"]
                })
              )}
            </dl>`
    }
    ${
      requestBody === undefined
        ? undefined
        : html`<h4>Request</h4>
            ${prose(requestBody.description)}${bodiesOf(requestBody.content)}`
    }
    <h4>Responses</h4>
    ${responsesOf(responses)}
    ${Object.values(callbacks).map((addresses) =>
      Object.values(addresses).map((methods) =>
        Object.entries(methods).map(
          ([verb, called]) =>
            html`<details>
              <summary>Then the gateway calls you: ${called.summary}</summary>
              <p class="address">
                <span class="method ${verb.toUpperCase()}">${verb.toUpperCase()}</span>
                <code>callback.notification_url</code>
              </p>
              ${prose(called.description)} ${responsesOf(called.responses)}
            </details>`
        )
      )
    )}
  </article>`
}

type BodyContent = NonNullable<Operation["requestBody"]>["content"]

const bodiesOf = (content: BodyContent): Content =>
  Object.entries(content).map(
    ([type, { example, schema }]) =>
      html`<p><code>${type}</code>${schema === undefined ? undefined : [": ", typeOf(schema)]}</p>
        ${schema === undefined || schema.$ref !== undefined ? undefined : schemaBody(schema)}
        ${
          example === undefined
            ? undefined
            : html`<details>
                <summary>Example</summary>
                <pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
              </details>`
        }`
  )

const responsesOf = (responses: Operation["responses"]): Html =>
  html`<dl class="members">
    ${Object.entries(responses).map(
      ([status, { content = {}, description, ...response }]) =>
        html`<dt>
            <code>${status}</code>${Object.values(content).map(({ schema }) =>
              schema === undefined ? undefined : html` <span class="type">${typeOf(schema)}</span>`
            )}${evidence(response["x-evidence"])}
          </dt>
          <dd>${prose(description)}</dd>`
    )}
  </dl>`
