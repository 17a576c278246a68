/**
 * The reader's browser.
 */
import { spawn } from "node:child_process"

/** Opens an address in the default browser; where there is none, the printed address has to do. */
export const openBrowser = (url: string): void => {
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", '""']
        : ["xdg-open"]
  if (program === undefined) return
  spawn(program, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref()
}
