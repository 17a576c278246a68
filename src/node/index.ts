/**
 * What Effect programs on Node.js use in place of `FetchHttpClient`.
 */
/**
 * An `HttpClient` over `node:http` and `node:https`.
 *
 * @category layers
 */
export * as NodeHttpClient from "./NodeHttpClient.js"
