/**
 * Which rows wake which: a move of one row makes others due, in the same transaction. Triggers do this, so that no
 * step, release or manual edit can move a row without it.
 *
 * A trigger does not wait for a row that another transaction has locked. In PostgreSQL it then inserts a row into
 * `gopay_wake`, which a duty of the agenda carries out, because the holder of the lock may overwrite the row with its
 * old values, but not after that. Payments and subscriptions move in the shop's own transactions, which may be long, so
 * their triggers never lock the rows that they wake: they always leave that to the duty, which sees a wake once it is
 * committed. SQLite has one writer, so nothing is locked there.
 */
import { isDecidedStatus, periodKey } from "./Sql.js"

/** A row of a table within SQL: `NEW` in a trigger, or an alias. */
type Source = string

/** One entry of the list. */
export interface Wake {
  /** The name of its triggers, and of its rows in `gopay_wake`. */
  readonly name: string
  /** What happens, and which rows it wakes, in words. */
  readonly words: readonly [what: string, whom: string]
  /** The table of the row that causes the wake. */
  readonly source: "change" | "payment" | "subscription"
  /** The moves that cause the wake. `isOther` compares values that may be null. */
  readonly moved: (isOther: string) => string
  /** The inserted rows that cause the wake. Absent if none does. */
  readonly inserted?: string
  /** A further condition for moved and inserted rows, about other rows. */
  readonly onlyIf?: string
  /** The table of the rows that are woken. */
  readonly target: "change" | "payment" | "period" | "subscription"
  /** The rows of the target that a source wakes. */
  readonly wakes: (source: Source) => string
  /** The new values of the woken rows, instead of being due now with a new count of tries. `now` is the time. */
  readonly become?: (now: string) => string
}

/** Due now, without resetting their tries, so that their pauses keep growing. */
const dueAsTried = (now: string): string => `next_at = ${now}`

const dueAnew = (now: string): string => `next_at = ${now}, tries = 0`

const isDecided = isDecidedStatus("NEW")

const isFree = "NEW.operation <> 'createRecurrence' AND NEW.holds IS NULL"

const hasMoney = "NEW.state IN ('AUTHORIZED', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')"

/**
 * A change of the ledger has made the payment of a charge. The payment decides the change, and wakes what waits for it.
 */
const isMadeByChange = `EXISTS (SELECT 1 FROM gopay_change made WHERE made.scope = NEW.scope
    AND made.payment_id = NEW.parent_id AND made.operation = 'createRecurrence' AND made.entry = NEW.payment_id)`

/** A charge that no change of the ledger made is recorded or adopted, or its payment moves. */
const strangeCharge = {
  source: "payment",
  inserted: "NEW.parent_id IS NOT NULL",
  moved: (isOther: string) =>
    `NEW.parent_id IS NOT NULL
    AND (NEW.state ${isOther} OLD.state OR NEW.status <> OLD.status OR NEW.decisions ${isOther} OLD.decisions)`,
  onlyIf: `NOT ${isMadeByChange}`
} as const

/** If the order number may be HTML-escaped, it cannot be compared with that of its period letter by letter. */
const isEscaped = "NEW.order_number LIKE '%&%;%'"

/** The list of wakes. */
export const wakes: ReadonlyArray<Wake> = [
  {
    name: "gopay_change_wakes_next",
    words: ["a change lets its payment go", "the next change of the payment"],
    source: "change",
    moved: () => `${isFree} AND NEW.status <> 'queued' AND (OLD.holds IS NOT NULL OR OLD.status = 'queued')`,
    target: "change",
    wakes: (source) => `gopay_change.seq = (SELECT MIN(queued.seq) FROM gopay_change queued
      WHERE queued.scope = ${source}.scope AND queued.payment_id = ${source}.payment_id
        AND queued.status = 'queued' AND queued.operation <> 'createRecurrence')`,
    become: dueAsTried
  },
  {
    name: "gopay_change_wakes_payment",
    words: ["a change is decided and lets its payment go", "the payment"],
    source: "change",
    moved: (isOther) =>
      `${isFree} AND ${isDecided}
    AND (NEW.status <> OLD.status OR NEW.entry ${isOther} OLD.entry OR OLD.holds IS NOT NULL)`,
    target: "payment",
    wakes: (source) =>
      `gopay_payment.scope = ${source}.scope AND gopay_payment.payment_id = ${source}.payment_id
      AND gopay_payment.status = 'created'`
  },
  {
    name: "gopay_change_wakes_period",
    words: ["an attempt to charge a period is decided, or decided anew", "the period"],
    source: "change",
    moved: (isOther) =>
      `NEW.operation = 'createRecurrence' AND NEW.key LIKE 'subscription:%' AND ${isDecided}
    AND (NEW.status <> OLD.status OR NEW.decision ${isOther} OLD.decision)`,
    target: "period",
    wakes: (source) =>
      `gopay_period.scope = ${source}.scope AND ${periodKey("gopay_period.")} = rtrim(${source}.key, '0123456789')`
  },
  {
    name: "gopay_payment_wakes_period",
    words: ["more is known of a charge that no change made", "the periods that it may pay"],
    ...strangeCharge,
    target: "period",
    wakes: (source) => `gopay_period.scope = ${source}.scope AND gopay_period.status <> 'paid'
      AND gopay_period.order_number = ${source}.order_number`
  },
  {
    name: "gopay_payment_wakes_escaped",
    words: ["the same, by an order number that the gateway has escaped", "the periods of its subscription"],
    source: "payment",
    inserted: `${strangeCharge.inserted} AND ${isEscaped}`,
    moved: (isOther) => `${strangeCharge.moved(isOther)} AND ${isEscaped}`,
    onlyIf: strangeCharge.onlyIf,
    target: "period",
    wakes: (source) => `gopay_period.status <> 'paid' AND gopay_period.scope = ${source}.scope
      AND gopay_period.subscription IN (SELECT charged.name FROM gopay_subscription charged
        WHERE charged.scope = ${source}.scope AND charged.payment_id = ${source}.parent_id)`
  },
  {
    name: "gopay_payment_wakes_charges",
    words: ["more is known of a charge that no change made", "the queued charges of its first payment"],
    ...strangeCharge,
    target: "change",
    wakes: (source) => `gopay_change.scope = ${source}.scope AND gopay_change.payment_id = ${source}.parent_id
      AND gopay_change.operation = 'createRecurrence' AND gopay_change.status = 'queued'`,
    become: dueAsTried
  },
  {
    name: "gopay_payment_wakes_declined",
    words: ["a charge that was declined is paid after all", "the change that made it"],
    source: "payment",
    moved: (isOther) => `NEW.parent_id IS NOT NULL AND NEW.state ${isOther} OLD.state AND ${hasMoney}`,
    target: "change",
    wakes: (source) => `gopay_change.scope = ${source}.scope AND gopay_change.payment_id = ${source}.parent_id
      AND gopay_change.operation = 'createRecurrence' AND gopay_change.entry = ${source}.payment_id
      AND gopay_change.status = 'refused'`
  },
  {
    name: "gopay_payment_wakes_subscription",
    words: ["money comes for a first payment", "the subscription that waits for it"],
    source: "payment",
    moved: (isOther) => `NEW.parent_id IS NULL AND NEW.terms LIKE '%"recurrence"%'
    AND NEW.state ${isOther} OLD.state AND ${hasMoney}`,
    target: "subscription",
    wakes: (source) =>
      `gopay_subscription.scope = ${source}.scope AND gopay_subscription.awaits = ${source}.order_number`
  },
  {
    name: "gopay_subscription_wakes_periods",
    words: [
      "a subscription has another card, or its first one",
      "its periods that wait for one, or are about to wait for it, or are blocked"
    ],
    source: "subscription",
    moved: () => "NEW.status = 'active' AND NEW.awaits IS NULL AND OLD.awaits IS NOT NULL",
    target: "period",
    wakes: (source) => `gopay_period.scope = ${source}.scope AND gopay_period.subscription = ${source}.name
      AND gopay_period.status IN ('waiting', 'charging', 'blocked')
      AND (gopay_period.needs_card = 1 OR gopay_period.attempts = 0 OR gopay_period.status <> 'waiting')`,
    // A period that waits for its day continues to wait for it.
    become: (now) => `needs_card = 0, due_at = CASE WHEN needs_card = 1 AND due_at > ${now} THEN ${now} ELSE due_at END,
      next_at = CASE WHEN needs_card = 0 AND due_at > ${now} THEN due_at ELSE ${now} END`
  }
]

/** Makes rows of the target due. */
const update = ({ become = dueAnew, target }: Wake, now: string, rows: string): string =>
  `UPDATE gopay_${target} SET ${become(now)}, version = version + 1 WHERE ${rows}`

/** Makes rows of the target due in PostgreSQL, except those that another transaction has locked. */
const updateUnlocked = (wake: Wake, now: string, condition: string): string =>
  update(
    wake,
    now,
    `seq IN (
    SELECT gopay_${wake.target}.seq FROM gopay_${wake.target} WHERE ${condition} FOR UPDATE SKIP LOCKED)`
  )

/** The statements of a wake's trigger. */
export const triggered = (wake: Wake, dialect: "sqlite" | "postgres", now: string): string => {
  const { name, onlyIf = "1 = 1", source } = wake
  const condition = wake.wakes("NEW")
  if (dialect === "sqlite") return `${update(wake, now, `${condition} AND ${onlyIf}`)};`
  const insert = `INSERT INTO gopay_wake (scope, wake, source_seq, next_at) SELECT NEW.scope, '${name}', NEW.seq, ${now}`
  if (source !== "change") return `${insert} WHERE ${onlyIf};`
  // A change wakes at most one row of a table. If that row exists and was not woken, it is locked or has just moved.
  return `${updateUnlocked(wake, now, condition)};
  IF NOT FOUND THEN
    ${insert} WHERE EXISTS (SELECT 1 FROM gopay_${wake.target} WHERE ${condition});
  END IF;`
}

/**
 * The PostgreSQL statement that carries out a row of `gopay_wake`: makes its rows due, and deletes it once none of them
 * is locked. The placeholders are the number of the source's row, the number of the wake's row, and the first one
 * again.
 */
export const taken = (wake: Wake, now: string, isBrief: string): string => {
  const condition = `EXISTS (SELECT 1 FROM gopay_${wake.source} waker WHERE waker.seq = ? AND ${wake.wakes("waker")})`
  return `WITH woken AS (${updateUnlocked(wake, now, `${condition} AND ${isBrief}`)} RETURNING seq)
  DELETE FROM gopay_wake WHERE seq = ? AND NOT EXISTS (
    SELECT 1 FROM gopay_${wake.target} WHERE ${condition} AND gopay_${wake.target}.seq NOT IN (SELECT seq FROM woken))
  RETURNING seq`
}
