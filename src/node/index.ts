/**
 * What Effect programs on Node.js use in place of `FetchHttpClient`.
 */
/**
 * An `HttpClient` over `node:http` and `node:https`.
 *
 * @category layers
 * @since 0.1.0
 */
export * as NodeHttpClient from "./NodeHttpClient.js"
