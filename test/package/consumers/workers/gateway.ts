/**
 * The local gateway in a Worker: in one request, since a fiber ends with the request that started it.
 */
import { mountLocalGateway } from "effect-gopay/local-gateway/web"
import { contractOf } from "./contract.js"

export default {
  async fetch(): Promise<Response> {
    await contractOf(mountLocalGateway)
    return new Response("kept")
  }
}
