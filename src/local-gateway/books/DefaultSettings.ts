/**
 * The default settings of a local gateway, in a module of their own, since the command line reads the table of settings
 * without Effect.
 */
import * as Struct from "effect/Struct"
import { type LocalGatewaySettings, settings } from "./LocalGatewaySettings.js"

interface Default extends Struct.Lambda {
  <A>(setting: { readonly default: A }): A
  readonly "~lambda.out": this["~lambda.in"] extends { readonly default: infer A } ? A : never
}

/** The default settings of a local gateway. */
export const defaultSettings: LocalGatewaySettings = Struct.map(
  settings,
  Struct.lambda<Default>((setting) => setting.default)
)
