/**
 * A ledger over a store and a gateway, for both styles of client.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { canonicalId, notAnId } from "../api/CanonicalId.plain.js"
import * as GatewaySchema from "../api/GatewaySchema.js"
import { describeFields, invalidFields } from "../api/InvalidFields.js"
import { GatewayError } from "../client/error/GatewayError.js"
import type { AttentionItem, AttentionKind } from "./change/Attention.plain.js"
import type { ChangeEntry, ChangeOptions, SubmittedChange } from "./change/Change.plain.js"
import { type InvalidArgument, LedgerError } from "./table/LedgerError.plain.js"
import type { LedgerGateway } from "./change/LedgerGateway.js"
import type { LedgerHealth } from "./table/LedgerHealth.plain.js"
import * as AttentionReports from "./AttentionReports.js"
import * as LedgerOrders from "./LedgerOrders.js"
import { orderPrefix } from "./LedgerOrders.js"
import { checkSettings } from "./LedgerSettings.js"
import type { ChangeError, LedgerOptions, LedgerService } from "./LedgerService.js"
import type { ChangeOutcome } from "./change/Outcome.plain.js"
import * as Steps from "./change/Steps.js"
import * as Places from "./Places.js"
import { type ChangeName, ChangeRequest, type ChangeRow, isDecided } from "./table/ChangeRow.js"
import * as ChangeTable from "./table/ChangeTable.js"
import * as LedgerTable from "./table/LedgerTable.js"
import * as RefundTable from "./table/RefundTable.js"
import { type Database, type Query, type StoreError, unavailable } from "./table/Database.js"
import { type Rows, type UnreadableRow, unreadableMessage } from "./table/Rows.js"
import { countEach } from "./table/Statements.js"

/** How many rows are read at once. */
const batch = 50

/** The pause between two looks for what operators have not been notified of. */
const watchEvery = Duration.seconds(10)

/** The longest time to wait for what is under way at the end: above the client's time-out for a change. */
const drainTime = "150 seconds"

/** The options of a ledger, and what it works with. */
export interface CoreOptions<in out Tx> extends Omit<LedgerOptions<Tx>, "store"> {
  readonly gateway: LedgerGateway
  readonly database: Database<Tx>
}

/** Makes a ledger. What it has under way is waited for when the scope closes. */
export const make = <Tx>({
  gateway,
  ...options
}: CoreOptions<Tx>): Effect.Effect<LedgerService<Tx>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { database, onAttention } = options
    const gatewayScope = yield* gateway.scope
    const settings = yield* Effect.sync(() => checkSettings(options, gatewayScope))
    const { concurrency, installation, lease, notSeenFor, pollEvery } = settings
    const ledger = LedgerTable.make(database, installation)
    const table = ChangeTable.make(database, gatewayScope, installation)
    const acknowledged = RefundTable.make(database, gatewayScope)
    const scope = yield* Scope.make()
    const underWay = new Map<string, Fiber.Fiber<unknown, unknown>>()
    let isClosing = false

    const reports = AttentionReports.make({
      onAttention,
      ledger,
      sources: () => [
        {
          unnotified: Effect.map(table.unnotified, (found) =>
            itemsOf(found).map(({ item, seq }) => ({ item, markNotified: table.markNotified(seq, item.kind) }))
          )
        },
        orders
      ]
    })
    const tell = (item: AttentionItem, markNotified: Effect.Effect<void, StoreError>): Effect.Effect<void> =>
      reports.report({ item, markNotified })

    const next = Steps.make({
      gateway,
      table,
      notSeenFor,
      lease,
      mayStart: Effect.sync(() => !isClosing),
      onAttention: (row, kind) => tell(itemOf(row, kind), table.markNotified(row.seq, kind))
    })

    let isMigrated = options.migrate !== true
    const migrate = Effect.tap(ledger.migrate, () =>
      Effect.sync(() => {
        isMigrated = true
      })
    )

    let isChecked = false
    /** Once a store was found fit, it is not asked again. */
    const ready = Effect.suspend(() =>
      isChecked
        ? Effect.void
        : Effect.tap(Effect.andThen(isMigrated ? Effect.void : migrate, ledger.check), () =>
            Effect.sync(() => {
              isChecked = true
            })
          )
    )

    /** Runs what goes on when whoever waits for it does not, and is waited for at the end. */
    const detached = <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.flatMap(
        Effect.forkIn(
          Effect.ensuring(
            program,
            Effect.sync(() => underWay.delete(name))
          ),
          scope,
          { startImmediately: false }
        ),
        (fiber) => {
          // It may have ended before this goes on.
          if (fiber.pollUnsafe() === undefined) underWay.set(name, fiber)
          return Fiber.join(fiber)
        }
      )

    /** Makes the next step of a row, once in this process at a time. */
    const step = (row: ChangeRow): Effect.Effect<void, StoreError> =>
      Effect.suspend(() => {
        const known = underWay.get(row.key)
        if (known !== undefined) return Effect.asVoid(Fiber.await(known))
        // What begins now would be cut off, and the row would wait until its lease is over.
        if (isClosing) return Effect.void
        // One row must not stop the others.
        const program = Effect.catchDefect(next(row), (defect) =>
          Effect.fail(unavailable("The ledger failed at a change, and leaves it as it is.", defect))
        )
        return detached(row.key, program)
      })

    const insert = (key: string, change: SubmittedChange, query?: Query): Effect.Effect<ChangeRow, ChangeError> =>
      key.startsWith(orderPrefix)
        ? Effect.fail(invalid(`a key of the shop's does not begin with ${orderPrefix}`))
        : putDown(key, change, query)

    const putDown = (key: string, change: SubmittedChange, query?: Query): Effect.Effect<ChangeRow, ChangeError> =>
      Effect.gen(function* () {
        const asked = yield* checked(key, change)
        const inserted = yield* table.insert(asked, query)
        const row = Option.isSome(inserted) ? inserted : yield* table.find(key, query)
        if (Option.isNone(row)) {
          return yield* Effect.fail(unavailable("The change was put down, and is not to be found. Ask again."))
        }
        if (!isSame(row.value, asked)) {
          return yield* Effect.fail(
            new LedgerError({
              reason: {
                _tag: "KeyReused",
                key,
                message: `The key ${key} belongs to another change. Nothing was sent: take another key, or the same change.`
              }
            })
          )
        }
        return row.value
      })

    const isDue = ({ next_at, now }: ChangeRow): boolean => next_at !== null && next_at <= now

    /** Nothing that happens soon changes it. */
    const isSettled = (row: ChangeRow): boolean =>
      isDecided(row) || row.status === "person" || row.status === "accepted"

    /** Does what is due for a change, until it is settled or the time is over. */
    const settle = (row: ChangeRow, deadline: number): Effect.Effect<ChangeRow, StoreError> =>
      Effect.gen(function* () {
        let current = row
        for (;;) {
          if (isSettled(current)) {
            // A refund that is done still looks for its entry.
            if (isDue(current)) yield* Effect.forkIn(Effect.ignore(step(current)), scope)
            return current
          }
          if (isClosing) return current
          const left = deadline - (yield* Clock.currentTimeMillis)
          if (left <= 0) return current
          const wait = Math.max(1, Math.min(left, Duration.toMillis(pollEvery)))
          if (isDue(current)) {
            yield* Effect.ignore(Effect.timeoutOption(Effect.ignore(step(current)), left))
          } else {
            const due = current.next_at === null ? wait : current.next_at - current.now
            yield* Effect.sleep(Math.max(1, Math.min(wait, due)))
          }
          const found = yield* Effect.result(table.find(row.key))
          if (found._tag === "Success") {
            if (Option.isSome(found.success)) current = found.success.value
          } else if (deadline - (yield* Clock.currentTimeMillis) <= 0) return yield* Effect.fail(found.failure)
          else yield* Effect.sleep(Math.min(wait, 100))
        }
      })

    const orders = LedgerOrders.make<Tx>({
      ...options,
      ...settings,
      gateway,
      gatewayScope,
      acknowledged,
      scope,
      isClosing: () => isClosing,
      ready,
      detached: (name, program) =>
        isClosing ? Effect.fail(unavailable("The ledger is closing. Nothing was sent.")) : detached(name, program),
      tell,
      endHold: (key, paymentId, end) =>
        Effect.catchReasons(
          Effect.asVoid(putDown(key, end === "capture" ? { capture: paymentId } : { release: paymentId })),
          "LedgerError",
          { KeyReused: Effect.die, InvalidArgument: Effect.die }
        )
    })

    const places = Places.make(concurrency, scope)

    /** Begins what is due, as places become free. Gives what it has begun: 1 for each step that was made. */
    const beginDue = (until: number): Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError> =>
      Effect.gen(function* () {
        const begun: Array<Fiber.Fiber<number>> = []
        for (const row of yield* table.due(batch)) {
          if (underWay.has(row.key)) continue
          const mayBegin = Effect.map(Clock.currentTimeMillis, (now) => now < until && !isClosing)
          const made = Effect.catch(Effect.as(step(row), 1), (error) => Effect.as(logged(error), 0))
          if (!(yield* mayBegin)) break
          // The time may be over when there is a place.
          begun.push(yield* places.begin(Effect.flatMap(mayBegin, (may) => (may ? made : Effect.succeed(0)))))
        }
        return begun
      })

    const drain = Effect.suspend(() => {
      isClosing = true
      return Effect.ignore(
        Effect.timeoutOption(
          Effect.forEach([...underWay.values()], (fiber) => Fiber.await(fiber), { concurrency: "unbounded" }),
          drainTime
        )
      )
    })
    yield* Effect.addFinalizer(() => Effect.andThen(drain, Scope.close(scope, Exit.void)))

    const sweeping = (until: number) => Effect.map(orders.sweep(until), ({ begun }) => begun)

    /** Notifies operators of what the steps could not report. */
    const watching = Effect.forever(
      Effect.andThen(
        Effect.andThen(Effect.ignore(ready), reports.run),
        Effect.sleep(Duration.max(pollEvery, watchEvery))
      )
    )

    /** Begins what is due again and again. Neither what is slow nor what fails keeps the rest waiting. */
    const working = (
      begin: (until: number) => Effect.Effect<ReadonlyArray<unknown>, StoreError>
    ): Effect.Effect<never> =>
      Effect.forever(
        Effect.andThen(ready, begin(Infinity)).pipe(
          Effect.flatMap(({ length }) => (length < batch ? Effect.sleep(pollEvery) : Effect.void)),
          Effect.catch((error) => Effect.andThen(logged(error), Effect.sleep(pollEvery)))
        )
      )

    /** Puts a change down, and waits for what becomes of it. */
    const change = (
      key: string,
      submitted: SubmittedChange,
      { waitAtMost = "30 seconds" }: ChangeOptions = {}
    ): Effect.Effect<ChangeOutcome, ChangeError> =>
      Effect.gen(function* () {
        const time = Duration.fromInput(waitAtMost)
        if (Option.isNone(time)) return yield* Effect.fail(invalid("waitAtMost is no length of time"))
        yield* ready
        const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(time.value)
        return outcomeOf(yield* settle(yield* insert(key, submitted), deadline))
      })

    return {
      order: orders.order,
      orderStatus: orders.orderStatus,
      verifyReturn: orders.verifyReturn,
      notificationHandler: orders.notificationHandler,
      adopt: orders.adopt,
      migrate,
      refund: (key, paymentId, { amount }, options) => change(key, { refund: paymentId, amount }, options),
      capture: (key, paymentId, options) => change(key, { capture: paymentId }, options),
      capturePartial: (key, paymentId, { amount, items }, options) =>
        change(key, { capturePartial: paymentId, amount, items }, options),
      release: (key, paymentId, options) => change(key, { release: paymentId }, options),
      submit: (tx, key, submitted) => Effect.suspend(() => Effect.asVoid(insert(key, submitted, database.queryIn(tx)))),
      outcome: (key) =>
        Effect.map(Effect.andThen(ready, table.find(key)), (row) => Option.getOrUndefined(Option.map(row, outcomeOf))),
      change: (key) =>
        Effect.map(Effect.andThen(ready, table.find(key)), (row) => Option.getOrUndefined(Option.map(row, entryOf))),
      forget: ({ olderThan }) =>
        Effect.gen(function* () {
          const age = Duration.fromInput(olderThan)
          if (Option.isNone(age)) return yield* Effect.fail(invalid("olderThan is no length of time"))
          yield* ready
          const milliseconds = Math.round(Duration.toMillis(age.value))
          const payments = yield* orders.forget(milliseconds)
          const changes = yield* countEach(
            (afterSeq) => table.forgettable(milliseconds, afterSeq),
            (row) => {
              const {
                code,
                how = "answered",
                outcome = row.status === "done" ? "done" : "refused"
              } = row.decision ?? {}
              const decision = { outcome, how, message: "", ...(code === undefined ? undefined : { code }) }
              return Effect.map(
                table.move(row, { request: null, record: null, problem: null, decision }),
                Option.isSome
              )
            }
          )
          return payments + changes + (yield* acknowledged.erase(milliseconds))
        }),
      openChanges: Effect.map(Effect.andThen(ready, table.open), ({ rows }) => rows.map(entryOf)),
      attention: Effect.gen(function* () {
        yield* ready
        const changes = yield* table.attention
        const { unreadable } = yield* table.open
        const unlisted = unreadable.filter(({ seq }) => !changes.unreadable.some((other) => other.seq === seq))
        const items = [
          ...itemsOf(changes),
          ...itemsOf({ rows: [], unreadable: unlisted }),
          ...(yield* orders.attention)
        ]
        return items.map(({ item }) => item).toSorted((one, other) => (one.since < other.since ? -1 : 1))
      }),
      resolve: (key, resolution) =>
        Effect.gen(function* () {
          yield* ready
          const { as, by, note, version } = resolution
          if (by.trim() === "" || note.trim() === "") {
            return yield* Effect.fail(invalid("a decision needs the name of a person (by) and the evidence (note)"))
          }
          const found = yield* table.find(key)
          const refuse = (message: string) =>
            Effect.fail(new LedgerError({ reason: { _tag: "NotResolved", key, message } }))
          if (Option.isNone(found)) {
            return yield* key.startsWith(orderPrefix)
              ? orders.resolve(key, resolution)
              : refuse("There is no change with this key.")
          }
          const row = found.value
          if (row.version !== version) {
            return yield* refuse(`The change has moved since: it is at version ${row.version}. Look at it again.`)
          }
          if ((row.status === "locked" || row.status === "sending") && !isDue(row)) {
            return yield* refuse("A process is at this change. Look at it again in a minute.")
          }
          const isBinding = row.status === "done" && row.holds !== null
          const isContradicted = row.attention === "DecisionContradicted"
          if ((isDecided(row) && !isBinding && !isContradicted) || (row.status === "done" && as === "notDone")) {
            return yield* refuse("The change is decided.")
          }
          const moved = yield* table.move(row, {
            holds: null,
            attention: null,
            problem: null,
            tries: 0,
            // A refund that was sent is watched on.
            next_at:
              as === "notDone" && row.record !== null && row.operation === "refundPayment" ? { after: 60_000 } : null,
            ...(row.status === "done"
              ? undefined
              : {
                  status: as === "done" ? ("done" as const) : ("refused" as const),
                  decided_at: { after: 0 },
                  decision: {
                    outcome: as === "done" ? ("done" as const) : ("refused" as const),
                    how: "person" as const,
                    message: `Decided by ${by}: ${note}`
                  }
                })
          })
          if (Option.isNone(moved)) return yield* refuse("The change has moved since. Look at it again.")
          yield* table.wakeNext(moved.value)
          return outcomeOf(moved.value)
        }),
      runOnce: ({ budget = "20 seconds" } = {}) =>
        Effect.gen(function* () {
          yield* ready
          yield* reports.run
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(budget))
          const running = new Set<Fiber.Fiber<number>>()
          const joined = new WeakSet<Fiber.Fiber<unknown, unknown>>()
          let sum = 0
          let isLimited = false
          for (let hasMoved = true; ;) {
            if (hasMoved) {
              for (const begun of yield* beginDue(until)) running.add(begun)
              const swept = yield* orders.sweep(until)
              for (const begun of swept.begun) running.add(begun)
              isLimited = swept.isLimited
              hasMoved = false
            }
            if (running.size > 0) yield* Effect.raceAll(Array.from(running, (fiber) => Fiber.await(fiber)))
            for (const fiber of running) {
              const exit = fiber.pollUnsafe()
              if (exit === undefined) continue
              running.delete(fiber)
              const count = Exit.isSuccess(exit) ? exit.value : 0
              sum += count
              hasMoved ||= count > 0
            }
            if (hasMoved || running.size > 0) continue
            // Such as the search for the entry of a refund that was just made.
            const others = Array.from(underWay.values()).filter((fiber) => !joined.has(fiber))
            for (const fiber of others) joined.add(fiber)
            yield* Effect.forEach(others, (fiber) => Fiber.await(fiber), { concurrency: "unbounded" })
            hasMoved = others.length > 0
            if (hasMoved) continue
            const left = until - (yield* Clock.currentTimeMillis)
            if (!isLimited || left <= 0 || isClosing) return sum
            yield* Effect.sleep(Math.min(left, 500))
            hasMoved = true
          }
        }),
      work: Effect.andThen(
        Effect.all([working(beginDue), working(sweeping), watching], { concurrency: "unbounded", discard: true }),
        Effect.never
      ),
      acknowledgeRefund: (paymentId, refundId, { by, note }) =>
        Effect.gen(function* () {
          const id = yield* idOf("paymentId", paymentId)
          const entryId = yield* idOf("refundId", refundId)
          if (by.trim() === "" || note.trim() === "") {
            return yield* Effect.fail(invalid("an acknowledgement needs the operator's name (by) and a reason (note)"))
          }
          yield* ready
          const { refunds } = yield* Effect.mapError(gateway.listRefunds(id), (failure) => new GatewayError(failure))
          const entry = refunds.find((listed) => String(listed.id) === entryId)
          if (entry === undefined) {
            return yield* Effect.fail(invalid(`the gateway lists no refund ${entryId} of payment ${id}`))
          }
          const known = { paymentId: Number(id), refundId: Number(entryId), amount: entry.amount }
          yield* acknowledged.insert({ ...known, acknowledgedBy: by, note })
          yield* table.requeueStopped(id)
        }),
      listAcknowledgedRefunds: (paymentId) =>
        Effect.flatMap(idOf("paymentId", paymentId), (id) => Effect.andThen(ready, acknowledged.ofPayment(id))),
      distrust: ({ since }) =>
        Effect.gen(function* () {
          const time = new Date(since).getTime()
          if (Number.isNaN(time)) {
            return yield* Effect.fail(invalid("since is not a time: give a Date or an ISO 8601 text"))
          }
          yield* ledger.distrust(time)
          yield* table.wakeQueued
        }),
      listMerchants: Effect.map(Effect.andThen(ready, ledger.scopes), (scopes) =>
        scopes.map(({ scope: found, ...counts }) => {
          const [address = "", goid = ""] = found.split(" ")
          return { gateway: address, goid, isOwn: found === gatewayScope, ...counts }
        })
      ),
      getHealth: Effect.map(ledger.inspect, healthOf),
      pause: Effect.asVoid(Effect.andThen(ready, ledger.pause)),
      resume: Effect.asVoid(Effect.andThen(Effect.andThen(ready, ledger.resume), table.wakeQueued))
    }
  })

const healthOf = ({ blockage }: LedgerTable.Inspection): LedgerHealth =>
  blockage === undefined
    ? { isSending: true, message: "Changes are sent." }
    : {
        isSending: false,
        reason: blockage._tag,
        ...("since" in blockage ? { since: iso(blockage.since) } : undefined),
        message: LedgerTable.sentenceOf(blockage)
      }

const logged = (error: StoreError): Effect.Effect<void> => Effect.logWarning("The ledger waits", error)

const invalid = (message: string): LedgerError<InvalidArgument> =>
  new LedgerError({ reason: { _tag: "InvalidArgument", message: `Nothing was put down: ${message}.` } })

// ---------------------------------------------------------------------------------------------------------------------

const Key = Schema.String.check(
  Schema.isMinLength(1, { message: "must not be empty" }),
  Schema.isMaxLength(200, { message: "must have at most 200 characters" })
)

/** The operation, the payment and the rest of a change. */
const partsOf = (
  change: SubmittedChange
): { readonly operation: ChangeName; readonly paymentId: unknown; readonly request: unknown } => {
  if ("refund" in change) {
    const { refund: paymentId, ...request } = change
    return { operation: "refundPayment", paymentId, request }
  }
  if ("capturePartial" in change) {
    const { capturePartial: paymentId, ...request } = change
    return { operation: "captureAuthorizationPartial", paymentId, request }
  }
  if ("capture" in change) return { operation: "captureAuthorization", paymentId: change.capture, request: {} }
  return { operation: "voidAuthorization", paymentId: change.release, request: {} }
}

const decodeKey = Schema.decodeUnknownEffect(Key)
const decodeRefund = Schema.decodeUnknownEffect(GatewaySchema.RefundPaymentRequest)
const decodePartialCapture = Schema.decodeUnknownEffect(GatewaySchema.CaptureAuthorizationPartialRequest)
const decodeRequest = Schema.decodeUnknownEffect(ChangeRequest)

interface CheckedChange extends ChangeTable.NewChange {
  readonly spelledHash: string
}

/** Changes are compared as canonical values: neither the order of members nor the type of an id makes another one. */
const checked = (key: string, change: SubmittedChange): Effect.Effect<CheckedChange, LedgerError<InvalidArgument>> =>
  Effect.gen(function* () {
    const { operation, paymentId, request } = partsOf(change)
    yield* Effect.mapError(decodeKey(key), ({ issue }) => invalid(`key ${describeFields(invalidFields(issue))}`))
    if (key.includes("\0")) {
      return yield* Effect.fail(invalid("key contains the character NUL, which no database stores"))
    }
    const id = yield* idOf("paymentId", paymentId)
    if (operation === "refundPayment") yield* decodeRefund(request)
    if (operation === "captureAuthorizationPartial") yield* decodePartialCapture(request)
    const canonical = yield* decodeRequest(request)
    const hashFor = (id: string) => hashOf([1, operation, id, sorted(canonical)])
    const hash = yield* hashFor(id)
    const spelled = String(paymentId)
    // Earlier releases compared ids by their spelling.
    const spelledHash = spelled === id ? hash : yield* hashFor(spelled)
    return { key, paymentId: id, operation, request: canonical, hash, spelledHash }
  }).pipe(
    Effect.mapError((error) =>
      error._tag === "LedgerError" ? error : invalid(describeFields(invalidFields(error.issue)))
    )
  )

/** Whether a row is the change that is asked for. */
const isSame = (row: ChangeRow, asked: CheckedChange): boolean =>
  row.hash === asked.hash ||
  row.hash === asked.spelledHash ||
  (row.operation === asked.operation &&
    row.payment_id === asked.paymentId &&
    row.request !== null &&
    JSON.stringify(sorted(row.request)) === JSON.stringify(sorted(asked.request)))

/** An id as it stands in rows: two spellings are one payment. */
const idOf = (name: string, value: unknown): Effect.Effect<string, LedgerError<InvalidArgument>> => {
  const id = canonicalId(value)
  return id === undefined ? Effect.fail(invalid(`${name} ${notAnId}`)) : Effect.succeed(String(id))
}

/** Members in the order of their names; those without a value are left out. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)])
  )
}

const hashOf = (value: unknown): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)))),
    (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

// ---------------------------------------------------------------------------------------------------------------------

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The outcome that a row tells. */
const outcomeOf = ({
  created_at,
  decided_at,
  decision,
  entry,
  key,
  payment_id,
  problem,
  status,
  version
}: ChangeRow): ChangeOutcome => {
  const details = { key, paymentId: Number(payment_id) }
  const decidedAt = iso(decided_at ?? created_at)
  const message = decision?.message ?? problem
  switch (status) {
    case "done":
      return {
        _tag: "Done",
        ...details,
        message: message ?? "It is done.",
        how: decision?.how ?? "answered",
        ...(entry === null ? undefined : { refundId: Number(entry) }),
        decidedAt
      }
    case "refused": {
      const how = decision?.how === "stateReached" ? "found" : (decision?.how ?? "answered")
      const { code } = decision ?? {}
      return {
        _tag: "Refused",
        ...details,
        message: message ?? "It is refused.",
        how,
        ...(code === undefined ? undefined : { code }),
        decidedAt
      }
    }
    case "queued":
      return { _tag: "Pending", ...details, status, message: message ?? "It waits for its turn." }
    case "locked":
    case "sending":
      return { _tag: "Pending", ...details, status: "sending", message: "A process is at it." }
    case "accepted":
      return { _tag: "Pending", ...details, status, message: message ?? "The gateway has accepted it." }
    case "unknown":
    case "person":
      return {
        _tag: "InDoubt",
        ...details,
        message: message ?? "It was sent, and whether the gateway took it is not known.",
        needsPerson: status === "person",
        version
      }
  }
}

const entryOf = (row: ChangeRow): ChangeEntry => {
  const { attention, decided_at, decision, key, next_at, operation, payment_id, problem, request, sent_at } = row
  return {
    key,
    paymentId: Number(payment_id),
    operation,
    ...(request?.amount === undefined ? undefined : { amount: request.amount }),
    status: row.status === "locked" ? "sending" : row.status,
    ...(attention === null ? undefined : { attention }),
    message: decision?.message ?? problem ?? "",
    version: row.version,
    since: iso(row.created_at),
    ...(sent_at === null ? undefined : { sentAt: iso(sent_at) }),
    ...(decided_at === null ? undefined : { decidedAt: iso(decided_at) }),
    ...(next_at === null ? undefined : { nextAt: iso(next_at) })
  }
}

/** The items of rows, with the rows' numbers. */
const itemsOf = ({ rows, unreadable }: Rows<ChangeRow>) => [
  ...rows.flatMap((row) => (row.attention === null ? [] : [{ item: itemOf(row, row.attention), seq: row.seq }])),
  ...unreadable.map((row) => ({ item: unreadableItemOf(row), seq: row.seq }))
]

const unreadableItemOf = (row: UnreadableRow): AttentionItem => ({
  kind: "UnreadableRow",
  key: String(row.raw["key"]),
  paymentId: Number(row.raw["payment_id"]),
  operation: String(row.raw["operation"]),
  message: unreadableMessage(row),
  version: Number(row.raw["version"]),
  since: iso(Number(row.raw["created_at"]) || 0)
})

const itemOf = (
  { created_at, key, operation, payment_id, problem, request, sent_at, version }: ChangeRow,
  kind: AttentionKind
): AttentionItem => ({
  kind,
  key,
  paymentId: Number(payment_id),
  operation,
  ...(request?.amount === undefined ? undefined : { amount: request.amount }),
  message: problem ?? kind,
  version,
  since: iso(created_at),
  ...(sent_at === null ? undefined : { sentAt: iso(sent_at) })
})
