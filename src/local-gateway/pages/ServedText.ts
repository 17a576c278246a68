/// <reference types="node" />
/**
 * The texts that the local gateway serves, made at the build. Each is a module that is read as a file, since a CommonJS
 * program may be unable to import it.
 */
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"

/** The texts: the dashboard's script and style, and the OpenAPI documents of GoPay's API and of the control API. */
export const servedTexts = ["dashboard", "dashboard-style", "openapi", "control-openapi"] as const

export type ServedText = (typeof servedTexts)[number]

/** Where the modules are, seen from the bundles and from this folder in the sources. */
const folders = ["../served", "../../served", "../../../dist/served"]

/** Why a text is missing, and what to do. */
export const leftBehind =
  "a bundler has moved this program away from it. Leave effect-gopay out of the bundle (external), or use effect-gopay/local-gateway/web, which has it inside."

/** Reads a text. Dies if a bundler has moved this program away from it. */
export const servedText = (name: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const files = folders.map((folder) => readFile(new URL(`${folder}/${name}.js`, import.meta.url), "utf8"))
    const text: string = JSON.parse((await Promise.any(files)).replace("export default ", ""))
    return text
  })
