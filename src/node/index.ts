/**
 * The replacement of `FetchHttpClient` for Effect programs on Node.js.
 */
/**
 * An `HttpClient` over `node:http` and `node:https`.
 *
 * @category layers
 */
export * as NodeHttpClient from "./NodeHttpClient.js"
