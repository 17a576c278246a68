/**
 * The ledger, broken on purpose: each of these must be noticed by a simulation.
 */
import { onDaysOf, type Sabotage, sabotage } from "./Sabotages.js"

const steps = "ledger/change/Steps.ts"
const judgement = "ledger/change/ChangeJudgement.ts"
const balance = "ledger/change/Balance.ts"
const changes = "ledger/store/ChangeTable.ts"
const payments = "ledger/store/PaymentTable.ts"
const ledgerTable = "ledger/store/LedgerTable.ts"
const dialect = "ledger/store/Migrations.ts"
const newChanges = "ledger/change/Changes.ts"
const ledgerArguments = "ledger/model/LedgerArguments.ts"
const orders = "ledger/order/Orders.ts"
const paymentDecision = "ledger/order/PaymentDecision.ts"
const paymentMoves = "ledger/order/PaymentMoves.ts"
const progress = "ledger/order/PaymentProgress.ts"
const notifications = "ledger/order/OrderService.ts"
const transaction = "ledger/store/Database.ts"
const handlerTransaction = "ledger/store/HandlerTransaction.ts"
const events = "ledger/store/EventTable.ts"
const entries = "client/payment/RefundEntries.ts"

const noPreSendCheck = {
  file: steps,
  search: `const leaseTimeLeft = Effect.map(changes.maySend(row, attempt), (check) => {`,
  replace: `const leaseTimeLeft = Effect.map(Effect.succeed({ time: Infinity, hasFailed: false }), (check) => {`
}

export const ledgerSabotages: ReadonlyArray<Sabotage> = onDaysOf("ledger", [
  // ---- The mark, the lock, the pre-send check
  {
    name: "send a change without a mark",
    mood: "ledger",
    changes: [
      noPreSendCheck,
      {
        file: steps,
        search: `return { marked: yield* changes.mark(row.key, attempt, prepared.mark, leaseTime) }`,
        replace: `return { marked: Option.some(locked) }`
      }
    ]
  },
  { name: "do not check once more before a change is sent", mood: "ledger", changes: [noPreSendCheck] },
  sabotage(
    "do not compare the lease where a request is handed over",
    "client/transport/Handover.ts",
    `else if (mayHandOver?.() === false) this.stopped = heldBack`,
    ``
  ),
  sabotage(
    "do not check once more before a payment is created",
    orders,
    `Effect.tap(payments.maySend(attempt), `,
    `Effect.tap(Effect.succeed(Infinity), `
  ),
  sabotage(
    "record a change outside of the shop's transaction",
    newChanges,
    `Effect.asVoid(insert(key, submitted, database.queryIn(tx)))`,
    `Effect.asVoid(insert(key, submitted, tx === undefined ? undefined : undefined))`
  ),
  {
    name: "let two changes hold a payment",
    mood: "ledger",
    changes: [
      { file: dialect, search: `"100 1", "holds IS NOT NULL", "UNIQUE "`, replace: `"100 1", "holds IS NOT NULL"` },
      { file: changes, search: `other.holds IS NOT NULL OR (`, replace: `(` }
    ]
  },
  sabotage(
    "let a younger change of a payment go first",
    changes,
    ` OR (other.status = 'queued' AND other.seq < gopay_change.seq)`,
    ``
  ),
  sabotage(
    "move a change whatever its version",
    changes,
    "sql: `version = ? AND ${condition}`",
    "sql: `version > 0 * ? AND ${condition}`"
  ),
  sabotage(
    "put a change whose process ended back into the queue",
    steps,
    `parts.changes.move(row, { status: "unknown", tries: 0, next_at: now })`,
    `parts.changes.move(row, { status: "queued", attempt: null, holds: null, next_at: now })`
  ),

  // ---- What the gateway says of a change
  sabotage(
    "take a broken connection for a change that was not sent",
    judgement,
    `        : { patch: unknown(message) }
    case "UnexpectedResponse":`,
    `        : notSent
    case "UnexpectedResponse":`
  ),
  sabotage(
    "take a lost response for a refusal",
    judgement,
    `        : { patch: unknown(message) }
    case "UnexpectedResponse":`,
    `        : { patch: refused("answered", message) }
    case "UnexpectedResponse":`
  ),
  sabotage(
    "take what is accepted for done",
    judgement,
    `if (result !== "FINISHED") return`,
    `if (result === "") return`
  ),
  sabotage(
    "take a refund that is listed for done",
    judgement,
    `switch (entry?.state) {`,
    `switch (entry?.state === "REQUESTED" ? "SUCCESS" : entry?.state) {`
  ),
  sabotage(
    "let go of a payment before its refund is listed",
    judgement,
    `if (operation !== "refundPayment") return decided`,
    `if (operation !== undefined) return decided`
  ),
  sabotage(
    "send a refund whatever the list shows",
    steps,
    `const { missing, unknown } = balanceOf(row, refundsBefore, own)`,
    `const { missing, unknown } = { missing: [], unknown: [] } as ReturnType<typeof balanceOf>`
  ),
  sabotage(
    "send a refund past one that is no one's",
    balance,
    `return isOwned || requested === undefined || oldBefore === undefined || requested >= oldBefore`,
    `return requested === undefined && isOwned && oldBefore === undefined`
  ),
  sabotage(
    "recognise a lost refund by its amount alone",
    judgement,
    `(noOtherRefunders || (isOfSend(row, entry)`,
    `(true || (isOfSend(row, entry)`
  ),
  sabotage(
    "make refunds at once after a backup was restored",
    ledgerTable,
    `refunds_from = \${now} + \${listTime},`,
    ``
  ),
  sabotage(
    "tell payments apart by the spelling of their ids",
    ledgerArguments,
    `Effect.fail(invalidArgument(\`\${name} \${notAnId}\`)) : Effect.succeed(String(id))`,
    `Effect.fail(invalidArgument(\`\${name} \${notAnId}\`)) : Effect.succeed(String(value))`
  ),
  sabotage(
    "send a refund past a list that does not show all",
    steps,
    `if (missing.length > 0) return`,
    `if (missing.length > 99) return`
  ),
  sabotage(
    "never ask an operator",
    judgement,
    `return isInDoubt && !isConfirmed`,
    `return row.status === "needsOperator" && !isConfirmed`
  ),

  sabotage(
    "let a row that cannot be read stop the others",
    "ledger/store/Rows.ts",
    `const wrong = columns.filter(`,
    `if (raw["seq"] !== undefined) throw new Error("unreadable")
      const wrong = columns.filter(`
  ),

  // ---- Orders
  sabotage(
    "take a lost payment for created",
    orders,
    `    yield* insist(PaymentMoves.giveUp(parts, row))
    return { _tag: failed }`,
    `    return { _tag: "Created", created: Option.getOrUndefined(yield* insist(payments.createdBy(row, 4, {}))) }`
  ),
  sabotage(
    "create a lost payment with a stored card again",
    paymentDecision,
    `row.needs_payer === 0`,
    `row.needs_payer === 9`
  ),
  {
    name: "replace a payment that is paid",
    mood: "ledger",
    changes: [
      {
        file: orders,
        search: `return progress === "refunded" || (`,
        replace: `return progress === "refunded" || progress === "paid" || (`
      },
      {
        file: orders,
        search: `row.offered === null && row.status !== "inDoubt" && !hasMoney(row)`,
        replace: `row.offered === null`
      }
    ]
  },
  sabotage(
    "do not recognise a lost payment",
    orders,
    `attempt === undefined ? Option.none() : yield* payments.byAttempt(attempt)`,
    `attempt === undefined || attempt !== "" ? Option.none() : yield* payments.byAttempt(attempt)`
  ),
  sabotage(
    "notify the shop outside of the transaction",
    handlerTransaction,
    `return database.hasTransactions === false
          ?`,
    `return database.hasTransactions !== false
          ? Effect.andThen(database.transaction((other) => report(other)), moved) as never
          : database.hasTransactions === false
          ?`
  ),
  sabotage(
    "take a COMMIT that is answered with ROLLBACK for a commit",
    transaction,
    `if (isPostgres) yield* queryIn("SELECT 1", [])`,
    ``
  ),
  sabotage(
    "give a connection back before its handler has ended",
    transaction,
    `fiber.pollUnsafe() === undefined; waited`,
    `fiber.pollUnsafe() === undefined && waited < 0; waited`
  ),
  sabotage(
    "move a payment whatever its version",
    payments,
    `sql: "seq = ? AND version = ?",`,
    `sql: "seq = ? AND version > 0 * ?",`
  ),
  sabotage(
    "let a payment go back",
    progress,
    `return next.rank >= rank
`,
    `return next.rank >= 0
`
  ),
  sabotage(
    "capture a hold that is to be released, and release one that is to be captured",
    paymentMoves,
    `const { end } = row.hold`,
    `const end = row.hold.end === "capture" ? "release" : "capture"`
  ),
  sabotage(
    "end a hold before its time",
    paymentMoves,
    `row.hold_until <= row.now)`,
    `row.hold_until <= row.now + 3_600_000)`
  ),
  sabotage(
    "report all of a hold as captured when a part was",
    paymentDecision,
    `(capture.amount ?? row.terms.amount)`,
    `row.terms.amount`
  ),
  sabotage(
    "answer 200 when the shop could not be notified",
    notifications,
    `Effect.fail(failure._tag === "HandlerFailure" ? failure.cause : failure)`,
    `Effect.succeed(failure)`
  ),

  // ---- What is reported, and what is believed
  sabotage(
    "report an outcome, and leave it to be reported",
    events,
    "`DELETE FROM gopay_event WHERE seq = ? AND ${isBrief(query)} RETURNING seq`",
    "`UPDATE gopay_event SET tries = tries WHERE seq = ? AND ${isBrief(query)} RETURNING seq`"
  ),
  sabotage(
    "report only the first outcome of a change",
    dialect,
    `AND NEW.status <> OLD.status AND NEW.version <> OLD.version`,
    `AND NEW.status <> OLD.status AND NEW.version <> OLD.version
    AND NOT EXISTS (SELECT 1 FROM gopay_history reported WHERE reported.subject = 'change' AND reported.subject_seq = NEW.seq
      AND reported.version < NEW.version AND reported.status IN ('unknown', 'accepted', 'needsOperator'))`
  ),
  sabotage(
    "believe a refusal at once",
    judgement,
    `next_at: now } : refusing(message, reason.code)`,
    `next_at: now } : refused("answered", message, reason.code)`
  ),
  sabotage(
    "believe that a request was wrong, and so was not taken",
    judgement,
    `patch: wasAllowed ? refusing(message) : refused("answered", message) }`,
    `patch: refused("answered", message) }`
  ),
  sabotage(
    "believe that a hold is captured or released already, and do not read it",
    judgement,
    `reason.goalReached ? { ...unknown(message), next_at: now }`,
    `reason.goalReached ? done("stateReached", message)`
  ),
  {
    name: "count an entry as often as it is listed",
    mood: "ledger",
    changes: [
      {
        file: entries,
        search: `if (!entries.has(key)) entries.set(key, entry)`,
        replace: `entries.set(key + entries.size, entry)`
      },
      {
        file: entries,
        search: `  return new Set(entries.map(({ id }) => id)).size < entries.length`,
        replace: `  return new Set(entries.map(({ id }) => id)).size > entries.length`
      }
    ]
  },
  sabotage(
    "take back what a list that is behind does not show",
    paymentDecision,
    `if (returned === undefined || !(isConfirmed || (isExplained && isForward))) return`,
    `if (returned === undefined) return`
  )
])
