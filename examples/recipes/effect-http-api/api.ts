/**
 * The shop's interface, from which Effect makes the server, a client and an OpenAPI document.
 */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema } from "effect/http-api"

const Text = Schema.String.pipe(HttpApiSchema.asText())

export class UnknownOrder extends Schema.TaggedError<UnknownOrder>()("UnknownOrder", {}, { httpApiStatus: 404 }) {}

export class Invalid extends Schema.TaggedError<Invalid>()(
  "Invalid",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

export class Refused extends Schema.TaggedError<Refused>()(
  "Refused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

export class Unavailable extends Schema.TaggedError<Unavailable>()(
  "Unavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

const Done = Schema.Struct({ _tag: Schema.Literal("Done"), message: Schema.String })

/** The gateway may take days, or its response was lost: the ledger keeps checking. */
const NotDoneYet = Schema.Struct({ _tag: Schema.Literals(["Pending", "InDoubt"]), message: Schema.String }).pipe(
  HttpApiSchema.status(202)
)

const Orders = HttpApiGroup.make("orders", { topLevel: true }).add(
  HttpApiEndpoint.post("checkout", "/checkout", {
    // The page's number, so that two clicks are one order.
    payload: Schema.Struct({ number: Schema.String.check(Schema.isUUID()) }).pipe(HttpApiSchema.asFormUrlEncoded()),
    success: HttpApiSchema.WithHeaders(HttpApiSchema.Empty(303), { location: Schema.String }),
    error: [Refused, Unavailable]
  }),
  HttpApiEndpoint.get("payerReturned", "/return", { success: Text }),
  // Put this behind your own login.
  HttpApiEndpoint.post("refund", "/orders/:number/refund", {
    params: { number: Schema.String },
    payload: Schema.Struct({ key: Schema.String, amount: Schema.Int }).pipe(HttpApiSchema.asFormUrlEncoded()),
    success: [Done, NotDoneYet],
    error: [UnknownOrder, Invalid, Refused, Unavailable]
  })
)

/** An invalid request is answered with what is wrong with it. */
export const Shop = HttpApi.make("shop").add(Orders).middleware(HttpApiMiddleware.ProblemDetails)
