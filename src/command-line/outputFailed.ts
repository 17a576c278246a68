/**
 * Ends the command with status 1 when its output cannot be written: a full disk, or a reader that has gone. It is a
 * listener of the standard output's `error`, since `console.log` reports none.
 */
export const outputFailed = (error: Error): void => {
  // A stream that is written to once more after it failed fails again.
  process.stdout.off("error", outputFailed).on("error", () => {})
  console.error(`The output could not be written: ${error.message}`)
  process.exitCode = 1
}
