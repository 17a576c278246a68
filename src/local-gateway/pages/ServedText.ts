/// <reference types="node" />
/**
 * What the local gateway serves as it was built: each text is a module, which is read as a file, since a program that
 * runs as CommonJS may be unable to import it.
 */
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"

/** The texts: the dashboard's script and style, and the OpenAPI documents of GoPay's API and of the control API. */
export const servedTexts = ["dashboard", "dashboard-style", "openapi", "control-openapi"] as const

export type ServedText = (typeof servedTexts)[number]

/** Where the modules are: as seen from the bundles, and from this folder in the sources. */
const folders = ["../served", "../../served", "../../../dist/served"]

/** Why a text is not there, and what to do. */
export const leftBehind =
  "a bundler has moved this program away from it. Leave effect-gopay out of the bundle (external), or use effect-gopay/local-gateway/web, which has it inside."

/** A text. It dies where a bundler has moved this program away from it. */
export const servedText = (name: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const files = folders.map((folder) => readFile(new URL(`${folder}/${name}.js`, import.meta.url), "utf8"))
    const text: string = JSON.parse((await Promise.any(files)).replace("export default ", ""))
    return text
  })
