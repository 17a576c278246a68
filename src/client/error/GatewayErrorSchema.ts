/**
 * The schema of `GatewayError`.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Endpoint from "../../contract/Endpoint.js"
import { GatewayError } from "./YieldableGatewayError.js"
import { GatewayErrorReason } from "./GatewayErrorReason.js"

/** An encoded {@link GatewayError}: its `toJSON` without the message, which follows from the reason. */
const EncodedGatewayError = Schema.TaggedStruct("GatewayError", {
  operation: Schema.Literals([...Object.values(Endpoint).map(({ name }) => name), "reconcile", "sendRequest"]),
  reason: GatewayErrorReason
})

/**
 * A `GatewayError` as a schema, to let it cross an `HttpApi`, an RPC or a workflow. Decoding makes an error again; its
 * stack and its `cause` do not cross.
 *
 * @category errors
 */
export const GatewayErrorSchema = EncodedGatewayError.pipe(
  Schema.decodeTo(
    Schema.instanceOf(GatewayError),
    SchemaTransformation.transform({
      decode: ({ operation, reason }) => new GatewayError({ operation, reason }),
      encode: ({ operation, reason }) => ({ _tag: "GatewayError" as const, operation, reason })
    })
  )
)
