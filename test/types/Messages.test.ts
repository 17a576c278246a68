/**
 * Each operation's messages as interfaces, in `GatewayOperations`, and as schemas, in its endpoint: a member that only one of the two has, or that
 * is optional in only one, does not compile. The compiler checks it, and running it shows nothing more.
 */
import { expectTypeOf, it } from "@effect/vitest"
import type * as Schema from "effect/Schema"
import type * as Endpoint from "../../src/contract/Endpoint.js"
import type { GatewayOperations } from "../../src/contract/GatewayOperations.js"
import type { GatewayOperationsV4 } from "../../src/contract/GatewayOperationsV4.js"
import type * as GatewaySchemaV4 from "../../src/contract/GatewaySchemaV4.js"
import type { GatewayId } from "../../src/contract/Messages.js"
import type * as ResponseSchema from "../../src/contract/ResponseSchema.js"
import type * as ResponseSchemaV4 from "../../src/contract/ResponseSchemaV4.js"

type Name = keyof GatewayOperations

/** A message without what GoPay adds to its fields. */
type AsSent<Message> = { readonly [Field in keyof Message as Exclude<Field, "extraFields">]: Message[Field] }

// The interfaces

/** The parameter that is neither an id nor a code, or `unknown` as in an endpoint whose requests have no content. */
type Request<Of extends Name> = OrUnknown<
  Exclude<Parameters<GatewayOperations[Of]>[number], GatewayId | string | undefined>
>

type OrUnknown<Message> = [Message] extends [never] ? unknown : Message

/** A request with what the client fills in: the merchant whose statement it is. */
type FilledRequest<Of extends Name> = Of extends "getAccountStatement"
  ? Request<Of> & { readonly goid: GatewayId }
  : Request<Of>

type Response<Of extends Name> = ReturnType<GatewayOperations[Of]>

// The schemas

type PayloadsOf<AnEndpoint> =
  AnEndpoint extends Endpoint.Endpoint<infer _Name, infer _Kind, infer _Path, infer Request, infer Response>
    ? { readonly request: Request; readonly response: Response }
    : never

type Payloads<Of extends Name> = PayloadsOf<(typeof Endpoint)[Of]>

// Comparing

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- types are compared for identity only within functions
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** The members that differ; of lists, those of their items. */
type Differing<Interface, Decoded> = [Interface, Decoded] extends [
  ReadonlyArray<infer Item>,
  ReadonlyArray<infer DecodedItem>
]
  ? Differing<Item, DecodedItem>
  : DifferingMember<AsSent<Interface>, AsSent<Decoded>>

type DifferingMember<Interface, Decoded> = {
  [Member in keyof Interface | keyof Decoded]: IsSame<
    Pick<Interface, Member & keyof Interface>,
    Pick<Decoded, Member & keyof Decoded>
  > extends true
    ? never
    : Member
}[keyof Interface | keyof Decoded]

type Disagreement = {
  [Of in Name]:
    | `${Of}: ${Differing<FilledRequest<Of>, Payloads<Of>["request"]> & string} of its request`
    | `${Of}: ${Differing<Response<Of>, Payloads<Of>["response"]> & string} of its response`
}[Name]

/** An error here names the first member to put right, in `Messages.ts` or in the schema. */
type Agreed<Differing extends never> = Differing

it("each operation's schemas decode to its interfaces", () => {
  expectTypeOf<Agreed<Disagreement>>().toBeNever()
})

// API v4

type NameV4 = keyof GatewayOperationsV4

type RequestV4<Of extends NameV4> = OrUnknown<Exclude<Parameters<GatewayOperationsV4[Of]>[number], string | undefined>>

interface Decoded<Request extends Schema.Top | undefined, Response extends Schema.Top | undefined> {
  readonly request: Request extends Schema.Top ? Request["Type"] : unknown
  readonly response: Response extends Schema.Top ? Response["Type"] : void
}

type Requests = typeof GatewaySchemaV4
type Responses = typeof ResponseSchemaV4

/** The schemas of `OperationsV4.ts`, whose endpoints have none. */
interface PayloadsV4 {
  readonly createPayment: Decoded<Requests["CreatePaymentRequestV4"], Responses["CreatedPaymentV4"]>
  readonly getPayment: Decoded<undefined, Responses["PaymentResponseV4"]>
  readonly cancelPayment: Decoded<undefined, undefined>
  readonly getCharge: Decoded<undefined, Responses["ChargeResponseV4"]>
  readonly getPaymentQr: Decoded<Requests["PaymentQrRequestV4"], (typeof ResponseSchema)["PaymentQrResponse"]>
  readonly refundPayment: Decoded<Requests["RefundPaymentRequestV4"], Responses["RefundResponseV4"]>
  readonly getPaymentRefunds: Decoded<undefined, Responses["RefundListV4"]>
  readonly getRefund: Decoded<undefined, Responses["RefundResponseV4"]>
  readonly createRecurrence: Decoded<Requests["CreateRecurrenceRequestV4"], Responses["RecurrenceResponseV4"]>
  readonly getRecurrence: Decoded<undefined, Responses["RecurrenceResponseV4"]>
  readonly startRecurrence: Decoded<Requests["PaymentOverrideV4"], Responses["CreatedPaymentV4"]>
  readonly nextPayment: Decoded<Requests["PaymentOverrideV4"], Responses["PaymentResponseV4"]>
  readonly stopRecurrence: Decoded<undefined, undefined>
}

type DisagreementV4 = {
  [Of in NameV4]:
    | `${Of}: ${Differing<RequestV4<Of>, PayloadsV4[Of]["request"]> & string} of its request`
    | `${Of}: ${Differing<ReturnType<GatewayOperationsV4[Of]>, PayloadsV4[Of]["response"]> & string} of its response`
}[NameV4]

it("each operation's schemas of API v4 decode to its interfaces", () => {
  expectTypeOf<Agreed<DisagreementV4>>().toBeNever()
})
