/**
 * Account statements, with promises.
 */
import { type AdminRequest, createAdminHandler, type LedgerOperator } from "effect-gopay/ledger/promise"
import type { GatewayClient } from "effect-gopay/promise"
import { type BookedOrder, parseStatement, reconcileStatement, type ParsedStatement } from "effect-gopay/statement"

/** The statement of some days, both included. */
export const statementOf = async (gateway: GatewayClient, from: string, to: string): Promise<ParsedStatement> => {
  const order = { date_from: from, date_to: to, currency: "CZK", format: "CSV_B" } as const
  const file = await gateway.getAccountStatement(order)
  return parseStatement(file, { period: { from, to } })
}

/** An accountant's questions about a month. */
export const closeMonth = (statements: ReadonlyArray<ParsedStatement>, orders: ReadonlyArray<BookedOrder>) => {
  const found = reconcileStatement(statements, { orders })
  return {
    agrees: found.agrees,
    /** Read these first: a lost payment, a refund in doubt, a transfer that came late. */
    lost: found.evidence.map(
      ({ change, isAmbiguous, movement }) =>
        `${change.key} was ${isAmbiguous ? "perhaps " : ""}done on ${movement.date}`
    ),
    foreign: found.foreign.map(({ _tag, movement }) => `${_tag}: ${movement.orderNumber}, ${movement.amount}`),
    missing: found.missing.map(({ amount, orderNumber }) => `${orderNumber}, ${amount}`),
    /** The meaning of the bank's transfers, by their variable symbol. */
    transfers: found.clearings.map(({ explainedBy, fees, gross, number, refunds, transfer }) => ({
      number,
      transfer,
      sum: gross - refunds - fees,
      explainedBy
    }))
  }
}

/** The ledger's books for a statement: money is booked days after it was paid, so they begin two months before. */
export const booksFor = async (operator: LedgerOperator, { movements }: ParsedStatement) => {
  const [first] = movements.map(({ date }) => date).toSorted()
  const from = first === undefined ? undefined : new Date(Date.parse(first) - 62 * 86_400_000)
  const orders: Array<BookedOrder> = []
  for await (const order of operator.listBookedOrders({ from })) orders.push(order)
  return orders
}

/** The page for accountants, with statements: those of a month or in a file, compared with the ledger's books. */
export const accountantsHandler = (
  operator: LedgerOperator,
  gateway: GatewayClient,
  accountantOf: (request: AdminRequest) => string | undefined
) =>
  createAdminHandler(operator, {
    authorize: accountantOf,
    reconcileMonth: async ({ from, to }) => {
      const statement = await statementOf(gateway, from, to)
      return reconcileStatement(statement, { orders: await booksFor(operator, statement) })
    },
    reconcileFile: async (file) => {
      const statement = parseStatement(file)
      // A clearing's XML names payments, which decide charges in doubt.
      await operator.adoptCharges(statement.movements)
      return reconcileStatement(statement, { orders: await booksFor(operator, statement) })
    }
  })
