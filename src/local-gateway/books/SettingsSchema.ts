/**
 * Checks of settings from a seed, the control API or an untyped caller.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { fieldOf, object, type ParameterField } from "./Fields.js"
import { settings } from "./LocalGatewaySettings.js"

const fields = Struct.map(settings, Struct.lambda<ParameterField>(fieldOf))

/** All settings. */
export const AllSettings = object(fields).annotate({ identifier: "Settings", description: "How the gateway behaves." })

/** Settings to change: only those that are given. */
export const SettingsChange = object(fields)
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "SettingsChange", description: "How the gateway is to behave: the settings that are named." })
