import { gopayLedger } from "../../../ledger"

let started: Promise<void> | undefined

/**
 * Starts the worker with the server, to finish what an earlier process had begun. Medusa calls it for each provider,
 * and also in commands such as `db:migrate` and `exec`, which must not send anything.
 */
export const startWorker = async (): Promise<void> => {
  if (!process.argv.includes("start")) return
  await (started ??= gopayLedger()
    .migrate()
    .then(() => gopayLedger().startWorker()))
}
