/**
 * A folder of files for the command `statement`, which runs in it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { csvB, csvBLines } from "../statement/files.js"
import { startIn } from "./CommandLine.js"

/** A folder that is removed at the end of its block. */
export const statementFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "statement-"))
  return {
    write: (files: Readonly<Record<string, string | Uint8Array>>): void => {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    },
    /** Runs `effect-gopay statement` with files by their names. */
    run: (...args: ReadonlyArray<string>) => startIn(folder, {}, "statement", ...args).ended,
    /** The same where the environment speaks Czech. */
    runCzech: (...args: ReadonlyArray<string>) => startIn(folder, { LANG: "cs_CZ.UTF-8" }, "statement", ...args).ended,
    remove: (): void => rmSync(folder, { recursive: true })
  }
}

/** The month of `csvBLines`, changed line by line. */
export const monthLike = (change: (line: string, index: number) => string): Uint8Array =>
  csvB(csvBLines.map((line, index) => (index === 0 ? line : change(line, index))))

/** The same in euros, with other ids. */
export const euros = monthLike((line) => line.replace(/^\d/, "8").replace(";CZK;", ";EUR;"))

/** A file of orders with all columns. */
export const ordersFile = (...lines: ReadonlyArray<string>): string =>
  ["order_number,type,amount,currency,date,payment_id,state", ...lines, ""].join("\n")
