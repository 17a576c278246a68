/** The parts of the platforms that the examples of `docs/serverless.md` use. */
declare module "cloudflare:workers" {
  export const env: {
    readonly GOPAY_GOID: string
    readonly GOPAY_CLIENT_ID: string
    readonly GOPAY_CLIENT_SECRET: string
    readonly GOPAY_ENVIRONMENT: string
    readonly TOKENS: {
      readonly get: (key: string) => Promise<string | null>
      readonly put: (key: string, text: string, options: { readonly expirationTtl: number }) => Promise<void>
    }
  }
  export const waitUntil: (work: Promise<unknown>) => void
}

declare module "@vercel/functions" {
  export const waitUntil: (work: Promise<unknown>) => void
}

declare module "redis" {
  export const createClient: (options: { readonly url: string }) => {
    readonly connect: () => Promise<unknown>
    readonly get: (key: string) => Promise<string | null>
    readonly set: (key: string, text: string, options: { readonly EX: number }) => Promise<unknown>
  }
}
