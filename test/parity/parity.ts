/**
 * `npm run parity`: runs the steps of each recording in `test/parity/recordings`, or of the files that are named, at a
 * local gateway, and prints where that one differs, how much was compared and what was not. Status 1: it differs, or
 * there was nothing to compare.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { compareRecordings } from "./Differences.js"
import { recordLocally } from "./LocalParity.js"
import { parseRecording } from "./RecordingFile.js"
import { isPassed, reportOf } from "./Report.js"

const folder = fileURLToPath(new URL("recordings", import.meta.url))
const named = process.argv.slice(2)
const files =
  named.length > 0
    ? named
    : readdirSync(folder)
        .filter((file) => file.endsWith(".json"))
        .map((file) => join(folder, file))
if (files.length === 0) console.log("There are no recordings yet. docs/parity.md says how to make one.")

for (const file of files) {
  const recording = parseRecording(readFileSync(file, "utf8"))
  const comparison = compareRecordings(recording, await recordLocally(recording.steps))
  console.log(`${file}, ${recording.gateway}, ${recording.recordedOn}`)
  for (const line of reportOf(comparison)) console.log(`  ${line}`)
  if (!isPassed(comparison)) process.exitCode = 1
}
