/**
 * The command line as it is built: `dist/command-line/index.js`, in processes of its own.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const cli = fileURLToPath(new URL("../../dist/command-line/index.js", import.meta.url))

/** Runs a command, and can wait until it has said something. */
export const start = (...args: ReadonlyArray<string>) => startWith({}, ...args)

/** The same with environment variables. */
export const startWith = (variables: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  startIn(process.cwd(), variables, ...args)

/** The same in a directory. */
export const startIn = (cwd: string, variables: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { PATH: process.env["PATH"], ...variables } })
  let said = ""
  let complained = ""
  let look = (): void => {}
  child.stdout.on("data", (data) => {
    said += data
    look()
  })
  child.stderr.on("data", (data) => {
    complained += data
    look()
  })
  const ended = once(child, "close").then(([code]) => ({ code, said, complained }))
  const found = (pattern: RegExp, text: () => string): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      look = () => {
        const match = pattern.exec(text())
        if (match !== null) resolve(match)
      }
      void ended.then(() => reject(new Error(`It ended without saying ${pattern}: ${said}${complained}`)))
      look()
    })
  return {
    ended,
    leave: () => child.stdout.destroy(),
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
    says: (pattern: RegExp) => found(pattern, () => said),
    complains: (pattern: RegExp) => found(pattern, () => complained)
  }
}

/** The environment that it prints, fit to be pasted. */
const environmentIn = (text: string) => {
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? ""
  return {
    goid: value("GOPAY_GOID"),
    clientId: value("GOPAY_CLIENT_ID"),
    clientSecret: value("GOPAY_CLIENT_SECRET"),
    environment: value("GOPAY_ENVIRONMENT")
  }
}

/** A local gateway that runs. */
export const running = async (...args: ReadonlyArray<string>) => {
  const command = start("local-gateway", "--port", "0", ...args)
  const { input } = await command.says(/Press Ctrl-C to stop/)
  return { ...command, merchant: environmentIn(input) }
}
