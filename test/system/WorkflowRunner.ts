/**
 * A runner of a cluster that settles complaints by workflows. It begins at SIGUSR2.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as ClusterWorkflowEngine from "effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as SingleRunner from "effect/cluster/SingleRunner"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { once } from "node:events"
import { writeSync } from "node:fs"
import { createRequire } from "node:module"
import { PayTwice, payTwiceLive, SettleComplaint, settleComplaintLive } from "../../examples/ledger-workflow.js"
import { Gateway } from "../../src/index.js"
import { Ledger, pgStore } from "../../src/ledger/index.js"

/** The runner's argument, as JSON. */
export interface RunnerPlan {
  readonly environment: string
  readonly merchant: { readonly goid: number | string; readonly clientId: string; readonly clientSecret: string }
  /** The address of a PostgreSQL. */
  readonly database: string
  readonly port: number
  readonly complaints: ReadonlyArray<{
    readonly complaint: string
    readonly paymentId: number
    readonly amount: number
  }>
  readonly withLedger: boolean
  /** The time that a refund may take, in milliseconds. */
  readonly timeout: number
}

const main = ({ complaints, database, environment, merchant, port, timeout, withLedger }: RunnerPlan) => {
  const { Pool } = createRequire(`${process.cwd()}/`)("pg")
  const pool = new Pool({ connectionString: database, max: 4 })
  pool.on("error", () => {})
  const clientSecret = Redacted.make(merchant.clientSecret)
  const userAgent = `runner-${port}`
  const gateway = Gateway.layer({ ...merchant, clientSecret, environment, timeout, userAgent }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )
  const ledger = Ledger.layerWorker({ store: pgStore<never>(pool), lease: 1_000, pollEvery: 50, migrate: true })
  const engine = ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(
      SingleRunner.layer({
        runnerStorage: "sql",
        shardingConfig: {
          runnerAddress: Option.some(RunnerAddress.make("localhost", port)),
          shardsPerGroup: 12,
          refreshAssignmentsInterval: "300 millis",
          entityMessagePollInterval: "200 millis",
          entityReplyPollInterval: "100 millis",
          shardLockRefreshInterval: "500 millis",
          shardLockExpiration: "8 seconds"
        }
      })
    ),
    Layer.provide(PgClient.layer({ url: Redacted.make(database), maxConnections: 6 })),
    Layer.provide(Digest.layerWebCrypto)
  )
  const workflow = withLedger ? SettleComplaint : PayTwice
  const begun = Effect.promise(() => {
    writeSync(1, "ready\n")
    return once(process, "SIGUSR2")
  })
  const settled = (complaint: (typeof complaints)[number]) =>
    Effect.andThen(
      Effect.exit(workflow.execute(complaint)),
      Effect.sync(() => writeSync(1, `settled ${complaint.complaint}\n`))
    )
  return Effect.andThen(begun, Effect.forEach(complaints, settled, { concurrency: "unbounded" })).pipe(
    Effect.andThen(Effect.never),
    Effect.provide(
      Layer.mergeAll(settleComplaintLive, payTwiceLive).pipe(
        Layer.provideMerge(engine),
        Layer.provide(ledger),
        Layer.provide(gateway)
      )
    ),
    Effect.runPromise
  )
}

await main(JSON.parse(process.argv[2] ?? ""))
