/** What the worker uses of its platform. */
declare module "cloudflare:workers" {
  export const env: {
    readonly misdirected: string
    readonly merchant: {
      readonly goid: number
      readonly clientId: string
      readonly clientSecret: string
      readonly environment: string
    }
    readonly tokens: {
      readonly get: (key: string) => Promise<string | null>
      readonly put: (key: string, text: string, options: { readonly expirationTtl: number }) => Promise<void>
    }
  }
  export const waitUntil: (work: Promise<unknown>) => void
}
