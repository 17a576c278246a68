import { gopayLedger } from "../../../gopay"

let started: Promise<void> | undefined

/**
 * Starts the worker with the server: what was under way when a process ended goes on. Each provider calls it, and so do other
 * commands of Medusa's, such as `db:migrate` and `exec`, which would end in the middle of something.
 */
export const startWorker = async (): Promise<void> => {
  if (!process.argv.includes("start")) return
  await (started ??= gopayLedger()
    .migrate()
    .then(() => gopayLedger().startWorker()))
}
