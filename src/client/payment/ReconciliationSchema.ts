/**
 * The schema of the result of `reconcile`.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as Plain from "./Reconciliation.js"

/** Each reason why reads cannot tell: the compiler asks for one that is missing. */
const whys: { readonly [Why in Extract<Plain.Reconciliation, { readonly _tag: "CannotTell" }>["why"]]: true } = {
  NotSearchable: true,
  NoChildId: true,
  OtherPayment: true,
  NoRefundsBefore: true,
  RefundsMissing: true,
  EqualAmounts: true,
  OtherWriters: true,
  RefundFailed: true,
  NoPreauthorization: true,
  UnknownState: true,
  Contradiction: true,
  CustomRequest: true
}

/** {@inheritDoc Reconciliation} */
export type Reconciliation = Plain.Reconciliation
/** The result of `reconcile` as a schema: to store it, or to let it cross an `HttpApi`, an RPC or a workflow. */
export const Reconciliation = Schema.Union([
  Schema.TaggedStruct("Happened", {
    message: Schema.String,
    id: Schema.Int,
    state: Schema.String,
    isPending: Schema.Boolean
  }),
  Schema.TaggedStruct("DidNotHappen", {
    message: Schema.String,
    state: Schema.String
  }),
  Schema.TaggedStruct("StateReached", {
    message: Schema.String,
    state: Schema.String
  }),
  Schema.TaggedStruct("NotSeenYet", {
    message: Schema.String,
    ageMillis: Schema.Finite,
    state: Schema.optionalKey(Schema.String)
  }),
  Schema.TaggedStruct("CannotTell", {
    message: Schema.String,
    why: Schema.Literals(Struct.keys(whys))
  })
])
