/**
 * The command `ledger`, over a file.
 */
import * as Effect from "effect/Effect"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fileStore, type SqliteTransaction } from "../../src/ledger/promise/index.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"
import { startLocalGateway, type RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import * as Outsider from "../ledger/Outsider.js"
import { stopRefunds } from "../ledger/StoppedRefunds.js"
import { order } from "../ledger/World.js"
import { startWith } from "../support/CommandLine.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let folder: string
let path: string
let local: RunningLocalGateway
let gateway: GatewayClient
let ledger: Ledger<SqliteTransaction>
let id: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "ledger-command-"))
  path = join(folder, "gopay.db")
  local = await startLocalGateway({ settings: partsAtOnce })
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  ledger = createLedger({ gateway, store: fileStore(path, { driver: Database }), onAttention: () => {} })
  await ledger.migrate()
  id = (await gateway.createPayment(order)).id
  await local.payByCard(id)
})

afterEach(async () => {
  await ledger.close()
  await gateway.close()
  await local.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: ReadonlyArray<string>) => runWith({}, ...args)

const runWith = (variables: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  startWith(
    {
      GOPAY_GOID: String(local.merchant.goid),
      GOPAY_CLIENT_ID: local.merchant.clientId,
      GOPAY_CLIENT_SECRET: local.merchant.clientSecret,
      GOPAY_ENVIRONMENT: local.url,
      ...variables
    },
    "ledger",
    ...args
  ).ended

describe("effect-gopay ledger", () => {
  it("lists what needs an operator and what is open, and sends nothing", async () => {
    await stopRefunds(ledger, gateway, id)
    const before = (await local.listRequests()).length
    const { code, complained, said } = await run("list", "--store", path)
    expect({ code, complained }).toEqual({ code: 0, complained: "" })
    expect(said).toMatch(/^Merchant \d+ at http/)
    expect(said).toMatch(
      /^complaint-77 +\d+ +Refund +5\.00 +\S+ \S+Z +\d+ +Refund of unknown origin \(StrangeRefund\)$/m
    )
    expect(said).toMatch(/^complaint-77: Nothing was sent/m)
    expect(said).toMatch(/^complaint-78 +\d+ +Refund +7\.00 +\S+ \S+Z +Queued$/m)
    // A change that needs an operator is not listed as an open one as well.
    expect(said.match(/^complaint-77 /gm)).toHaveLength(1)
    const { attention, open } = JSON.parse((await run("list", "--store", path, "--json")).said)
    expect(attention).toMatchObject([{ key: "complaint-77", kind: "StrangeRefund", amount: 500 }])
    expect(open).toMatchObject([
      { key: "complaint-77", status: "needsOperator" },
      { key: "complaint-78", status: "queued" }
    ])
    expect((await local.listRequests()).length).toBe(before)
  })

  it("says the currency of an amount where the ledger has the payment", async () => {
    const { order_number, ...request } = order
    const checkout = await ledger.checkout(`${order_number}-2`, request)
    const paymentId = checkout.status === "open" ? checkout.paymentId : 0
    await local.payByCard(paymentId)
    await ledger.operator.pause()
    await ledger.refund("complaint-79", paymentId, { amount: 500 }, { waitAtMost: 0 })
    expect((await run("list", "--store", path)).said).toMatch(/^complaint-79 +\d+ +Refund +5\.00 CZK /m)
    expect((await run("show", "complaint-79", "--store", path)).said).toMatch(/^amount +5\.00 CZK$/m)
    expect((await run("search", "--store", path)).said).toMatch(/^complaint-79 +\d+ +Refund +5\.00 CZK /m)
  })

  it("shows a payment with its items, and says what a decision about one does", async () => {
    const { order_number, ...request } = order
    const number = `${order_number}-late`
    const checkout = await ledger.checkout(number, request)
    const paymentId = checkout.status === "open" ? checkout.paymentId : 0
    await ledger.withdrawOrder(number)
    await local.payByCard(paymentId)
    await ledger.getOrder(number)
    await ledger.notificationHandler()(new Request(`https://shop.example/notify?id=${paymentId}`))
    const item = (await ledger.operator.listAttention()).find((one) => one.orderNumber === number)
    const key = item?.key ?? ""
    const { said } = await run("show", key, "--store", path)
    expect(said).toMatch(/^status +paid$/m)
    expect(said).toMatch(/^attention +Paid late \(PaidLate\)$/m)
    expect(said).toMatch(/^decide as +done, notDone, giveBack$/m)
    const version = /^version +(\d+)$/m.exec(said)?.[1] ?? ""
    const decide = ["--as", "giveBack", "--by", "Jana", "--note", "sold out"]
    expect((await run("resolve", key, "--store", path, "--version", version, ...decide)).said).toContain(
      `${key}: giveBack. Its money is given back, and its item ends with that.`
    )
    await ledger.runOnce()
    expect((await gateway.getPaymentRefunds(paymentId)).map(({ amount }) => amount)).toEqual([request.amount])
    await ledger.runOnce()
    expect((await run("show", key, "--store", path)).said).toMatch(/^returned +1,000\.00 CZK$/m)
    expect((await run("show", `${key}9`, "--store", path)).complained).toContain("There is no payment with the key")
  })

  it("speaks Czech when asked to, in what an operator reads, and not in what a program reads", async () => {
    await stopRefunds(ledger, gateway, id)
    await ledger.operator.pause()
    const czech = (...args: ReadonlyArray<string>) => run(...args, "--store", path, "--lang", "cs")
    const { said } = await czech("list")
    expect(said).toMatch(/^Obchodník \d+, brána http/)
    expect(said).toMatch(/^Nic se neodesílá od \d+\. \d+\. \d{4} \d\d:\d\d:\d\d UTC: Ledger je pozastavený\./m)
    expect(said).toMatch(/^Čeká na rozhodnutí:\nKLÍČ +PLATBA +OPERACE +ČÁSTKA +OD +VERZE +DŮVOD$/m)
    expect(said).toMatch(
      /^complaint-77 +\d+ +Refundace +5,00 +\d+\. \d+\. \d{4} \S+ UTC +\d+ +Refundace neznámého původu \(StrangeRefund\)$/m
    )
    expect(said).toMatch(/^complaint-77: Nic nebylo odesláno: u platby je refundace/m)
    expect(said).toMatch(/^complaint-78 .* +Ve frontě$/m)
    const shown = (await czech("show", "complaint-77", "--history")).said
    expect(shown).toMatch(/^stav +Čeká na rozhodnutí \(needsOperator\)$/m)
    expect(shown).toMatch(/^důvod +Refundace neznámého původu \(StrangeRefund\)$/m)
    expect(shown).toMatch(/complaint-77 +\d+ +Čeká na rozhodnutí /)
    expect((await czech("doctor")).complained).toBe("Nalezeno problémů: 2.\n")
    const json = (await run("list", "--store", path, "--json")).said
    expect((await czech("list", "--json")).said).toBe(json)
    const csv = (await run("history", "--store", path, "--csv")).said
    expect((await czech("history", "--csv")).said).toBe(csv)
    const { findings } = JSON.parse((await czech("doctor", "--json")).said)
    expect(findings).toContain("1 items need an operator. See: effect-gopay ledger list.")
    expect((await czech("show", "complaint-99")).complained).toBe("Změna s klíčem complaint-99 neexistuje.\n")
    expect((await czech("show")).complained).toMatch(
      /^Uveďte změnu nebo platbu jejím klíčem\nNápověda: effect-gopay ledger --help$/m
    )
  })

  it("says that nothing is open in a ledger without changes", async () => {
    expect((await run("list", "--store", path)).said).toMatch(/Nothing needs an operator\.\n\nNothing is open\./)
  })

  it("says what is wrong, and what to do", async () => {
    expect(await run("doctor", "--store", path)).toMatchObject({
      code: 1,
      said: expect.stringContaining("No worker has ever run.")
    })
    await ledger.runOnce()
    expect(await run("doctor", "--store", path)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/Nothing is wrong\./)
    })
    await stopRefunds(ledger, gateway, id)
    await ledger.operator.pause()
    const { code, said } = await run("doctor", "--store", path)
    expect(code).toBe(1)
    expect(said).toMatch(/^Nothing is sent\. The ledger is paused\. Call resume\(\)\.$/m)
    expect(said).toMatch(/^1 items need an operator\. See: effect-gopay ledger list\.$/m)
    const { metrics } = JSON.parse((await run("doctor", "--store", path, "--json")).said)
    expect(metrics).toMatchObject({ changes: { needsOperator: 1, queued: 1 }, attention: 1, unreported: 0 })
    expect(await ledger.operator.getMetrics()).toMatchObject({ changes: { needsOperator: 1, queued: 1 } })
  })

  it("shows a change, and puts a decision down by the version that was seen, once", async () => {
    await stopRefunds(ledger, gateway, id)
    const { said } = await run("show", "complaint-77", "--store", path)
    const version = /^version +(\d+)$/m.exec(said)?.[1] ?? ""
    expect(said).toMatch(/^attention +Refund of unknown origin \(StrangeRefund\)$/m)
    expect(said).toMatch(/^decide as +cancelled, byHand$/m)
    const refund = String((await gateway.getPaymentRefunds(id))[0]?.id)
    const decide = (seen: string) =>
      run(
        "resolve",
        "complaint-77",
        "--store",
        path,
        "--version",
        seen,
        "--as",
        "byHand",
        "--refund",
        refund,
        "--by",
        "Jana",
        "--note",
        "by hand"
      )
    expect(await decide(String(Number(version) + 1))).toMatchObject({
      code: 1,
      complained: expect.stringContaining("moved")
    })
    expect(await decide(version)).toMatchObject({
      code: 0,
      said: expect.stringContaining("Done. Made by hand, says Jana: by hand")
    })
    expect((await decide(version)).code).toBe(1)
    expect(await ledger.getOutcome("complaint-77")).toMatchObject({ _tag: "Done", how: "operator" })
    const { said: steps } = await run("show", "complaint-77", "--store", path, "--history")
    expect(steps).toMatch(/^TIME +KEY +VERSION +STATUS +PROCESS +MESSAGE$/m)
    expect(steps).toMatch(
      /complaint-77 +\d+ +Needs a decision +\S+ +Refund of unknown origin \(StrangeRefund\): Nothing was sent/
    )
    expect(steps).toMatch(/complaint-77 +\d+ +Done +\S+ +Made by hand, says Jana: by hand$/m)
    const { said: csv } = await run("history", "--store", path, "--csv")
    expect(csv).toMatch(/^id,at,key,operation,/)
    expect(csv).toMatch(/,done,,,\d+,,"Made by hand, says Jana: by hand",/)
    const all = JSON.parse((await run("history", "--store", path, "--json")).said)
    expect(all).toEqual(await ledger.operator.listHistory())
    // The next change of the payment continues, in the shop's own process.
    await ledger.runOnce()
    expect(new Set((await gateway.getPaymentRefunds(id)).map(({ amount }) => amount))).toEqual(new Set([500, 700]))
  })

  it.each([
    [[], 2, "Name one of list, show, history, search, subscriptions, subscription, resolve, acknowledge"],
    [["sell"], 2, "Unknown: sell"],
    [["constructor"], 2, "Unknown: constructor"],
    [["acknowledge", "1", "--store", "x"], 2, "the refund by its id"],
    [["acknowledge", "1", "2", "--store", "x", "--by", "Jana"], 2, "--note"],
    [["distrust", "--store", "x"], 2, "--since"],
    [["distrust", "--store", "x", "--since", "yesterday"], 2, "--since"],
    [["health", "now", "--store", "x"], 2, "Unexpected argument: now"],
    [["history", "--store", "x", "--csv", "--json"], 2, "not both"],
    [["list"], 2, "--store"],
    [["show", "--store", "x"], 2, "by its key"],
    [["resolve", "a", "--store", "x"], 2, "--version"],
    [["retire", "onOrder", "--store", "x"], 2, "onPayment, onChange or onSubscription"],
    [["resolve", "a", "--store", "x", "--version", "1", "--as", "maybe"], 2, "--as, one of done"],
    [["resolve", "a", "--store", "x", "--version", "1", "--as", "done", "--by", " "], 2, "--by"],
    [["list", "--store", "/none/at/all.db"], 1, "There is no file /none/at/all.db"]
  ])("%j: status %i, %s", async (args, code, message) => {
    const failed = await run(...args)
    expect(failed.code).toBe(code)
    expect(failed.complained.replaceAll("\n", " ")).toContain(message)
  })

  it("lists subscriptions, and prints one with its periods", async () => {
    expect(await run("subscriptions", "--store", path)).toMatchObject({
      code: 0,
      said: expect.stringContaining("There are no subscriptions.")
    })
    const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
    const first = await ledger.checkout("eva-1", { amount: 100, currency: "CZK", callback: order.callback, recurrence })
    const paymentId = first.paymentId ?? 0
    await local.payByCard(paymentId)
    await ledger.notificationHandler()(new Request(`https://shop.example/notify?id=${paymentId}`))
    await ledger.createSubscription("eva", { orderNumber: "eva-1", maximum: 50_000, currency: "CZK" })
    await ledger.createSubscription("jan", { orderNumber: "jan-1", maximum: 30_000, currency: "CZK" })
    await ledger.chargePeriod("eva", "2026-01", { amount: 29_900 })
    await ledger.runOnce()
    const all = await run("subscriptions", "--store", path)
    expect(all.said).toMatch(new RegExp(`^eva +active +500\\.00 CZK +${paymentId}`, "m"))
    expect(all.said).toMatch(/^jan +waiting for its first payment +300\.00 CZK +jan-1$/m)
    const active = await run("subscriptions", "--store", path, "--status", "active", "--json")
    expect(JSON.parse(active.said)).toMatchObject([{ name: "eva" }])
    const after = await run("subscriptions", "--store", path, "--after", "eva", "--limit", "1", "--json")
    expect(JSON.parse(after.said)).toMatchObject([{ name: "jan" }])
    const one = await run("subscription", "eva", "--store", path)
    expect(one.said).toMatch(/^2026-01 +paid +299\.00 CZK +1 +\d+ +subscription:eva:2026-01:1$/m)
    expect(await run("subscription", "nobody", "--store", path)).toMatchObject({
      code: 1,
      complained: expect.stringContaining("There is no subscription nobody.")
    })
    expect(await run("subscriptions", "--store", path, "--after", "nobody")).toMatchObject({ code: 1 })
    expect(await run("subscriptions", "--store", path, "--status", "paid")).toMatchObject({ code: 2 })
  })

  it("acknowledges a refund that was made elsewhere, so that the change goes on", async () => {
    await stopRefunds(ledger, gateway, id)
    const [refund] = await gateway.getPaymentRefunds(id)
    const reason = ["--by", "Jana", "--note", "another complaint"]
    const { code, said } = await run("acknowledge", String(id), String(refund?.id), "--store", path, ...reason)
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("is acknowledged.") })
    await ledger.runOnce()
    expect(await ledger.getOutcome("complaint-77")).toMatchObject({ _tag: "Done" })
  })

  it("lists two items of one payment, and decides the one of a kind", async () => {
    await ledger.checkout("1", order)
    await Effect.runPromise(Outsider.payLateAndHold(fileStore(path, { driver: Database })))
    const { said } = await run("list", "--store", path)
    const version = /^order:1:1 .* (\d+) +Paid late \(PaidLate\)$/m.exec(said)?.[1] ?? ""
    expect(said).toMatch(/^order:1:1 .* Hold not ended \(HoldNotEnded\)$/m)
    expect((await run("search", "--store", path, "--order", "1")).said).toContain(
      "Paid late (PaidLate), Hold not ended (HoldNotEnded)"
    )
    const resolve = (...more: ReadonlyArray<string>) => {
      const decision = ["--version", version, "--as", "done", "--by", "Jana", "--note", "seen", ...more]
      return run("resolve", "order:1:1", "--store", path, ...decision)
    }
    expect(await resolve()).toMatchObject({ code: 1, complained: expect.stringContaining("PaidLate and HoldNotEnded") })
    expect(await resolve("--kind", "Late")).toMatchObject({ code: 2, complained: expect.stringContaining("--kind") })
    expect(await resolve("--kind", "HoldNotEnded")).toMatchObject({ code: 0 })
    expect((await ledger.operator.listAttention()).map(({ kind }) => kind)).toEqual(["PaidLate"])
    expect(await resolve()).toMatchObject({ code: 0 })
    expect(await ledger.operator.listAttention()).toEqual([])
  })

  it.each([
    ["a mistyped key", "complaint-88@1", "There is no change with the key complaint-88."],
    ["of an item that is not there", "order:9:1@1", "There is nothing to decide about the payment order:9:1."],
    ["one that needs another decision", "decided@2", "decided: cancelled does not fit it. What fits: undecided."]
  ])("decides none of several keys where the last one is %s", async (_, last, sentence) => {
    await ledger.operator.pause()
    await ledger.refund("decided", id, { amount: 100 }, { waitAtMost: 0 })
    await ledger.operator.resolveChange("decided", { version: 1, as: "cancelled", by: "Eva", note: "twice" })
    await ledger.operator.resume()
    await ledger.checkout("1", order)
    await stopRefunds(ledger, gateway, id)
    await Effect.runPromise(Outsider.payLateAndHold(fileStore(path, { driver: Database })))
    const isPayment = last.startsWith("order")
    const items = await ledger.operator.listAttention()
    const first = items.find(({ kind }) => kind === (isPayment ? "PaidLate" : "StrangeRefund"))
    const decision = isPayment ? ["--as", "done", "--kind", "PaidLate"] : ["--as", "cancelled"]
    const keys = [`${first?.key}@${first?.version}`, last]
    const signature = ["--store", path, "--by", "Jana", "--note", "seen"]
    const resolved = await run("resolve", ...keys, ...decision, ...signature)
    expect(resolved).toMatchObject({ code: 1, complained: expect.stringContaining(sentence) })
    expect(await ledger.operator.listAttention()).toEqual(items)
  })

  it("does not decide that a change was not done while the ledger looks for it, unless it is told to", async () => {
    await local.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
    await ledger.refund("lost", id, { amount: 500 })
    const { status, version } = (await ledger.operator.getChange("lost")) ?? {}
    expect(status).toBe("unknown")
    const decision = ["--version", String(version), "--as", "notDone", "--by", "Jana", "--note", "not listed"]
    const resolve = (...more: ReadonlyArray<string>) => run("resolve", "lost", "--store", path, ...decision, ...more)
    expect(await resolve()).toMatchObject({
      code: 1,
      complained: expect.stringContaining("GoPay may yet carry it out")
    })
    expect(await ledger.operator.getChange("lost")).toMatchObject({ status: "unknown", version })
    expect((await resolve("--early")).said).toContain("lost: Refused. ")
  })

  it("records what one operator acknowledges above the limit, until another one does", async () => {
    await stopRefunds(ledger, gateway, id)
    const [refund] = await gateway.getPaymentRefunds(id)
    const acknowledge = (by: string) => {
      const reason = ["--by", by, "--note", "another complaint", "--dual-approval-above", "4.99"]
      return run("acknowledge", String(id), String(refund?.id), "--store", path, ...reason)
    }
    expect((await acknowledge("Jana")).said).toContain("Another operator has to acknowledge refund")
    expect((await acknowledge("Petr")).said).toContain("is acknowledged.")
  })

  it.each([
    ["cancelled", "queued", "Refused"],
    ["undecided", "refused", "Pending"]
  ])("takes %s of two operators above the limit", async (as, before, after) => {
    await ledger.refund("a", id, { amount: 500 }, { waitAtMost: 0 })
    if (before === "refused") {
      await ledger.operator.resolveChange("a", { version: 1, as: "cancelled", by: "Eva", note: "twice" })
    }
    const decide = async (by: string) => {
      const version = String((await ledger.operator.getChange("a"))?.version)
      const decision = ["--version", version, "--as", as, "--by", by, "--note", "seen", "--dual-approval-above", "4.99"]
      return run("resolve", "a", "--store", path, ...decision)
    }
    for (const by of ["Jana", " JANÁ"]) {
      expect(await decide(by)).toMatchObject({ code: 0 })
      expect(await ledger.operator.getChange("a")).toMatchObject({ status: before, proposal: { as } })
    }
    expect((await decide("Petr")).said).toContain(`a: ${after}. `)
  })

  it("lets the charges of a first payment go on that a restore has stopped", async () => {
    const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
    const first = (await gateway.createPayment({ ...order, recurrence })).id
    await local.payByCard(first)
    await ledger.operator.distrust({ since: new Date(Date.now() - 60_000) })
    const charge = { amount: 500, currency: "CZK", order_number: "2" } as const
    const charged = () => ledger.charge("charge", first, charge, { waitAtMost: 2_000 })
    expect(await charged()).toMatchObject({ _tag: "InDoubt", needsOperator: true })
    const release = (...reason: ReadonlyArray<string>) => run("release", String(first), "--store", path, ...reason)
    expect(await release("--by", "Jana")).toMatchObject({ code: 2, complained: expect.stringContaining("--note") })
    const two = ["--note", "none on the statement", "--dual-approval-above", "4.99"]
    expect((await release("--by", "Jana", ...two)).said).toContain("Another operator has to release the charges")
    const { code, said } = await release("--by", "Petr", ...two)
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining(`of payment ${first} go on.`) })
    await ledger.runOnce()
    expect(await charged()).toMatchObject({ _tag: "Done" })
  })

  it("gives up a handler", async () => {
    const retired = await run("retire", "onChange", "--store", path)
    expect(retired).toMatchObject({ code: 0, said: expect.stringContaining("onChange is given up.") })
  })

  it("says whether anything is sent, pauses, resumes and distrusts", async () => {
    expect(await run("health", "--store", path)).toMatchObject({ code: 0 })
    expect((await run("pause", "--store", path)).said).toMatch(/^Nothing is sent since \S+ \S+Z: .*paused/m)
    expect(await run("health", "--store", path)).toMatchObject({
      code: 1,
      said: expect.stringContaining("Nothing is sent since")
    })
    expect((await run("list", "--store", path)).said).toMatch(/^Nothing is sent since/m)
    expect((await run("resume", "--store", path)).said).toContain("Changes are sent.")
    await ledger.operator.pause()
    expect((await run("distrust", "--store", path, "--since", "2026-11-20T03:00:00Z")).said).toContain(
      "Changes are sent."
    )
    expect(await ledger.getHealth()).toMatchObject({ isSending: true })
  })

  it("says whose rows it does not show, and exits with 1 when they are all of others", async () => {
    const list = () => run("list", "--store", path)
    await ledger.refund("mine", id, { amount: 500 })
    const store = fileStore(path, { driver: Database })
    await Effect.runPromise(Outsider.insertChangeOfOtherMerchant(store))
    const both = await list()
    expect(both.code).toBe(0)
    expect(both.said).toMatch(
      /^Not shown, rows of other merchants:\n.*\n8999999999 +https:\/\/gate\.example\.com\/api +1 +1$/m
    )
    expect(both.said).toContain("Nothing of this merchant needs an operator.")
    await Effect.runPromise(Outsider.forgetChange(store, "mine"))
    expect(await list()).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^Merchant \d+ at http:\/\/[\d.:]+\n\nNot shown, rows of other merchants:\n/),
      complained: expect.stringContaining("rows of other merchants only. Set GOPAY_GOID")
    })
    await store.close()
  })

  it("tells of a key that is not there, of an installation that is another, and of a terminal's own characters", async () => {
    expect(await run("show", "x\u001b[31m", "--store", path)).toMatchObject({
      code: 1,
      complained: expect.stringContaining("key x?[31m.")
    })
    expect(await run("list", "--store", path, "--installation", "test")).toMatchObject({
      code: 1,
      complained: expect.stringContaining("another installation")
    })
  })

  it("takes the installation from GOPAY_INSTALLATION, as the shop does; an option comes first, an empty variable is none", async () => {
    const list = (GOPAY_INSTALLATION: string, ...args: ReadonlyArray<string>) =>
      runWith({ GOPAY_INSTALLATION }, "list", "--store", path, ...args)
    const other = { code: 1, complained: expect.stringContaining("another installation") }
    expect(await list("shop")).toMatchObject(other)
    expect(await list("")).toMatchObject({ code: 0 })
    expect(await list("shop", "--installation", "main")).toMatchObject({ code: 0 })
  })
})
