/**
 * The settings that a local gateway begins with: apart from the table, which the command line reads without Effect.
 */
import * as Struct from "effect/Struct"
import { type LocalGatewaySettings, settings } from "./LocalGatewaySettings.js"

interface Default extends Struct.Lambda {
  <A>(setting: { readonly default: A }): A
  readonly "~lambda.out": this["~lambda.in"] extends { readonly default: infer A } ? A : never
}

/** The settings that a local gateway begins with. */
export const defaultSettings: LocalGatewaySettings = Struct.map(
  settings,
  Struct.lambda<Default>((setting) => setting.default)
)
