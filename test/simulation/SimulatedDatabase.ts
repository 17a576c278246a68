/**
 * The database of a ledger, in memory, for all processes of a shop: slow, failing, carrying out late what no one waits
 * for any more, and losing the acknowledgement of what it has committed.
 *
 * What a transaction has written is seen by no one else before it is committed, and no one else writes meanwhile. As in
 * PostgreSQL, the `COMMIT` of a transaction in which a statement has failed writes nothing and fails not.
 */
import { tableNames } from "../../src/ledger/store/Sql.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import Database from "libsql"
import type { SqlRow, SqlValue } from "../../src/ledger/index.js"
import { TransactionLost } from "../../src/ledger/store/clientResults.js"
import * as LedgerDatabase from "../../src/ledger/store/Database.js"
import { migrationsFrom } from "../../src/ledger/store/Migrations.js"
import type { Observation } from "./Observation.js"
import type { Plan } from "./Plan.js"
import { epoch, type Process, type Simulator } from "./Simulator.js"

/** A statement, and the values of its placeholders. */
export interface Statement {
  readonly sql: string
  readonly values: ReadonlyArray<SqlValue>
}

/** A transaction of a process: what it has written so far. */
export interface Transaction {
  readonly process: Process
  readonly statements: Array<Statement>
  isOver: boolean
  /** A statement has failed: all others fail too, and `COMMIT` is answered as ever, and rolls back. */
  isAborted: boolean
  /** A statement is never answered: those after it on the same connection wait for it. */
  isSilent: boolean
  /** Its connection is lent to others: what is still sent through it is committed by itself. */
  isGivenBack: boolean
  /** When its last step was. */
  at: number
}

interface Prepared {
  readonly statement: Database.Statement
  readonly hasRows: boolean
}

type Rows = ReadonlyArray<SqlRow>

/** As PostgreSQL says it. */
class Locked extends Error {
  readonly code = "55P03"
}

/** How long one step of a transaction takes, and how it ends. */
interface Step {
  readonly takes: number
  readonly end: "done" | "failed" | "done, and said to have failed" | "done, and never said" | "never" | "late"
}

/** In milliseconds: how long a statement waits for someone else's transaction, and the beginning of another one. */
const lockTime = 500
const beginTime = 10_000

/** In milliseconds: after how long a transaction in which nothing happens is rolled back. */
const idleTime = 60_000

const kept = [...tableNames, "reported", "reported_change"]

interface Backup {
  readonly at: number
  readonly tables: ReadonlyArray<{ readonly table: string; readonly rows: Rows }>
}

const now = "(SELECT ms FROM simulated_clock)"

/** A database for all processes. Its own clock is right. */
export class SimulatedDatabase {
  isQuiet = false
  /** The time of the backup that was restored, by the database's clock. */
  restoredTo: number | undefined
  outage: { readonly until: number; readonly isSilent: boolean } | undefined
  /** Called for each transaction that is committed. */
  onCommit: (statements: ReadonlyArray<Statement>) => void = () => {}
  /** Called for each statement that was run for a process, within no transaction. */
  onStatement: (process: Process, statement: Statement) => void = () => {}
  private readonly simulator: Simulator
  private readonly plan: Plan
  private readonly observation: Observation
  private readonly home: Process
  private readonly connection = new Database(":memory:")
  private readonly prepared = new Map<string, Prepared>()
  private writer: Transaction | undefined
  private time = -1
  private steps = 0
  private generation = 0
  private readonly backups: Array<Backup> = []
  /** Takes back the edit of a row, which a backup may have as well. */
  private undoEdit: () => void = () => {}

  /** Its steps happen in a process of their own, `home`. */
  constructor(simulator: Simulator, observation: Observation, plan: Plan, home: Process) {
    this.simulator = simulator
    this.observation = observation
    this.plan = plan
    this.home = home
    this.connection.exec(`CREATE TABLE simulated_clock (ms INTEGER); INSERT INTO simulated_clock VALUES (${epoch})`)
    // The shop's own migrations made the tables before the first process began.
    for (const statement of migrationsFrom({ dialect: "sqlite", now }, 0, "main")) this.connection.exec(statement)
  }

  /** What a process uses it through. */
  of(process: Process): LedgerDatabase.Database<Transaction> {
    const query = (sql: string, values: ReadonlyArray<SqlValue>) => this.statement(process, { sql, values })
    return {
      dialect: "sqlite",
      now,
      query,
      queryIn: (tx) => (sql, values) => this.statementIn(tx, { sql, values }),
      transaction: <A, E>(run: (tx: Transaction) => Effect.Effect<A, E>, late: Effect.Effect<never, E>) =>
        Effect.gen({ self: this }, function* () {
          const tx = yield* this.begin(process)
          const ended = yield* Deferred.make<A, E | LedgerDatabase.StoreError>()
          const within = LedgerDatabase.within(run(tx), {
            isPostgres: true,
            query,
            queryIn: (sql, values) => this.statementIn(tx, { sql, values }),
            canTerminate: false,
            late,
            onLate: (exit) => Deferred.doneUnsafe(ended, exit)
          })
          const whole = within.pipe(
            Effect.tap(() => this.commit(tx)),
            Effect.onExit((exit) =>
              Effect.sync(() => {
                this.end(tx)
                tx.isGivenBack = true
                Deferred.doneUnsafe(ended, exit)
              })
            )
          )
          yield* Effect.forkDetach(whole)
          return yield* Deferred.await(ended)
        })
    }
  }

  /** Gives a change a status that no release knows, and takes it back later. */
  edit(row: number, lasts: number): void {
    const [found] = this.look("SELECT seq, status FROM gopay_change ORDER BY seq LIMIT 1 OFFSET ?", row)
    const { seq, status } = found ?? {}
    if (typeof seq !== "number" || typeof status !== "string" || this.writer !== undefined) return
    this.look("UPDATE gopay_change SET status = 'reversed' WHERE seq = ?", seq)
    this.undoEdit = () =>
      this.look("UPDATE gopay_change SET status = ? WHERE seq = ? AND status = 'reversed'", status, seq)
    this.simulator.after(this.home, lasts, () => this.undoEdit())
  }

  /** Keeps what is committed now, as a backup. */
  backUp(): void {
    const tables = kept.map((table) => ({ table, rows: this.look(`SELECT * FROM ${table}`) }))
    this.backups.push({ at: this.simulator.now, tables })
  }

  /** The newest backup that is so old takes the place of all. What is on its way to the database is lost. */
  restore(before: number): void {
    const backup = this.backups.findLast(({ at }) => at <= before) ?? this.backups[0]
    if (backup === undefined) return
    this.generation++
    this.writer = undefined
    this.restoredTo = epoch + Math.floor(backup.at)
    for (const { rows, table } of backup.tables) {
      this.look(`DELETE FROM ${table}`)
      for (const row of rows) {
        const columns = Object.keys(row)
        const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
        this.run({ sql, values: Object.values(row).filter(isValue) })
      }
    }
    // It may have been made while a row was edited.
    this.undoEdit()
  }

  /** What is committed, for the judge. */
  look(sql: string, ...values: ReadonlyArray<SqlValue>): Rows {
    return this.run({ sql, values })
  }

  close(): void {
    this.connection.close()
  }

  // ------------------------------------------------------------------------------------------------------------------

  private statement(process: Process, statement: Statement) {
    const isRead = /^\s*SELECT\b/i.test(statement.sql)
    return this.step(process, verbOf(statement), isRead, () => {
      const rows = this.run(statement)
      if (!isRead) this.onCommit([statement])
      this.onStatement(process, statement)
      return rows
    })
  }

  private begin(process: Process) {
    const tx: Transaction = {
      process,
      statements: [],
      isOver: false,
      isAborted: false,
      isSilent: false,
      isGivenBack: false,
      at: 0
    }
    return this.step(process, "BEGIN", false, () => {
      if (!tx.isOver) this.writer = tx
      tx.at = this.simulator.now
      return tx
    }).pipe(
      // A connection that breaks is rolled back.
      Effect.onExit((exit) => (exit._tag === "Failure" ? Effect.sync(() => this.end(tx)) : Effect.void))
    )
  }

  /** Runs it after all that the transaction has written, and takes all of it back. */
  private statementIn(tx: Transaction, statement: Statement) {
    if (tx.isGivenBack) return this.statement(tx.process, statement)
    if (tx.isSilent) return Effect.never
    const carriedOut = this.step(
      tx.process,
      `${verbOf(statement)} in a transaction`,
      true,
      () => {
        if (tx.isAborted) throw new TransactionLost()
        if (this.writer !== tx) throw new Error("the transaction has ended")
        // The limits of a transaction are settings that SQLite has not.
        if (statement.sql.startsWith("SELECT pg_backend_pid()")) return [{ pid: 1 }]
        this.connection.exec("BEGIN")
        try {
          for (const before of tx.statements) this.run(before)
          const rows = this.run(statement)
          tx.statements.push(statement)
          tx.at = this.simulator.now
          return rows
        } catch (error) {
          // Its locks are free.
          tx.isAborted = true
          this.writer = undefined
          throw error
        } finally {
          this.connection.exec("ROLLBACK")
          this.time = -1
        }
      },
      () => (tx.isSilent = true)
    )
    // A connection that breaks is rolled back.
    return Effect.tapError(carriedOut, () => Effect.sync(() => (tx.isAborted ? undefined : this.end(tx))))
  }

  private commit(tx: Transaction) {
    return this.step(tx.process, "COMMIT", true, () => {
      if (tx.isAborted) return
      if (this.writer !== tx) throw new Error("the transaction has ended")
      for (const statement of tx.statements) this.run(statement)
      this.end(tx)
      this.onCommit(tx.statements)
    }).pipe(Effect.onExit((exit) => (exit._tag === "Failure" ? Effect.sync(() => this.end(tx)) : Effect.void)))
  }

  private end(tx: Transaction): void {
    tx.isOver = true
    if (this.writer === tx) this.writer = undefined
  }

  private run({ sql, values }: Statement): Rows {
    const ms = epoch + Math.floor(this.simulator.now)
    if (ms !== this.time) this.prepare("UPDATE simulated_clock SET ms = ?").statement.run(ms)
    this.time = ms
    const { hasRows, statement } = this.prepare(sql)
    if (hasRows) return statement.all(...values).filter(isRow)
    statement.run(...values)
    return []
  }

  private prepare(sql: string): Prepared {
    const known = this.prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.connection.prepare(sql)
    const prepared = { statement, hasRows: statement.reader }
    this.prepared.set(sql, prepared)
    return prepared
  }

  private step<A>(
    process: Process,
    name: string,
    isRead: boolean,
    work: () => A,
    onSilence: () => void = () => {}
  ): Effect.Effect<A, LedgerDatabase.StoreError> {
    return Effect.callback((resume) => {
      const { takes, end } = this.fateOf(name)
      if (end !== "done") this.simulator.tell(process, `database: ${name} ${end}`)
      if (end === "never" || end === "done, and never said") onSilence()
      const answer = (result: Effect.Effect<A, LedgerDatabase.StoreError>) =>
        this.simulator.after(process, takes / 2, () => resume(result))
      const since = this.simulator.now
      const { generation } = this
      const arrive = () => {
        if (generation !== this.generation) return
        const { writer } = this
        if (writer !== undefined && this.simulator.now - writer.at > idleTime) this.end(writer)
        if (!isRead && writer?.isOver === false && writer.process.isAlive) {
          if (this.simulator.now - since > (name === "BEGIN" ? beginTime : lockTime))
            answer(Effect.fail(LedgerDatabase.storeFailed(new Locked())))
          else this.simulator.after(this.home, 20, arrive)
          return
        }
        if (end === "failed") {
          answer(failed("it is not reached"))
          return
        }
        try {
          const value = work()
          if (end === "done") answer(Effect.succeed(value))
          if (end === "done, and said to have failed") answer(failed("the connection broke"))
        } catch (error) {
          answer(
            error instanceof TransactionLost ? Effect.fail(LedgerDatabase.storeFailed(error)) : failed(String(error))
          )
        }
      }
      if (end === "never") return
      this.simulator.after(this.home, end === "late" ? takes : takes / 2, arrive)
    })
  }

  private fateOf(name: string): Step {
    const { outage, plan, simulator } = this
    const event = `database ${name} ${++this.steps}`
    const chance = simulator.chance(event)
    if (outage !== undefined && simulator.now < outage.until && !this.isQuiet) {
      return { takes: 5, end: outage.isSilent ? "never" : "failed" }
    }
    const prompt = { takes: chance.between(1, 10), end: "done" } as const
    if (this.isQuiet || plan.ledger?.database !== "broken" || plan.spared.has(event) || !chance.percent(6)) {
      return this.isQuiet || plan.ledger?.database !== "slow" || plan.spared.has(event) || !chance.percent(20)
        ? prompt
        : { takes: chance.pick(100, 900, 4_000), end: "done" }
    }
    this.observation.troubles.add(event)
    const end = chance.pick(
      "failed",
      "done, and said to have failed",
      "done, and said to have failed",
      "done, and never said",
      "never",
      "late"
    )
    this.observation.hit(`database: ${end}`)
    return { takes: end === "late" ? chance.pick(5_000, 40_000, 90_000) : chance.pick(5, 900), end }
  }
}

const verbOf = ({ sql }: Statement): string => /^\s*(\w+(?:\s+(?:INTO|FROM))?(?:\s+gopay_\w+)?)/.exec(sql)?.[1] ?? sql

const failed = (what: string) => Effect.fail(LedgerDatabase.storeFailed(new Error(what)))

const isValue = (value: unknown): value is SqlValue =>
  value === null || typeof value === "string" || typeof value === "number"

const isRow = (row: unknown): row is SqlRow => typeof row === "object" && row !== null
