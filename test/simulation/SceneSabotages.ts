/**
 * What operators decide and shops hand over, broken on purpose: each of these must be noticed in a scene.
 */
import { type Sabotage, sabotage } from "./Sabotages.js"

const judgement = "ledger/order/PaymentDecision.ts"
const changeJudgement = "ledger/change/ChangeJudgement.ts"
const balance = "ledger/change/Balance.ts"

export const sceneSabotages: ReadonlyArray<Omit<Sabotage, "mood">> = [
  // ---- A payment that is not the requested one
  sabotage(
    "take the money of another payment that a check finds",
    "ledger/order/PaymentMoves.ts",
    `const refused = yield* refuse(parts, check)`,
    `const refused = undefined as { readonly after: never } | undefined`
  ),
  sabotage(
    "do not review the payments of an order when one of them was paid",
    "ledger/order/PaymentMoves.ts",
    `if (Option.isSome(after) && isMoneyMoved && !isAlone) yield* review(parts, after.value)`,
    ``
  ),
  sabotage(
    "take whatever is captured of a hold as paid",
    judgement,
    `isPaidFor(before)) return false`,
    `isMoney(before)) return false`
  ),
  sabotage(
    "take a field that the gateway does not show for another one",
    judgement,
    `order_number === undefined || orderNumber === "" ||`,
    `orderNumber === "" || order_number !== undefined &&`
  ),
  sabotage(
    "compare order numbers to the letter",
    judgement,
    `isEchoOf(orderNumber, order_number)`,
    `orderNumber === order_number`
  ),
  sabotage(
    "know no amount but the ordered one after a partial capture",
    judgement,
    ` || captured.includes(amount)`,
    ``
  ),

  // ---- A refund that a restored backup has forgotten
  sabotage(
    "take what a restored backup has forgotten for what was lost before it",
    changeJudgement,
    `!mayBeOfLostChange(row, entry, distrustedSince) &&`,
    ``
  ),

  // ---- A payment that an operator takes over
  sabotage(
    "acknowledge whatever is listed when a payment is adopted",
    balance,
    `      claimOn(entry, refunds) === undefined &&`,
    `      refunds.length >= 0 ||
      claimOn(entry, refunds) === undefined &&`
  ),
  sabotage(
    "let an operator acknowledge what may be a refund in doubt",
    "ledger/operate/Adoption.ts",
    `claim === undefined ? Effect.void`,
    `claim?.isBound !== true ? Effect.void`
  ),

  // ---- Two operators
  sabotage(
    "let two changes own one refund of the list",
    "ledger/store/Migrations.ts",
    `SELECT RAISE(IGNORE) FROM \${table} WHERE \${isEntryOf("NEW")} AND NOT \${isTakeable};`,
    `SELECT 1 FROM \${table} WHERE \${isEntryOf("NEW")} AND NOT \${isTakeable};`
  ),
  sabotage(
    "take what was said of an earlier attempt for agreement",
    "ledger/store/ChangeTable.ts",
    `          proposal: null,
          sent_at`,
    `          sent_at`
  ),
  sabotage(
    "let one operator take back what two have decided",
    "ledger/operate/Resolutions.ts",
    `const agreed = !needsTwo ?`,
    `const agreed = !needsTwo || as === "undecided" ?`
  ),

  // ---- Two items of one payment
  sabotage(
    "let an item overwrite another one of its row",
    "ledger/store/Sql.ts",
    "json_patch(COALESCE(attention, '{}'), ?)",
    "json_patch('{}', ?)"
  ),
  {
    name: "move the version of an item by a read that finds nothing",
    changes: [
      {
        file: "ledger/store/Migrations.ts",
        search: `NEW.attention \${isOther} OLD.attention OR (NEW.attention IS NOT NULL AND (\${isShownAnew}))`,
        replace: `NEW.attention IS NOT NULL OR NEW.attention \${isOther} OLD.attention`
      },
      {
        file: "ledger/store/Migrations.ts",
        search: `value \${isOther} (\${before}) OR \${isShownAnew}`,
        replace: `1 = 1`
      }
    ]
  },

  // ---- Several payments of an order, stored cards, adoptions, processes without a handler
  sabotage(
    "notify the shop of how the payment stands that has moved, in place of its order",
    "ledger/order/PaymentMoves.ts",
    `state.status === "open"
      ? {`,
    `state.status !== undefined
      ? {`
  ),
  {
    name: "withdraw an order whose stored card may be charged",
    changes: [
      {
        file: "ledger/order/Orders.ts",
        search: `isWithdrawn(order) || standing?.status === "inDoubt" ||`,
        replace: `isWithdrawn(order) ||`
      },
      {
        file: "ledger/order/OrderView.ts",
        search: `if (present?.status === "inDoubt") return present`,
        replace: ``
      }
    ]
  },
  sabotage(
    "take a decision about a payment that does not fit",
    "ledger/operate/Resolutions.ts",
    `return fitting.includes(as) ? undefined : unfitDecision(as, fitting)`,
    `return undefined`
  ),
  sabotage(
    "end the item of a payment before all that may fail of its adoption",
    "ledger/operate/Adoption.ts",
    `  if (known?.is_owned !== 1 || known.status === "unknown") yield* acknowledgeListed(parts, row.value)
`,
    `  yield* payments.move(row.value, { status: "created", attention: { UnknownPayment: null }, next_at: null })
  if (known?.is_owned !== 1 || known.status === "unknown") yield* acknowledgeListed(parts, row.value)
`
  ),
  sabotage(
    "record what the shop is to be notified of in a process without the handler",
    "ledger/order/PaymentMoves.ts",
    `  if (isReported && (yield* parts.handlers.isLeftToOthers("onPayment"))) return yield* leave(parts, check, decision)
`,
    ``
  ),

  // ---- A row that waits for another one
  ...(
    [
      ["the next change of a payment", "`gopay_change.seq = (SELECT MIN", "`1 = 0 AND gopay_change.seq = (SELECT MIN"],
      [
        "the payment of a change",
        "`gopay_payment.scope = ${source}.scope",
        "`1 = 0 AND gopay_payment.scope = ${source}.scope"
      ],
      [
        "the period of an attempt",
        '`gopay_period.scope = ${source}.scope AND ${periodKey("gopay_period.")}',
        '`1 = 0 AND gopay_period.scope = ${source}.scope AND ${periodKey("gopay_period.")}'
      ],
      [
        "the period that another charge may pay",
        "`gopay_period.scope = ${source}.scope AND gopay_period.status <> 'paid'",
        "`1 = 0 AND gopay_period.scope = ${source}.scope AND gopay_period.status <> 'paid'"
      ],
      [
        "the periods of an escaped order number",
        "gopay_period.status <> 'paid' AND gopay_period.scope",
        "1 = 0 AND gopay_period.scope"
      ],
      [
        "the charges that wait for another one",
        "AND gopay_change.operation = 'createRecurrence' AND gopay_change.status = 'queued'`",
        "AND 1 = 0`"
      ],
      ["a charge that is paid after it was declined", "AND gopay_change.status = 'refused'`", "AND 1 = 0`"],
      ["the subscription of a first payment", "gopay_subscription.awaits = ${source}.order_number`", "1 = 0`"],
      ["the periods that wait for a card", "gopay_period.subscription = ${source}.name", "1 = 0"]
    ] as const
  ).map(([whom, search, replace]) => sabotage(`do not wake ${whom}`, "ledger/store/Wakes.ts", search, replace)),

  // ---- A request that was sent twice
  sabotage(
    "charge although another charge of the order number is known",
    "ledger/change/chargeRefusal.ts",
    `  if (other !== undefined) return { _tag: "MayBeCharged", chargeId: other.id }
`,
    ``
  ),
  sabotage(
    "forget a charge of a payment that is not known",
    "ledger/order/OrderService.ts",
    `isOwn || (yield* knownPayment(parts, Number(child.parent_id))) === undefined`,
    `isOwn`
  ),
  sabotage(
    "send again at once what a copy may have made",
    changeJudgement,
    `operation === "refundPayment" || operation === "createRecurrence"

`,
    `operation === "captureAuthorization"

`
  ),
  {
    name: "take a list that is behind for proof that nothing was made",
    changes: [
      { file: changeJudgement, search: `row.now < agreedAt + listTime`, replace: `row.now < 0` },
      { file: changeJudgement, search: `const pause = isPassing(row) ?`, replace: `const pause = row.now < 0 ?` }
    ]
  },

  // ---- A restored backup
  sabotage(
    "make a charge without a day after a backup was restored",
    "ledger/change/ChargeSteps.ts",
    `releasedAt) > at ? undefined : "Undated"`,
    `releasedAt) > at ? undefined : undefined`
  ),
  sabotage(
    "never let charges go on after a backup was restored",
    "ledger/change/ChargeSteps.ts",
    `madeAt, releasedAt) > at`,
    `madeAt) > at`
  ),

  // ---- A process that says late that it has sent nothing
  sabotage(
    "let an attempt move what is another attempt's",
    "ledger/store/ChangeTable.ts",
    `sql: \`attempt = ? AND status IN (`,
    `sql: \`(attempt = ? OR 1 = 1) AND status IN (`
  ),
  sabotage(
    "give all attempts of a change one name",
    "ledger/change/Steps.ts",
    `const attempt = globalThis.crypto.randomUUID()`,
    `const attempt = row.key`
  ),

  // ---- Texts that were cut, details that are erased
  sabotage(
    "record a key that is stored as another one",
    "ledger/model/LedgerArguments.ts",
    `/\\p{Cs}/u.test(text)`,
    `text === "" && /\\p{Cs}/u.test(text)`
  ),
  sabotage(
    "take a change whose details are erased for one that was never sent",
    "ledger/store/ChangeRow.ts",
    `export const wasSent = ({ sent_at }: Pick<ChangeRow, "sent_at">): boolean => sent_at !== null`,
    `export const wasSent = (row: Pick<ChangeRow, "sent_at">): boolean => (row as ChangeRow).record !== null`
  ),

  sabotage(
    "move an order whatever its version",
    "ledger/store/OrderTable.ts",
    `writeIf({ sql: \`EXISTS (SELECT 1 FROM gopay_order WHERE \${sql})\`, values })`,
    `writeIf({ sql: "1 = 1", values: [] })`
  ),

  // ---- Rows that cannot be read
  sabotage(
    "let an outcome that cannot be read keep all others from the shop",
    "ledger/change/ChangeEvents.ts",
    `return { rows, unreadable: yield* Effect.forEach(unreadable, setEventAside) }`,
    `if (unreadable.length > 0) return yield* Effect.die("It cannot be read.")
    return { rows, unreadable: [] }`
  ),
  sabotage(
    "end a list by pages at a row that cannot be read",
    "ledger/store/TableReads.ts",
    `if (unreadable.length === 0) return rows
    const others`,
    `if (rows.length + unreadable.length > 0) return rows
    const others`
  )
]
