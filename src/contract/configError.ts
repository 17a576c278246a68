/**
 * Wrong options as the error of Effect's configuration.
 */
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { describeFields, type FieldProblem } from "./InvalidFields.js"

/** An error that says this. */
export const configErrorOf = (message: string): Config.ConfigError =>
  new Config.ConfigError(new Schema.SchemaError(new SchemaIssue.InvalidValue({ message })))

/** An error that names every field that is wrong. */
export const configError = (fields: ReadonlyArray<FieldProblem>): Config.ConfigError =>
  configErrorOf(describeFields(fields))
