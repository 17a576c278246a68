/**
 * The local gateway with promises, behind a server.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { LocalGateway } from "../LocalGateway.js"
import { optionsOf, serverOptions } from "../OptionChecks.js"
import { checked, commonOptions, failure, layerOptions, gatewayPromises } from "./GatewayPromises.js"
import type { RunningLocalGateway, StartLocalGatewayOptions } from "./RunningLocalGateway.js"

const Options = optionsOf({ ...serverOptions, ...commonOptions })

/**
 * Starts a local gateway behind a real HTTP server, on the loopback interface by default. Each is new and empty;
 * several can run at once.
 *
 * ```ts
 * await using local = await startLocalGateway()
 * const gateway = createGatewayClient(local.merchant)
 * const { id } = await gateway.createPayment(order)
 * await local.payByCard(id)
 * ```
 *
 * The process does not exit by itself before every gateway is closed.
 *
 * Rejects with a `LocalGatewayError`: `InvalidInput` names every wrong or unknown option, `InvalidSeed` every problem of
 * the seed, `ServerStartError` says why it cannot listen, for example because the port is taken, `DataFileError` says
 * what is wrong with the data file.
 *
 * @category local gateway
 */
export const startLocalGateway = async (options: StartLocalGatewayOptions = {}): Promise<RunningLocalGateway> => {
  const given = checked("startLocalGateway", Options, options)
  const { allowHosts, dataFile, host, port, publicUrl } = given
  const scope = Scope.makeUnsafe()
  const layer = LocalGateway.layerServer({
    ...layerOptions("startLocalGateway", given),
    allowHosts,
    dataFile,
    host,
    port,
    publicUrl
  })
  const started = await Effect.runPromiseExit(Layer.buildWithScope(layer, scope))
  if (Exit.isFailure(started)) {
    await Effect.runPromise(Scope.close(scope, started))
    throw failure("startLocalGateway", started.cause)
  }
  const service = Context.get(started.value, LocalGateway)
  return {
    url: service.url,
    get merchant() {
      return service.merchant
    },
    ...gatewayPromises(scope, () => ({ service })).members
  }
}
