/** What the Worker is bound to. */
declare namespace Cloudflare {
  interface Env {
    readonly GOPAY_GOID: string
    readonly GOPAY_CLIENT_ID: string
    readonly GOPAY_CLIENT_SECRET: string
    readonly GOPAY_ENVIRONMENT: string
    readonly SHOP_URL: string
    readonly SHOP: KVNamespace
  }
}
