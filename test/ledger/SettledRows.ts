/**
 * Tables that are full: orders that are settled, each with a refund, as a ledger leaves them.
 */
import type { SqlQuery } from "../../src/ledger/promise/index.js"

/** The first payment of an order that was inserted. */
export const firstSettledPayment = 4_000_000_000

const numbers = (from: number, to: number): string =>
  `(WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to}) SELECT n FROM numbers)`

/** In milliseconds since 1970: each order is a second after the one before. */
const start = Date.UTC(2026, 0, 1)

/**
 * Inserts orders that were paid and refunded in part. One order in ten belongs to a subscription: it was charged by a
 * change of the first payment.
 */
export const insertSettled = async (query: SqlQuery, scope: number, from: number, to: number): Promise<void> => {
  const at = `${start} + n * 1000`
  const id = `CAST(${firstSettledPayment} + n AS TEXT)`
  const source = `FROM ${numbers(from, to)} AS numbers`
  const statements = [
    `INSERT INTO gopay_payment (scope, order_number, attempt, status, offered, terms, needs_payer, is_owned, payment_id,
       parent_id, state, refunded, moves, process, created_at, checked_at, moved_at, paid_at)
     SELECT ${scope}, 'order-' || n, 'attempt-' || n, 'created', '${scope} order-' || n, '{"amount":10000,"currency":"CZK"}', 1, 1, ${id},
       CASE WHEN n % 10 = 0 THEN CAST(${firstSettledPayment} + n - 1 AS TEXT) END, 'PARTIALLY_REFUNDED', 500, 2, 'shop-1',
       ${at}, ${at} + 900, ${at} + 900, ${at} + 500 ${source}`,
    `INSERT INTO gopay_change (scope, key, payment_id, operation, amount, request, hash, status, version, attempt, record, entry, decision,
       process, created_at, sent_at, decided_at)
     SELECT ${scope}, 'complaint-' || n, ${id}, 'refundPayment', 500, '{"amount":500}', 'hash', 'done', 4, 'attempt-' || n,
       '{"operation":"refundPayment","paymentId":' || ${id} || ',"amount":500,"sentAt":"2026-01-01T00:00:00.000Z","refundsBefore":[],"isOnlyWriter":true}',
       CAST(5000000000 + n AS TEXT), '{"outcome":"done","how":"answered","message":"The gateway has done it."}',
       'shop-1', ${at} + 600, ${at} + 610, ${at} + 700 ${source}`,
    `INSERT INTO gopay_change (scope, key, payment_id, operation, amount, request, hash, status, version, attempt, entry, decision,
       process, created_at, sent_at, decided_at)
     SELECT ${scope}, 'charge-' || n, CAST(${firstSettledPayment} + n - 1 AS TEXT), 'createRecurrence', 10000, '{"amount":10000}', 'hash', 'done', 4,
       'charge-' || n, ${id}, '{"outcome":"done","how":"found","message":"It is paid."}', 'shop-1', ${at}, ${at}, ${at}
     ${source} WHERE n % 10 = 0`,
    `INSERT INTO gopay_subscription (scope, name, status, maximum, currency, first_order, order_number, payment_id, created_at)
     SELECT ${scope}, 'subscription-' || n, 'cancelled', 10000, 'CZK', 'order-' || (n - 1), 'order-' || (n - 1),
       CAST(${firstSettledPayment} + n - 1 AS TEXT), ${at} ${source} WHERE n % 10 = 0`,
    `INSERT INTO gopay_period (scope, subscription, period, status, amount, order_number, attempts, due_at, payment_id, created_at)
     SELECT ${scope}, 'subscription-' || n, '2026-01', 'paid', 10000, 'order-' || n, 1, ${at}, ${id}, ${at}
     ${source} WHERE n % 10 = 0`
  ]
  for (const statement of statements) await query(statement, [])
}
