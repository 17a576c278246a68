/**
 * Decisions on the command line: each that fits what is known of a change or a payment is taken, by one operator or by two, and
 * any other is refused by its name.
 */
import * as Effect from "effect/Effect"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { actions } from "../../src/command-line/LedgerCommand.js"
import { words } from "../../src/command-line/Words.js"
import { fileStore, type SqliteTransaction } from "../../src/ledger/promise/index.js"
import { attentionKinds } from "../../src/ledger/model/Attention.js"
import { changeDecisionNames, paymentDecisionNames, paymentDecisionsFor } from "../../src/ledger/model/Decisions.js"
import { type ChangeRow, decisionsFor, entryOf } from "../../src/ledger/store/ChangeRow.js"
import type { PaymentRow } from "../../src/ledger/store/PaymentTable.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { changeRow, itemsOf, paymentRow, storedRow } from "../ledger/LedgerRows.js"
import * as Outsider from "../ledger/Outsider.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"

const folder = mkdtempSync(join(tmpdir(), "ledger-decisions-"))
const store = fileStore(join(folder, "gopay.db"), { driver: Database })
const allNames = [...new Set([...changeDecisionNames, ...paymentDecisionNames])]

let ledgers: Readonly<Record<"one" | "two", Ledger<SqliteTransaction>>>
let close = () => Promise.resolve()

beforeAll(async () => {
  const local = await startLocalGateway()
  const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const ledgerOf = (dualApprovalAbove: number) =>
    createLedger({ gateway, store, dualApprovalAbove, onAttention: () => {} })
  ledgers = { one: ledgerOf(1_000_000), two: ledgerOf(400) }
  await ledgers.one.migrate()
  await ledgers.one.getOrder("none")
  close = async () => {
    await ledgers.one.close()
    await ledgers.two.close()
    await gateway.close()
    await local.close()
  }
})

afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = async (table: "gopay_change" | "gopay_payment", row: ChangeRow | PaymentRow) => {
  const columns = Object.entries(storedRow(row)).filter(([name]) => name !== "now" && name !== "seq")
  const values = columns.map(([, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : typeof value === "number" || typeof value === "string"
        ? value
        : null
  )
  await store.query(`DELETE FROM ${table}`, [])
  await store.query(
    `INSERT INTO ${table} (scope, ${columns.map(([name]) => name).join(", ")})
     VALUES ((SELECT MIN(id) FROM gopay_scope), ${columns.map(() => "?").join(", ")})`,
    values
  )
}

/** What the command says: nothing where the decision is taken. */
const resolve = (operators: "one" | "two", key: string, version: number, as: string, by: string): Promise<string> =>
  Promise.resolve(
    actions["resolve"]?.run(
      {
        json: true,
        early: true,
        history: false,
        csv: false,
        version: String(version),
        as,
        by,
        note: "seen",
        said: words.en,
        inLedger: (use) => use({ ...ledgers[operators].operator, getSubscription: ledgers[operators].getSubscription })
      },
      key
    )
  ).then(
    () => "",
    (failure: unknown) => (failure instanceof Error ? failure.message : String(failure))
  )

/** Whether a decision is refused by its name; one of the other subject's, with those of its own. */
const isRefused = (as: string, said: string): boolean =>
  said.includes(`${as} does not fit it`) || said.includes("nothing to decide") || said.includes("is resolved as one of")

const kinds = attentionKinds.filter((kind) => kind !== "UnreadableRow")

const changes = (["refundPayment", "captureAuthorization", "voidAuthorization", "createRecurrence"] as const).flatMap(
  (operation) => [
    changeRow({ operation, status: "queued" }),
    changeRow({ operation, status: "unknown", sent_at: 1, attention: [] }),
    changeRow({
      operation,
      status: "refusing",
      sent_at: 1,
      attention: itemsOf("AccountEmpty"),
      decision: { outcome: "refused", how: "answered", message: "empty", code: 333, isPassing: true }
    }),
    changeRow({ operation, status: "needsOperator", sent_at: 1, attention: itemsOf("InDoubt") }),
    changeRow({ operation, status: "needsOperator", attention: itemsOf("StrangeRefund") }),
    changeRow({ operation, status: "refused", sent_at: 1, attention: itemsOf("DecisionContradicted"), decided_at: 1 }),
    changeRow({ operation, status: "done", sent_at: 1, attention: itemsOf("PaidTwice"), decided_at: 1 }),
    changeRow({ operation, status: "done", sent_at: 1, holds: "1 10", decided_at: 1 })
  ]
)

it.each(kinds)("about a payment: %s", async (kind) => {
  for (const as of allNames) {
    const known =
      kind === "InDoubt" ? ({ status: "inDoubt" } as const) : ({ status: "created", state: "PAID" } as const)
    // The decision before may have recorded a refund.
    await Effect.runPromise(Outsider.forgetChanges(store))
    await insert("gopay_payment", { ...paymentRow({ attention: itemsOf(kind), ...known }), next_at: null })
    const item = (await ledgers.one.operator.listAttention()).find(({ key }) => key.startsWith("order:"))
    const said = await resolve("one", item?.key ?? "", item?.version ?? 0, as, "Jana")
    const fits = paymentDecisionsFor(kind).some((name) => name === as)
    expect([as, fits ? said === "" : isRefused(as, said)]).toEqual([as, true])
  }
  await Effect.runPromise(Outsider.forgetPayments(store))
})

it.each(changes.map((row) => [row.operation, row.status, row.attention[0]?.kind, row] as const))(
  "about a change: %s, %s, %s",
  async (operation, _, kind, row) => {
    const fitting = decisionsFor(row, kind ?? null)
    for (const as of allNames) {
      await insert("gopay_change", { ...row, next_at: null })
      const said = await resolve("one", row.key, 1, as, "Jana")
      expect([as, isRefused(as, said)]).toEqual([as, !fitting.some((name) => name === as)])
    }
    // These name what the gateway lists.
    const two = fitting.filter((as) => as !== "byHand" && !(operation === "createRecurrence" && as === "done"))
    for (const as of two) {
      await insert("gopay_change", { ...row, next_at: null })
      for (const by of ["Jana", " JANÁ"]) {
        const { version = 0 } = (await ledgers.two.operator.getChange(row.key)) ?? {}
        expect(await resolve("two", row.key, version, as, by)).toBe("")
        expect(await ledgers.two.operator.getChange(row.key)).toMatchObject({
          status: entryOf(row).status,
          proposal: { as }
        })
      }
      const { version = 0 } = (await ledgers.two.operator.getChange(row.key)) ?? {}
      expect(await resolve("two", row.key, version, as, "Petr")).toBe("")
      expect((await ledgers.two.operator.getChange(row.key))?.proposal).toBeUndefined()
    }
  }
)
