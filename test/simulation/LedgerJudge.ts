/**
 * Judges a ledger by key, from the gateway's books and from what the database has committed.
 */
import * as Predicate from "effect/Predicate"
import type { AttentionItem, ChangeOutcome, Order, SqlRow } from "../../src/ledger/index.js"
import type { SeedContent } from "../../src/local-gateway/index.js"
import type { Judge } from "./Invariants.js"
import type { Observation } from "./Observation.js"
import type { Plan, Sale } from "./Plan.js"
import type { SimulatedDatabase } from "./SimulatedDatabase.js"
import { epoch, type Process, type Simulator } from "./Simulator.js"

/** In milliseconds: how long the answer to the pre-send check may be on its way. */
const slack = 5_000

/** In milliseconds: how long ago an order may have been read that is replaced now. */
const callTime = 60_000

/** In milliseconds: how far from its send a refund may be dated to be taken for it, with the way to the gateway. */
const sendWindow = 130_000

/** No refund of the shop's is of this amount. */
export const byHandAmount = 777

/** How far a payment has got; it never returns from a status with money to one without. */
const ranks: { readonly [status: string]: number } = {
  closed: 0,
  authorized: 0,
  paid: 1,
  partiallyRefunded: 2,
  refunded: 3
}

/** The status that the shop gets for a state. */
const statuses: { readonly [state: string]: string } = {
  AUTHORIZED: "authorized",
  CANCELED: "closed",
  TIMEOUTED: "closed",
  PAID: "paid",
  PARTIALLY_REFUNDED: "partiallyRefunded",
  REFUNDED: "refunded"
}

const money: ReadonlySet<string> = new Set(["AUTHORIZED", "PAID", "PARTIALLY_REFUNDED"])

/** A refund in the gateway's list. */
interface Listed {
  readonly id: number
  readonly amount: number
  readonly state: string
}

const isListed = (refund: unknown): refund is Listed =>
  Predicate.hasProperty(refund, "amount") && Predicate.hasProperty(refund, "state")

interface Reported {
  readonly at: number
  readonly status: string
  readonly orderNumber: string
}

/** Judges a ledger. */
export class LedgerJudge {
  /** The keys that were acknowledged. */
  readonly accepted = new Set<string>()
  readonly rolledBack = new Set<string>()
  readonly decidedByOperator = new Set<string>()
  /** What operators were asked about: the kind and the key, and what was said. */
  readonly asked = new Map<string, string>()
  /** The first sale of each requested order. */
  readonly sales: ReadonlyArray<Sale>
  private readonly simulator: Simulator
  private readonly observation: Observation
  private readonly plan: Plan
  private readonly database: SimulatedDatabase
  private readonly judge: Judge
  private readonly books: () => SeedContent
  private readonly definite = new Map<string, string>()
  private readonly creations = new Map<string, Array<string>>()
  /** The last committed report of each payment. */
  private readonly reported = new Map<number, Reported>()
  /** The refunds of a payment, as a process has seen them last. */
  private readonly lists = new Map<string, ReadonlyArray<Listed>>()
  /** The refunds that were made past the ledger, and when. */
  private readonly byHand = new Map<number, number>()
  /** The charges that were made past the ledger. */
  private readonly chargesByHand = new Set<number>()
  /** When each key was handed over last. */
  private readonly sentAt = new Map<string, number>()
  /** The refunds that the gateway never took, and that are done by one which was made by hand. */
  private readonly mistaken = new Set<string>()
  /** The charges whose payment the ledger does not know in the end: the gateway lists none, no notification named one. */
  private readonly unseenCharges = new Set<string>()
  private readonly lease: number
  private isRestored = false

  constructor(
    simulator: Simulator,
    observation: Observation,
    plan: Plan,
    database: SimulatedDatabase,
    judge: Judge,
    books: () => SeedContent
  ) {
    this.simulator = simulator
    this.observation = observation
    this.plan = plan
    this.database = database
    this.judge = judge
    this.books = books
    this.lease = plan.ledger?.lease ?? 0
    this.sales = plan.events.flatMap((event) =>
      event.kind === "sale" && event.name.endsWith(" 0") ? [event.sale] : []
    )
    database.look(
      "CREATE TABLE reported (event_id TEXT, payment_id INTEGER, order_number TEXT, status TEXT, captured, refunded INTEGER, state TEXT)"
    )
    database.look("CREATE TABLE shop_order (number TEXT PRIMARY KEY, status TEXT)")
    for (const number of new Set([...this.sales.map(({ orderNumber }) => orderNumber), ...chargedOrders(plan)])) {
      database.look("INSERT INTO shop_order VALUES (?, 'new')", number)
    }
    database.look("CREATE TABLE reported_change (event_id TEXT, key TEXT, outcome TEXT)")
    database.onCommit = (statements) => {
      for (const { values } of statements) {
        judge.said("the database", values.filter((value) => typeof value === "string").join(" "))
      }
      if (statements.some(({ sql }) => sql.startsWith("INSERT INTO reported ("))) this.checkReported()
    }
  }

  /** The key of a refund that the shop's handler submits. */
  thanks(paymentId: number): string {
    return `thanks-${paymentId}`
  }

  /** Whether the shop's handler submits a refund with the news that an order is paid. */
  isThanked(orderNumber: string): boolean {
    return this.simulator.chance(`thanks ${orderNumber}`).percent(20)
  }

  /** The key of the charge that an attempt is made for. */
  keyOfCharge(attempt: string): string {
    const [row] = this.database.look("SELECT key FROM gopay_change WHERE attempt = ?", attempt)
    return typeof row?.["key"] === "string" ? row["key"] : `charge of ${attempt}`
  }

  /** A name for an attempt to create a payment. */
  nameOfCreation(orderNumber: string, attempt: string): string {
    const attempts = this.creations.get(orderNumber) ?? []
    if (!attempts.includes(attempt)) attempts.push(attempt)
    this.creations.set(orderNumber, attempts)
    return `create ${orderNumber} ${attempts.indexOf(attempt) + 1}`
  }

  // ------------------------------------------------------------------------------------------------------------------
  // At the socket
  // ------------------------------------------------------------------------------------------------------------------

  /** A refund was made past the ledger. */
  refundedByHand(id: number): void {
    this.byHand.set(id, this.simulator.now)
  }

  /** A charge was made past the ledger. */
  chargedByHand(id: number): void {
    this.chargesByHand.add(id)
  }

  /** A process has seen a list of refunds. */
  listed(process: Process, paymentId: string, body: string): void {
    const list: unknown = JSON.parse(body)
    if (Array.isArray(list)) this.lists.set(`${process.name} ${paymentId}`, list.filter(isListed))
  }

  /** A request of a change is handed over. */
  sends(process: Process, name: string, operation: string, paymentId: string): void {
    const now = epoch + this.simulator.now
    if (operation === "createPayment") return this.creates(name, now)
    this.sentAt.set(name, this.simulator.now)
    const [row] = this.database.look("SELECT * FROM gopay_change WHERE key = ?", name)
    const status = row?.["status"]
    if (row === undefined || status === "queued" || status === "locked") {
      return this.judge.violate("marked", `${name} is sent, and is ${JSON.stringify(status)} in the database`)
    }
    const until = Number(row["sent_at"]) + this.lease
    if (now > until + slack) {
      this.judge.violate("lease", `${name} is sent ${now - until} ms after its lease`)
    }
    this.checkHoldEnd(name, operation, Number(paymentId))
    // A charge is a payment of its own: it waits for no other change, and none waits for it.
    if (operation === "createRecurrence") return this.charges(name, paymentId, row)
    const [other] = this.database.look(
      `SELECT key, status FROM gopay_change WHERE payment_id = ? AND key <> ? AND operation <> 'createRecurrence' AND (
         status IN ('sending', 'unknown', 'accepted') OR (status = 'needsOperator' AND sent_at IS NOT NULL))`,
      paymentId,
      name
    )
    if (other !== undefined) {
      this.judge.violate("oneUndecided", `${name} is sent while ${String(other["key"])} is ${String(other["status"])}`)
    }
    const [older] = this.database.look(
      "SELECT key FROM gopay_change WHERE payment_id = ? AND seq < ? AND status = 'queued' AND operation <> 'createRecurrence'",
      paymentId,
      Number(row["seq"])
    )
    if (older !== undefined) this.judge.violate("inOrder", `${name} is sent before ${String(older["key"])}`)
    if (operation === "refundPayment") this.checkList(process, name, paymentId)
  }

  /** What the ledger sends by itself to end a hold is what was asked for, and is not sent before its time. */
  private checkHoldEnd(name: string, operation: string, paymentId: number): void {
    const hold = this.holdOf(paymentId)
    if (hold === undefined || !name.startsWith("order:")) return
    if (operation !== (hold.end === "capture" ? "captureAuthorization" : "voidAuthorization")) {
      this.judge.violate("held", `${name} is sent as ${operation}, and ${hold.end} was asked for`)
    }
    const heldFor = this.simulator.now - this.observation.firstTimeOf(paymentId, "AUTHORIZED")
    if (heldFor < hold.atMost) this.judge.violate("held", `${name} is sent after ${heldFor} of ${hold.atMost} ms`)
  }

  /** Whether the gateway has refused to end a hold, or has accepted a change of it that it has not made. */
  private isLeftHeld(paymentId: number): boolean {
    const left = "status = 'accepted' OR (status = 'refused' AND key LIKE 'order:%')"
    return (
      this.database.look(`SELECT 1 FROM gopay_change WHERE payment_id = ? AND (${left})`, String(paymentId)).length > 0
    )
  }

  /** How the hold of a payment ends that the shop has sold. */
  private holdOf(paymentId: number): Sale["hold"] {
    const orderNumber = this.orderOf(paymentId)
    return this.sales.find((sale) => sale.orderNumber === orderNumber)?.hold
  }

  /** Before a refund is sent, the list that was seen has all that are done, and nothing that no one has acknowledged. */
  private checkList(process: Process, name: string, paymentId: string): void {
    const list = this.lists.get(`${process.name} ${paymentId}`) ?? []
    const acknowledged = this.database.look(
      "SELECT refund_id FROM gopay_refund WHERE payment_id = ? AND change_seq IS NULL",
      paymentId
    )
    const isStrange = ({ id }: Listed): boolean => this.byHand.has(id) && !this.isMistaken(id)
    const byHand = list.find(
      (entry) =>
        isStrange(entry) &&
        entry.state === "SUCCESS" &&
        !acknowledged.some((row) => row["refund_id"] === String(entry.id))
    )
    if (byHand !== undefined) this.judge.violate("byHand", `${name} is sent past refund ${byHand.id}`)
    const [row] = this.database.look(
      `SELECT COUNT(*) AS done FROM gopay_change WHERE payment_id = ? AND operation = 'refundPayment'
         AND status = 'done' AND (decision LIKE '%"answered"%' OR decision LIKE '%"found"%')`,
      paymentId
    )
    const listed = list.filter((entry) => !isStrange(entry) && entry.state !== "FAILED").length
    if (listed < Number(row?.["done"])) {
      this.judge.violate("listed", `${name} is sent, ${listed} refunds are listed, and more are done`)
    }
  }

  /** No charge is sent beside one of its order number that was known before, and that no change has made. */
  private charges(name: string, firstPaymentId: string, { request, seq }: SqlRow): void {
    const { order_number: orderNumber } = Object(JSON.parse(String(request)))
    const [known] = this.database.look(
      `SELECT payment_id, state FROM gopay_payment WHERE parent_id = ? AND order_number = ? AND created_at < ?
         AND COALESCE(state, '') NOT IN ('CANCELED', 'TIMEOUTED') AND payment_id NOT IN (
           SELECT entry FROM gopay_change WHERE entry IS NOT NULL AND seq <> ?)`,
      firstPaymentId,
      orderNumber,
      epoch + this.simulator.now - slack,
      Number(seq)
    )
    if (known !== undefined) {
      this.judge.violate("chargedOnce", `${name} is sent beside charge ${String(known["payment_id"])}`)
    }
  }

  private creates(name: string, now: number): void {
    const [, orderNumber = "", count = ""] = /^create (.*) (\d+)$/.exec(name) ?? []
    const attempt = this.creations.get(orderNumber)?.[Number(count) - 1] ?? ""
    const [row] = this.database.look("SELECT * FROM gopay_payment WHERE attempt = ?", attempt)
    if (row === undefined) return this.judge.violate("marked", `${name} is sent, and is nowhere in the database`)
    const put = Number(row["created_at"])
    if (now > put + this.lease + slack) {
      this.judge.violate("lease", `${name} is sent ${now - put} ms after it was recorded`)
    }
    const isUndisturbed =
      this.plan.trouble === 0 &&
      this.plan.ledger?.isStale === false &&
      !this.plan.events.some(({ kind }) => kind === "outage")
    for (const { id = 0, order_number, state } of isUndisturbed ? (this.books().payments ?? []) : []) {
      const isPaid = order_number === orderNumber && money.has(state)
      const paidAt = this.observation.lastChangeOf(id)?.at ?? Infinity
      const isKnown = this.database.look("SELECT 1 FROM gopay_payment WHERE payment_id = ?", String(id)).length > 0
      if (isPaid && isKnown && paidAt < put - epoch - callTime) {
        this.judge.violate("staysPaid", `${name} is sent, and payment ${id} of the order is ${state}`)
      }
    }
    for (const [id, { at, orderNumber: other, status }] of this.reported) {
      if (other === orderNumber && at < put - epoch && (ranks[status] ?? 0) > 0 && status !== "refunded") {
        this.judge.violate("staysPaid", `${name} is sent, and payment ${id} of the order is ${status}`)
      }
    }
  }

  /** The database has forgotten what was committed lately. */
  restored(): void {
    this.isRestored = true
    this.definite.clear()
    this.observation.forgetDenials()
    for (const key of this.accepted) {
      if (this.database.look("SELECT 1 FROM gopay_change WHERE key = ?", key).length === 0) this.accepted.delete(key)
    }
  }

  /** The ledger asks for an operator. */
  asks({ key, kind, message, paymentId }: AttentionItem): void {
    this.asked.set(`${kind} ${key}`, message)
    if (kind !== "StrangeRefund") return
    const isByHand = this.plan.events.some((event) => event.kind === "byHand" && event.id === paymentId)
    const keys = this.database.look("SELECT key FROM gopay_change WHERE payment_id = ?", String(paymentId))
    if (!isByHand && !this.isRestored && !keys.some((row) => this.decidedByOperator.has(String(row["key"])))) {
      this.judge.violate("strange", `${key}: ${message}`)
    }
  }

  // ------------------------------------------------------------------------------------------------------------------
  // Answers
  // ------------------------------------------------------------------------------------------------------------------

  /** The ledger has returned an outcome of a change: a definite one may be changed by an operator only. */
  answered(key: string, outcome: ChangeOutcome): void {
    if (outcome._tag !== "Done" && outcome._tag !== "Refused") return
    const { judge } = this
    const before = this.definite.get(key)
    const isOperators = outcome.how === "operator" || this.decidedByOperator.has(key)
    if (before !== undefined && before !== outcome._tag && !isOperators) {
      judge.violate("same", `${key} was ${before}, and is ${outcome._tag}`)
    }
    this.definite.set(key, outcome._tag)
    if (isOperators) return
    if (outcome._tag === "Done" && outcome.how === "stateReached") {
      const payment = this.paymentOf(outcome.paymentId)
      if (payment?.state === "AUTHORIZED") judge.violate("definite", `${key} is Done (stateReached), and it is held`)
    }
    const truth = this.observation.truthOf(key)
    if (
      outcome._tag === "Done" &&
      truth.taken === 0 &&
      outcome.how !== "stateReached" &&
      !this.isMistakable(key, outcome.refundId)
    ) {
      judge.violate("definite", `${key} is Done (${outcome.how}), and the gateway never took it`)
    }
    if (outcome._tag === "Refused") {
      if (truth.taken > 0 && !truth.isAccepted) {
        judge.violate("definite", `${key} is Refused (${outcome.how}), and the gateway took it`)
      }
      if (truth.taken === 0) truth.isDenied = true
    }
  }

  /** Whether a refund was made by hand so close in time to one of the shop's that they cannot be distinguished. */
  private isMistakable(key: string, refundId: number | undefined): boolean {
    const madeAt = this.byHand.get(refundId ?? -1)
    return madeAt !== undefined && Math.abs(madeAt - (this.sentAt.get(key) ?? -Infinity)) <= sendWindow
  }

  /** Whether a refund that was made by hand is mistaken for one of the shop's, because they cannot be distinguished. */
  private isMistaken(id: number): boolean {
    const [row] = this.database.look("SELECT key FROM gopay_change WHERE entry = ?", String(id))
    return row !== undefined && this.isMistakable(String(row["key"]), id)
  }

  /** The ledger returns the status of an order. */
  stands(order: Order, since: number): void {
    const present = order.status === "changed" ? order.present : order
    const paid = [...this.reported].find(
      ([, { at, orderNumber, status }]) =>
        orderNumber === order.orderNumber && at < since && (status === "paid" || status === "partiallyRefunded")
    )
    if (paid !== undefined && !["paid", "partiallyRefunded", "refunded"].includes(present.status)) {
      // Money of another payment of the order may have been returned meanwhile.
      const state = this.paymentOf(paid[0])?.state ?? ""
      if (money.has(state)) this.judge.violate("staysPaid", `order ${order.orderNumber} is ${present.status}`)
    }
    if (present.status === "open") {
      const payment = this.paymentOf(present.paymentId)
      if (payment?.order_number !== order.orderNumber) {
        this.judge.violate("address", `the address of ${order.orderNumber} is that of payment ${present.paymentId}`)
      }
      const [row] = this.database.look("SELECT gw_url FROM gopay_payment WHERE payment_id = ?", `${present.paymentId}`)
      if (row === undefined) this.judge.violate("address", `the address of ${order.orderNumber} is not in the database`)
    }
  }

  /** Checks what has just been reported and committed. */
  private checkReported(): void {
    const rows = this.database.look("SELECT * FROM reported ORDER BY rowid")
    const last = rows.at(-1) ?? {}
    const id = Number(last["payment_id"])
    const before = rows.filter((row) => Number(row["payment_id"]) === id).at(-2)
    const what = `payment ${id} is ${String(last["status"])}`
    if (rows.filter((row) => row["event_id"] === last["event_id"]).length > 1) {
      this.judge.violate("reportedOnce", `the shop was told twice that ${what}`)
    }
    if (before !== undefined) {
      if (["status", "captured", "refunded"].every((column) => before[column] === last[column])) {
        this.judge.violate("reportedOnce", `the shop was told again that ${what}`)
      }
      const failed = this.paymentOf(id)?.refunds?.some(({ state }) => state === "FAILED") === true
      if (Number(last["refunded"]) < Number(before["refunded"]) && !failed) {
        this.judge.violate(
          "reportedTrue",
          `the shop was told that ${what} and less is returned than was, and no refund has failed`
        )
      }
      if (rankOf(before) > rankOf(last) && !failed) {
        this.judge.violate(
          "staysPaid",
          `the shop was told that ${what}, and before that it is ${String(before["status"])}`
        )
      }
    }
    if (!this.observation.statesSince(id, -1).has(String(last["state"]))) {
      this.judge.violate("reportedTrue", `the shop was told that ${what}, and it never was`)
    }
    this.checkCaptured(id, last)
    this.checkWritten(String(last["order_number"]))
    this.reported.set(id, {
      at: this.simulator.now,
      status: String(last["status"]),
      orderNumber: String(last["order_number"])
    })
  }

  /** The amount that is told as captured is the gateway's, and it is known once the ledger's own capture was taken. */
  private checkCaptured(id: number, { captured, status }: SqlRow): void {
    if ((ranks[String(status)] ?? 0) === 0) return
    const { amount, received = amount } = this.paymentOf(id) ?? {}
    if (captured !== "unknown") {
      if (captured !== received) {
        this.judge.violate("captured", `of payment ${id} ${String(captured)} is told to be captured, not ${received}`)
      }
      return
    }
    const [own] = this.database.look(
      `SELECT key FROM gopay_change WHERE payment_id = ? AND operation LIKE 'captureAuthorization%'
         AND (status = 'accepted' OR (status = 'done' AND decision NOT LIKE '%"stateReached"%'))`,
      String(id)
    )
    if (own !== undefined) {
      this.judge.violate("captured", `${String(own["key"])} has captured payment ${id}, and the shop is told "unknown"`)
    }
  }

  /** What the shop's handler has written of an order, or of a charge, is what the ledger has of it, whenever both are committed. */
  private checkWritten(orderNumber: string): void {
    const orders = this.database.look("SELECT status FROM gopay_order WHERE order_number = ?", orderNumber)
    const [row] = this.database.look("SELECT status FROM shop_order WHERE number = ?", orderNumber)
    const [order, ...others] = orders
    if (row === undefined || order === undefined || others.length > 0) return
    const { status } = order
    if (row["status"] !== (status === "open" ? "new" : status)) {
      this.judge.violate(
        "written",
        `order ${orderNumber} is ${String(status)} in the database, and the shop has written ${String(row["status"])}`
      )
    }
  }

  /** A notification was answered with 200: what the gateway had to say is in the database. */
  recorded(paymentId: number, since: number, event: string): void {
    if (this.plan.ledger?.isStale === true) return
    const [row] = this.database.look("SELECT state FROM gopay_payment WHERE payment_id = ?", String(paymentId))
    const states = this.observation.statesSince(paymentId, since)
    if (row === undefined || !states.has(String(row["state"]))) {
      this.judge.violate("fresh", `${event} was answered 200, and the database has ${JSON.stringify(row)}`)
    }
  }

  // ------------------------------------------------------------------------------------------------------------------
  // The end
  // ------------------------------------------------------------------------------------------------------------------

  /** A process was closed as it should be. */
  closed(process: Process): void {
    this.simulator.tell(process, "has closed its ledger")
  }

  /** Nothing has gone wrong for minutes. */
  goesOn(): void {
    const [row] = this.database.look(
      `SELECT name, late FROM (
         SELECT key AS name, (SELECT ms FROM simulated_clock) - next_at AS late FROM gopay_change
         UNION ALL SELECT order_number, (SELECT ms FROM simulated_clock) - next_at FROM gopay_payment)
       WHERE late > 120000`
    )
    if (row !== undefined) {
      this.judge.violate("goesOn", `${String(row["name"])} has been due for ${String(row["late"])} ms`)
    }
  }

  /** All processes were closed while nothing went wrong: no change may be left in flight. */
  drained(): void {
    const [row] = this.database.look("SELECT key, status FROM gopay_change WHERE status IN ('locked', 'sending')")
    if (row !== undefined) {
      this.judge.violate("drained", `${String(row["key"])} is ${String(row["status"])} after all was closed`)
    }
  }

  /** The outcome of a key, long after the last event. */
  ended(key: string, outcome: ChangeOutcome, attention: ReadonlyArray<AttentionItem>): void {
    this.answered(key, outcome)
    const [row] = this.database.look("SELECT * FROM gopay_change WHERE key = ?", key)
    const { entry, payment_id: paymentId, status } = row ?? {}
    this.checkReportedChange(key, outcome)
    const isListed = attention.some((item) => item.key === key)
    if (outcome._tag === "InDoubt" && !isListed) {
      this.judge.violate("kept", `${key} is ${String(status)}, and not listed for an operator`)
    }
    if (outcome._tag === "Pending" && outcome.status !== "accepted") {
      const [holder] = this.database.look(
        "SELECT key, status, attention FROM gopay_change WHERE payment_id = ? AND holds IS NOT NULL",
        String(paymentId)
      )
      const isBlocked = holder !== undefined && (holder["attention"] !== null || holder["status"] === "accepted")
      if (!(outcome.status === "queued" && (isBlocked || isListed))) {
        this.judge.violate("kept", `${key} is ${String(status)} for ever, held up by ${JSON.stringify(holder)}`)
      }
    }
    const truth = this.observation.truthOf(key)
    const isRefund = row?.["operation"] === "refundPayment"
    if (isRefund && outcome._tag === "Refused" && truth.taken > 0 && !truth.isAccepted && !isListed) {
      this.judge.violate("evidence", `${key} is Refused by an operator, the gateway took it, and no one is told`)
    }
    if (row?.["operation"] === "createRecurrence") return this.chargeEnded(key, outcome, entry)
    const refunds = this.paymentOf(Number(paymentId))?.refunds ?? []
    const refund = refunds.find(({ id }) => String(id) === entry)
    if (entry === null || this.decidedByOperator.has(key)) return
    if (truth.taken === 0 && this.byHand.has(Number(entry))) this.mistaken.add(key)
    if (outcome._tag === "Done" && refund?.state !== "SUCCESS" && !isListed) {
      this.judge.violate("definite", `${key} is Done, and its refund ${refund?.id} is ${refund?.state}`)
    }
    if (outcome._tag === "Refused" && refund !== undefined && refund.state !== "FAILED") {
      this.judge.violate("definite", `${key} is Refused, and its refund ${refund.id} is ${refund.state}`)
    }
  }

  /** A charge is done by a payment that was paid, and refused where it has none, or one that was not. */
  private chargeEnded(key: string, outcome: ChangeOutcome, entry: unknown): void {
    if (entry === null || this.decidedByOperator.has(key)) return
    const child = this.paymentOf(Number(entry))
    const isPaid = money.has(child?.state ?? "") || child?.state === "REFUNDED"
    const isRight = outcome._tag === "Done" ? isPaid : outcome._tag !== "Refused" || !isPaid
    if (!isRight) this.judge.violate("definite", `${key} is ${outcome._tag}, and its payment is ${child?.state}`)
  }

  /** The reported outcome of a key is its actual one. */
  private checkReportedChange(key: string, outcome: ChangeOutcome): void {
    const reported = this.database.look(
      "SELECT event_id, outcome FROM reported_change WHERE key = ? ORDER BY rowid",
      key
    )
    const twice = reported.find(
      (row, index) => reported.findIndex((other) => other["event_id"] === row["event_id"]) < index
    )
    if (twice !== undefined)
      this.judge.violate("reportedOnce", `the shop was told twice that ${key} is ${String(twice["outcome"])}`)
    const last = reported.at(-1)?.["outcome"]
    // What is queued for ever was never anything else.
    if (last !== outcome._tag && !(outcome._tag === "Pending" && last === undefined)) {
      this.judge.violate("through", `${key} is ${outcome._tag}, and the shop was told ${String(last)}`)
    }
  }

  /** All that the database has of an order: while it stays so, what is said of the order is judged by it. */
  rowsOf(orderNumber: string): string {
    const payments = "SELECT payment_id FROM gopay_payment WHERE order_number = ?"
    return JSON.stringify([
      this.database.look("SELECT status FROM shop_order WHERE number = ?", orderNumber),
      this.database.look("SELECT version FROM gopay_order WHERE order_number = ?", orderNumber),
      this.database.look("SELECT version FROM gopay_payment WHERE order_number = ?", orderNumber),
      this.database.look(`SELECT version FROM gopay_change WHERE payment_id IN (${payments})`, orderNumber)
    ])
  }

  /** The order of a payment that the shop has sold. */
  orderOf(paymentId: number): string | undefined {
    const orderNumber = this.paymentOf(paymentId)?.order_number
    return this.sales.some((sale) => sale.orderNumber === orderNumber) ? orderNumber : undefined
  }

  /**
   * What the shop's handler has written of an order is how the order stands. While refunds are under way, the order may be
   * ahead: the ledger knows of its own before it reads the payment.
   */
  written(order: Order, isSettled: boolean): void {
    const present = order.status === "changed" ? order.present : order
    const [row] = this.database.look("SELECT status FROM shop_order WHERE number = ?", order.orderNumber)
    const written = String(row?.["status"])
    const isReported = ranks[present.status] !== undefined
    const isAhead = !isSettled && "refunded" in present && present.refunded > 0 && (ranks[written] ?? 0) > 0
    // A payment that is or may be payable is not reported to the shop, which knows its earlier status.
    const isRight = isReported ? written === present.status || isAhead : ["new", "closed", "refunded"].includes(written)
    if (!isRight) {
      this.judge.violate(
        "written",
        `order ${order.orderNumber} is ${present.status}, and the shop has written ${written}`
      )
    }
  }

  /** The final status of an order, after everything has settled. */
  orderEnded(sale: Sale, order: Order, attention: ReadonlyArray<AttentionItem>): void {
    const { orderNumber } = sale
    const present = order.status === "changed" ? order.present : order
    const isExpirable = this.plan.events.some(
      (event) => event.kind === "sale" && event.sale.orderNumber === orderNumber && event.sale.payWithin !== undefined
    )
    if (present.status === "pending" || (present.status === "expired" && !isExpirable)) {
      this.judge.violate("payable", `order ${orderNumber} is ${present.status} for ever`)
    }
    const paid = (this.books().payments ?? []).filter(
      ({ order_number, parent_id, state }) =>
        order_number === orderNumber && parent_id === undefined && money.has(state)
    )
    if (paid.length > 1 && !attention.some((item) => item.kind === "PaidTwice" && item.orderNumber === orderNumber)) {
      this.judge.violate("paidTwice", `order ${orderNumber} is paid by ${paid.map(({ id }) => id).join(", ")}`)
    }
    if (sale.isByCard && paid.length > 1) {
      this.judge.violate("once", `order ${orderNumber} is charged ${paid.length} times to a stored card`)
    }
  }

  /**
   * Everything else, long after the last event. The payments of the judge's own checkouts since then cannot have been
   * reported yet.
   */
  end(attention: ReadonlyArray<AttentionItem>, began: number): void {
    for (const key of this.rolledBack) {
      const [row] = this.database.look("SELECT key FROM gopay_change WHERE key = ?", key)
      if (row !== undefined || this.observation.truthOf(key).taken > 0) {
        this.judge.violate("rolledBack", `${key} was rolled back, and is there`)
      }
    }
    const entries = this.database.look("SELECT entry FROM gopay_change WHERE entry IS NOT NULL")
    if (new Set(entries.map(({ entry }) => entry)).size < entries.length) {
      this.judge.violate("definite", "two keys are taken for one refund")
    }
    for (const { id = 0, order_number, parent_id, refunds = [], state } of this.books().payments ?? []) {
      const status = statuses[state]
      if (order_number?.startsWith("order-") !== true || status === undefined || this.chargesByHand.has(id)) continue
      if (!this.observation.wasThere(id, began)) continue
      const last = this.reported.get(id)
      // If the response to a charge was lost and no notification comes, the charge is reported to an operator by its
      // key.
      const isListed = attention.some(
        ({ operation, orderNumber, paymentId }) =>
          paymentId === id ||
          orderNumber === order_number ||
          (operation === "createRecurrence" && paymentId === parent_id)
      )
      const refunded = refunds.reduce((sum, refund) => sum + (refund.state === "FAILED" ? 0 : refund.amount), 0)
      const inDoubt = attention.find((item) => item.kind === "InDoubt" && item.orderNumber === order_number)
      if (inDoubt !== undefined && this.plan.settings.notificationCopies !== 0) {
        this.judge.violate("through", `payment ${id} is ${state}, and of its order a payment is in doubt`)
      }
      if (status === "authorized" && this.holdOf(id) !== undefined && !isListed && !this.isLeftHeld(id)) {
        this.judge.violate("held", `payment ${id} is still held, and nothing stops its end`)
      }
      // No one is notified, and no one has its address.
      if (last === undefined && status === "closed") continue
      if (last?.status !== status && !isListed) {
        this.judge.violate("through", `payment ${id} is ${state}, and the shop was told ${JSON.stringify(last)}`)
      }
      const [row] = this.database.look("SELECT refunded FROM gopay_payment WHERE payment_id = ?", String(id))
      if (row !== undefined && Number(row["refunded"]) !== refunded && !isListed) {
        this.judge.violate(
          "through",
          `of payment ${id} ${refunded} is returned, and the database has ${JSON.stringify(row)}`
        )
      }
    }
    for (const number of chargedOrders(this.plan)) this.checkWritten(number)
    const charges = "SELECT key FROM gopay_change WHERE operation = 'createRecurrence' AND entry IS NULL"
    for (const { key } of this.database.look(charges)) this.unseenCharges.add(String(key))
    this.countScenes()
    const unthanked = this.database.look(
      `SELECT payment_id, order_number FROM reported WHERE status = 'paid' AND payment_id NOT IN (
         SELECT CAST(payment_id AS INTEGER) FROM gopay_change WHERE key LIKE 'thanks-%')`
    )
    const lost = unthanked.find((row) => this.isThanked(String(row["order_number"])))
    if (lost !== undefined) {
      this.judge.violate("kept", `what was submitted with the news of payment ${String(lost["payment_id"])} is lost`)
    }
  }

  /** What has been played of orders and charges. */
  private countScenes(): void {
    const isThere = (sql: string): boolean => this.database.look(`SELECT 1 FROM ${sql} LIMIT 1`).length > 0
    const ofCharge = "payment_id IN (SELECT CAST(payment_id AS INTEGER) FROM gopay_payment WHERE parent_id IS NOT NULL)"
    const charges = "gopay_change WHERE operation = 'createRecurrence'"
    const scenes: Readonly<Record<string, string>> = {
      "order: a create is lost": "gopay_history WHERE subject = 'payment' AND status = 'lost'",
      "order: a payment is replaced": "gopay_history WHERE message = 'Another payment takes its place.'",
      "order: it is paid late": "gopay_history WHERE attention LIKE '%PaidLate%'",
      "order: it is paid twice": "gopay_history WHERE attention LIKE '%PaidTwice%'",
      "order: all of it is returned": "reported WHERE status = 'refunded'",
      "hold: the ledger captures it": "gopay_change WHERE key LIKE 'order:%:capture' AND status = 'done'",
      "hold: the ledger releases it": "gopay_change WHERE key LIKE 'order:%:release' AND status = 'done'",
      "hold: a part of it is captured":
        "reported WHERE status = 'paid' AND captured < (SELECT json_extract(terms, '$.amount') FROM gopay_payment WHERE payment_id = CAST(reported.payment_id AS TEXT))",
      "charge: it is paid": `reported WHERE status = 'paid' AND ${ofCharge}`,
      "charge: it is declined": `${charges} AND status = 'refused' AND entry IS NOT NULL`,
      "charge: some of it is returned": `reported WHERE refunded > 0 AND ${ofCharge}`,
      "charge: it is in doubt": `gopay_history WHERE subject = 'change' AND status = 'unknown' AND subject_seq IN (SELECT seq FROM ${charges})`,
      "charge: it is not made beside another one": `${charges} AND status = 'needsOperator' AND sent_at IS NULL`
    }
    for (const [scene, sql] of Object.entries(scenes)) if (isThere(sql)) this.observation.hit(scene)
  }

  /**
   * What operators were asked about changes, one kind for each key. "for nothing" marks a question that the gateway's
   * books would have answered, for someone who knows which request each refund belongs to. Only an operator can answer
   * three others, which are counted apart: a capture or release that the gateway accepted and that then failed, while
   * its hold stays; a charge that nothing shows; and a partial capture, whose amount nothing shows.
   */
  alarms(): ReadonlyArray<string> {
    const asked = [...this.asked].flatMap(([one, message]) => {
      const [kind = "", key = ""] = one.split(/ (.*)/s)
      if (key.startsWith("order:") || key === "ledger") return []
      const why = message.includes("does not date it") ? `${kind} by its date` : kind
      const { isAccepted, taken } = this.observation.truthOf(key)
      if (kind !== "InDoubt" || taken !== 1) return [why]
      if (this.unseenCharges.has(key)) return [`${why}, of a charge that nothing shows`]
      if (message.includes("how much of it is not known")) return [`${why}, of a capture whose amount nothing shows`]
      return [isAccepted && this.failsLater(key) ? `${why}, and failed later` : `${why}, for nothing`]
    })
    return [...asked, ...Array.from(this.mistaken, () => "not asked, and done by a refund made by hand")]
  }

  /** Whether what a key asks of a hold is accepted first, and fails then. */
  private failsLater(key: string): boolean {
    const { capture, voidAuthorization } = this.plan.settings
    return this.plan.events.some((event) => {
      if (event.kind !== "change" || event.key !== key || event.change.operation === "refund") return false
      return (event.change.operation === "release" ? voidAuthorization : capture) === "acceptedThenFailed"
    })
  }

  /** Whether refunds were made past the ledger. */
  areByHand(paymentId: number, ids: ReadonlyArray<string>): boolean {
    const refunds = this.paymentOf(paymentId)?.refunds ?? []
    return ids.every((id) => refunds.some((refund) => String(refund.id) === id && this.byHand.has(refund.id ?? -1)))
  }

  private paymentOf(paymentId: number) {
    return this.books().payments?.find(({ id }) => id === paymentId)
  }
}

/** The numbers of the charges that the shop asks for. */
const chargedOrders = ({ events }: Plan): ReadonlyArray<string> => [
  ...new Set(events.flatMap((event) => (event.kind === "change" ? (event.change.orderNumber ?? []) : [])))
]

const rankOf = (row: SqlRow): number => {
  const { status } = row
  return Predicate.isString(status) ? (ranks[status] ?? 0) : 0
}
