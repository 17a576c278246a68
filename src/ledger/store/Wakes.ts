/**
 * Who wakes whom: what happens to one row makes others due, in the transaction that it happens in. Triggers do it, so that no
 * step, no release and no edit by hand moves a row without it.
 *
 * A row that another transaction has locked is not waited for. In PostgreSQL the wake is then a row of `gopay_wake`, which a
 * duty of the agenda takes: whoever holds the lock may write the row back as it was, but not after the wake. Payments and
 * subscriptions move in the shop's own transactions, which may last, so these lock nothing that they wake: that is always left to
 * the duty, which sees a wake once it is committed. SQLite has one writer, so nothing is locked there.
 */
import { isDecidedStatus, periodKey } from "./Sql.js"

/** A row of a table within SQL: `NEW` in a trigger, or an alias. */
type Source = string

/** One entry of the list. */
export interface Wake {
  /** The name of its triggers, and of its rows in `gopay_wake`. */
  readonly name: string
  /** What happens, and what is woken by it, in words. */
  readonly words: readonly [what: string, whom: string]
  /** The table of the row that wakes. */
  readonly source: "change" | "payment" | "subscription"
  /** The moves that wake. `isOther` compares what may be null. */
  readonly moved: (isOther: string) => string
  /** Which new rows wake. Absent where none does. */
  readonly inserted?: string
  /** What else must be so when it moves or is inserted, by other rows. */
  readonly onlyIf?: string
  /** The table of the rows that are woken. */
  readonly target: "change" | "payment" | "period" | "subscription"
  /** Which rows of that are woken by a source. */
  readonly wakes: (source: Source) => string
  /** What becomes of them, in place of being due at once and counting their tries anew. `now` is the time. */
  readonly become?: (now: string) => string
}

/** They are due, and go on with the pauses that they have come to. */
const dueAsTried = (now: string): string => `next_at = ${now}`

const dueAnew = (now: string): string => `next_at = ${now}, tries = 0`

const isDecided = isDecidedStatus("NEW")

const isFree = "NEW.operation <> 'createRecurrence' AND NEW.holds IS NULL"

const hasMoney = "NEW.state IN ('AUTHORIZED', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')"

/** A change of the ledger has made the payment of a charge: that decides, and wakes what waits. */
const isMadeByChange = `EXISTS (SELECT 1 FROM gopay_change made WHERE made.scope = NEW.scope
    AND made.payment_id = NEW.parent_id AND made.operation = 'createRecurrence' AND made.entry = NEW.payment_id)`

/** A charge that no change of the ledger has made is reported, adopted, or comes to something. */
const strangeCharge = {
  source: "payment",
  inserted: "NEW.parent_id IS NOT NULL",
  moved: (isOther: string) =>
    `NEW.parent_id IS NOT NULL
    AND (NEW.state ${isOther} OLD.state OR NEW.status <> OLD.status OR NEW.decisions ${isOther} OLD.decisions)`,
  onlyIf: `NOT ${isMadeByChange}`
} as const

/** The order number may be escaped as HTML: then it is not that of its period, letter by letter. */
const isEscaped = "NEW.order_number LIKE '%&%;%'"

/** All of them. */
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
    words: ["an attempt to charge a period is decided", "the period"],
    source: "change",
    moved: () =>
      `NEW.operation = 'createRecurrence' AND NEW.key LIKE 'subscription:%' AND NEW.status <> OLD.status AND ${isDecided}`,
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
      "its periods that wait for one, or are about to wait for it"
    ],
    source: "subscription",
    moved: () => "NEW.status = 'active' AND NEW.awaits IS NULL AND OLD.awaits IS NOT NULL",
    target: "period",
    wakes: (source) => `gopay_period.scope = ${source}.scope AND gopay_period.subscription = ${source}.name
      AND gopay_period.status IN ('waiting', 'charging')
      AND (gopay_period.needs_card = 1 OR gopay_period.attempts = 0 OR gopay_period.status = 'charging')`,
    // What waits for its day goes on waiting for it.
    become: (now) => `needs_card = 0, due_at = CASE WHEN needs_card = 1 AND due_at > ${now} THEN ${now} ELSE due_at END,
      next_at = CASE WHEN needs_card = 0 AND due_at > ${now} THEN due_at ELSE ${now} END`
  }
]

/** Makes rows of the target due. */
const update = ({ become = dueAnew, target }: Wake, now: string, rows: string): string =>
  `UPDATE gopay_${target} SET ${become(now)}, version = version + 1 WHERE ${rows}`

/** The same in PostgreSQL, of those that no other transaction has locked. */
const updateUnlocked = (wake: Wake, now: string, condition: string): string =>
  update(
    wake,
    now,
    `seq IN (
    SELECT gopay_${wake.target}.seq FROM gopay_${wake.target} WHERE ${condition} FOR UPDATE SKIP LOCKED)`
  )

/** What a trigger of a wake does. */
export const triggered = (wake: Wake, dialect: "sqlite" | "postgres", now: string): string => {
  const { name, onlyIf = "1 = 1", source } = wake
  const condition = wake.wakes("NEW")
  if (dialect === "sqlite") return `${update(wake, now, `${condition} AND ${onlyIf}`)};`
  const insert = `INSERT INTO gopay_wake (scope, wake, source_seq, next_at) SELECT NEW.scope, '${name}', NEW.seq, ${now}`
  if (source !== "change") return `${insert} WHERE ${onlyIf};`
  // A change wakes one row of a table, or none. One that is there and was not woken is locked, or has just moved.
  return `${updateUnlocked(wake, now, condition)};
  IF NOT FOUND THEN
    ${insert} WHERE EXISTS (SELECT 1 FROM gopay_${wake.target} WHERE ${condition});
  END IF;`
}

/**
 * The statement of PostgreSQL that makes due what a row of `gopay_wake` names, and deletes that when no row is left that is
 * locked. Its placeholders are the number of the source's row, that of the wake's, and the first one again.
 */
export const taken = (wake: Wake, now: string, isBrief: string): string => {
  const condition = `EXISTS (SELECT 1 FROM gopay_${wake.source} waker WHERE waker.seq = ? AND ${wake.wakes("waker")})`
  return `WITH woken AS (${updateUnlocked(wake, now, `${condition} AND ${isBrief}`)} RETURNING seq)
  DELETE FROM gopay_wake WHERE seq = ? AND NOT EXISTS (
    SELECT 1 FROM gopay_${wake.target} WHERE ${condition} AND gopay_${wake.target}.seq NOT IN (SELECT seq FROM woken))
  RETURNING seq`
}
