/**
 * What is used of Swagger UI. Types only.
 */

/** A running viewer. */
export interface SwaggerUi {
  readonly preauthorizeBasic: (scheme: string, name: string, password: string) => void
  readonly preauthorizeApiKey: (scheme: string, token: string) => void
  readonly initOAuth: (options: object) => void
}

declare global {
  interface Window {
    /** What its script puts there. */
    readonly SwaggerUIBundle: (options: object) => SwaggerUi
  }
}
