import type { mountLocalGateway } from "effect-gopay/local-gateway/web"

/** Made of `test/support/contractScript.ts`. */
export const contractOf: (mount: typeof mountLocalGateway) => Promise<void>
