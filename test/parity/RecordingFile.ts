/**
 * A recording as it is read from a file, which may be anyone's.
 */
import * as Schema from "effect/Schema"
import type { Json, Recording } from "../../src/command-line/record/Recorder.js"

const Texts = Schema.Record(Schema.String, Schema.String)

const JsonValue: Schema.Codec<Json> = Schema.suspend(() =>
  Schema.Union([
    Schema.String,
    Schema.Finite,
    Schema.Boolean,
    Schema.Null,
    Schema.Array(JsonValue),
    Schema.Record(Schema.String, JsonValue)
  ])
)

const RequestStep = Schema.Struct({
  name: Schema.String,
  method: Schema.Literals(["GET", "POST", "DELETE"]),
  path: Schema.String.check(Schema.isPattern(/^\//)),
  headers: Schema.optionalKey(Texts),
  form: Schema.optionalKey(Texts),
  json: Schema.optionalKey(JsonValue),
  isEscaped: Schema.optionalKey(Schema.Literal(true)),
  keep: Schema.optionalKey(Texts),
  isContractual: Schema.optionalKey(Schema.Literal(true)),
  response: Schema.optionalKey(Schema.Struct({ status: Schema.Int, headers: Texts, body: JsonValue }))
})

const PayerStep = Schema.Struct({
  name: Schema.String,
  pays: Schema.Struct({
    payment: Schema.String,
    gwUrl: Schema.String,
    act: Schema.optionalKey(Schema.Literals(["pays", "isDeclined", "cancels", "choosesTransfer", "letsTimeOut"]))
  })
})

const RecordingFile: Schema.Codec<Recording, unknown> = Schema.Struct({
  format: Schema.Literal(1),
  gateway: Schema.String,
  recordedOn: Schema.String,
  steps: Schema.Array(Schema.Union([RequestStep, PayerStep]))
})

/** Reads a recording. Throws, naming what is wrong, when it is none. */
export const parseRecording: (text: string) => Recording = (text) =>
  Schema.decodeUnknownSync(RecordingFile)(JSON.parse(text))
