/**
 * Scenes of a shop and its operators that no random day reaches: the events are scripted, and a seed decides how, when,
 * and in which order. Each is judged by what the gateway has made, and by what was reported to the shop.
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { createRecurrence, getPaymentRefunds, refundPayment, type RefundHistoryItem } from "../../src/index.js"
import type { ChangeDecision } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { Chance } from "../simulation/Chance.js"
import { idOf, notify, request, reportedOf, withBooks } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { orderScenes } from "./OrderScenes.js"
import { later, passMinutes, said, type Scene, type Services, type Violations } from "./SceneSteps.js"
import { arm, charge, children, first, lost, notify as notifyOf, unanswered } from "./RecurrenceScene.js"
import { statements } from "./FailingStore.js"
import { emptied, isDueIn, wakeScenes } from "./WakeScenes.js"
import { reportedChangesOf, withReportedChanges } from "./ReportedChanges.js"
import { held, inWorld, paid, refunded, refundedByHand, type TestLedger, type World } from "./World.js"

const decide = (
  ledger: TestLedger,
  key: string,
  as: ChangeDecision,
  more: { readonly chargeId?: number; readonly refundId?: number } = {}
) =>
  Effect.flatMap(ledger.operator.getChange(key), (change) =>
    ledger.operator.resolveChange(key, { version: change?.version ?? 0, as, early: true, ...said, ...more })
  )

// ---------------------------------------------------------------------------------------------------------------------
// A payment that is another one than was asked for
// ---------------------------------------------------------------------------------------------------------------------

const orderNumber = "O'Neill & Co"

/** What a gateway shows of a payment that is another one. */
const wrongs: ReadonlyArray<World["listed"]["seePayment"]> = [
  { amount: 1 },
  { amount: 99_999 },
  { currency: "EUR" },
  { order_number: "2" },
  { target: { type: "ACCOUNT", goid: 8_000_000_000 } }
]

/** Differences that the requested payment may show. */
const rights: typeof wrongs = [
  { order_number: undefined },
  { target: undefined },
  { order_number: "O&#39;Neill &amp; Co" },
  { order_number: undefined, target: undefined }
]

const captured = 30_000

/** The ways by which a shop learns of a payment, and what it may have heard by then. */
const doors = (world: World, ledger: TestLedger, id: number) => [
  notify(ledger, id),
  ledger.verifyReturn(`https://shop.example/return?id=${id}`),
  passMinutes(world, ledger, 6),
  ledger.checkout(orderNumber, request)
]

const anotherPayment: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { listed, reported } = world
    const ledger = yield* withBooks(world)
    const isHeld = chance.percent(25)
    const isOther = chance.percent(60)
    const id = idOf(yield* ledger.checkout(orderNumber, isHeld ? { ...request, preauthorization: true } : request))
    yield* Effect.orDie(LocalGateway.payByCard(id))
    if (isHeld) {
      yield* notify(ledger, id)
      yield* ledger.capturePartial("part", id, { amount: captured })
    }
    const before = yield* reportedOf(world)
    const right = isHeld ? { amount: chance.pick(captured, request.amount) } : chance.pick({}, ...rights)
    listed.seePayment = isOther ? chance.pick({ amount: 2 }, ...wrongs) : right
    for (let time = 0; time < 4; time++) {
      const [door = Effect.void, ...others] = doors(world, ledger, id)
      yield* Effect.exit<unknown, unknown, Services>(
        chance.pick<Effect.Effect<unknown, unknown, Services>>(door, ...others)
      )
    }
    yield* passMinutes(world, ledger, 120, 5)
    const heard = (yield* reportedOf(world)).slice(before.length)
    const kinds = reported.map(({ kind }) => kind)
    if (!isOther) {
      if (!heard.includes("paid")) violations.push("every paid period is reported")
      if (kinds.length > 0) violations.push("no operator is asked for nothing")
      return
    }
    // What an authorization was known by is still the shop's.
    if (heard.includes("paid")) violations.push("the money of another payment is not taken")
    if (kinds.join() !== "PaymentMismatch") violations.push("of another payment an operator is asked, once")
    const [item] = yield* ledger.operator.listAttention()
    if (item === undefined || isHeld) return
    const as = chance.pick("accepted" as const, "refused" as const)
    yield* ledger.operator.resolvePayment(item.key, { version: item.version, as, ...said })
    yield* passMinutes(world, ledger, 120, 30)
    if ((yield* reportedOf(world)).includes("paid") !== (as === "accepted")) {
      violations.push("the money of another payment is taken when an operator accepts it, and only then")
    }
  })

// ---------------------------------------------------------------------------------------------------------------------
// A refund in doubt, and an operator who takes over its payment
// ---------------------------------------------------------------------------------------------------------------------

const adoption: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { ledger, pass } = world
    const id = yield* paid
    const byHand = new Set<number>()
    for (let time = chance.below(3); time > 0; time--) {
      byHand.add((yield* refundedByHand(id, chance.pick(500, 700))).id)
    }
    // The ledger came to be after them.
    yield* pass("1 hour")
    yield* Outsider.beginNow(world.store)
    const seconds = chance.pick(20, 90, 600, 900)
    const fault = chance.percent(25) ? unanswered : ({ type: "commitLater", seconds } as const)
    yield* Effect.orDie(LocalGateway.armFault(fault, { operation: "refundPayment" }))
    yield* ledger.refund("a", id, { amount: 500 }, later)
    yield* ledger.runOnce()
    // It is made after the last read, and before the operator comes.
    if (chance.percent(50)) yield* passMinutes(world, ledger, 1)
    yield* pass(`${seconds + chance.pick(5, 60)} seconds`)
    if (chance.percent(30)) byHand.add((yield* refundedByHand(id, 700)).id)
    const isAdopted = chance.percent(60)
    if (isAdopted) yield* ledger.operator.adoptPayment("1", id)
    const isOwn = (entry: RefundHistoryItem) => !byHand.has(entry.id)
    for (const entry of isAdopted ? [] : yield* Effect.orDie(getPaymentRefunds(id))) {
      yield* Effect.exit(ledger.operator.acknowledgeRefund(id, entry.id, said))
    }
    yield* passMinutes(world, ledger, 60, 2)
    const own = (yield* Effect.orDie(getPaymentRefunds(id))).find(isOwn)
    const items = yield* ledger.operator.listAttention()
    const found = yield* ledger.getOutcome("a")
    const isSeen =
      (found?._tag === "Done" && found.refundId === own?.id) ||
      items.some(({ key, message }) => key === "a" && message.includes(String(own?.id)))
    if (!isSeen) violations.push("what came of a refund is found, whoever takes over its payment")
  })

// ---------------------------------------------------------------------------------------------------------------------
// A charge that a restored backup has forgotten
// ---------------------------------------------------------------------------------------------------------------------

const forgottenCharge: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { ledger, pass, store } = world
    const id = yield* first
    const isDated = chance.percent(30)
    const asked = { ...charge, ...(isDated ? { day: "1970-01-02" } : {}) }
    yield* pass(`${chance.between(1, 60)} minutes`)
    yield* Effect.promise(() => store.backUp())
    const since = new Date(yield* Clock.currentTimeMillis)
    if (chance.percent(30)) yield* arm(unanswered)
    yield* ledger.charge("a", id, asked, later)
    yield* ledger.runOnce()
    yield* pass(`${chance.between(1, 60)} minutes`)
    yield* Effect.promise(() => store.restore())
    yield* ledger.operator.distrust({ since })
    yield* pass("1 minute")
    const ask = Effect.gen(function* () {
      if (chance.percent(50)) yield* ledger.charge("a", id, asked)
      else {
        yield* ledger.charge("a", id, asked, later)
        yield* ledger.runOnce()
      }
      yield* passMinutes(world, ledger, 20, 5)
    })
    yield* ask
    if (chance.percent(50)) yield* ask
    const made = yield* children
    if (made.length !== 1) return void violations.push("no change is made twice")
    yield* decide(ledger, "a", "done", { chargeId: made[0]?.id ?? 0 })
    yield* ledger.operator.releaseCharges(id, said)
    const next = yield* ledger.charge("b", id, { ...charge, order_number: "sub-2" })
    if (next._tag !== "Done") violations.push("charges that an operator has released go on")
  })

// ---------------------------------------------------------------------------------------------------------------------
// A refund that a restored backup has forgotten, beside one that was lost before the backup
// ---------------------------------------------------------------------------------------------------------------------

const forgottenRefund: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { makeProcess, pass, store } = world
    const ledger = yield* makeProcess({ noOtherRefunders: true })
    const id = yield* paid
    yield* Effect.orDie(LocalGateway.armFault(lost, { operation: "refundPayment" }))
    yield* ledger.refund("a", id, { amount: 500 }, later)
    yield* ledger.runOnce()
    yield* passMinutes(world, ledger, chance.between(1, 60), 5)
    yield* Effect.promise(() => store.backUp())
    const since = new Date(yield* Clock.currentTimeMillis)
    yield* pass("1 day")
    yield* ledger.runOnce()
    yield* decide(ledger, "a", "notDone")
    yield* ledger.refund("b", id, { amount: chance.percent(80) ? 500 : 400 })
    yield* passMinutes(world, ledger, chance.between(1, 60), 5)
    yield* Effect.promise(() => store.restore())
    yield* ledger.operator.distrust({ since })
    yield* passMinutes(world, ledger, 30, 5)
    if (chance.percent(50)) yield* ledger.refund("b", id, { amount: 500 }, later)
    yield* passMinutes(world, ledger, 30, 5)
    if ((yield* ledger.getOutcome("a"))?._tag === "Done") violations.push("no refund is taken for another one")
    if ((yield* refunded(id)).length !== 1) violations.push("no change is made twice")
  })

// ---------------------------------------------------------------------------------------------------------------------
// Keys and order numbers that were cut inside a character
// ---------------------------------------------------------------------------------------------------------------------

const cutTexts: Scene = ({ ledger }, chance, violations) =>
  Effect.gen(function* () {
    const text = chance.pick("complaint 77 ", "")
    const texts = [`${text}\ud83d`, `${text}\ud83c`, `${text}\udc00`].slice(chance.below(2))
    const whole = `${text}😀`
    const id = yield* paid
    const answers = yield* Effect.forEach([...texts, whole], (key) =>
      Effect.result(ledger.refund(key, id, { amount: 500 }))
    )
    const done = answers.filter((one) => one._tag === "Success" && one.success._tag === "Done")
    if (done.length !== (yield* refunded(id)).length) violations.push("two keys are two changes")
    const orders = yield* Effect.forEach([...texts, whole], (number) => Effect.result(ledger.checkout(number, request)))
    const opened = orders.flatMap((one) => (one._tag === "Success" ? [idOf(one.success)] : []))
    if (opened.length === 0 || new Set(opened).size < opened.length) violations.push("two orders are two payments")
  })

// ---------------------------------------------------------------------------------------------------------------------
// A decision that is taken back when the details of its change are erased
// ---------------------------------------------------------------------------------------------------------------------

const takenBack: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { ledger, pass, sent } = world
    const what = chance.pick("capture", "release", "refund")
    const operation = operations[what]
    yield* Effect.orDie(
      LocalGateway.armFault(chance.pick<typeof lost | typeof unanswered>(lost, unanswered), { operation })
    )
    if (what === "refund") yield* ledger.refund("a", yield* paid, { amount: 500 }, later)
    else yield* ledger[what]("a", yield* held, later)
    yield* ledger.runOnce()
    yield* passMinutes(world, ledger, chance.below(3))
    const before = yield* ledger.getOutcome("a")
    if (before?._tag !== "InDoubt") return
    yield* decide(ledger, "a", "notDone")
    yield* pass("1 day")
    if (chance.percent(80)) yield* ledger.operator.eraseDetails({ olderThan: "1 hour" })
    yield* Effect.exit(decide(ledger, "a", "undecided"))
    yield* passMinutes(world, ledger, 20, 5)
    if (sent.length !== 1) violations.push("no change is made twice")
  })

const operations = {
  capture: "captureAuthorization",
  release: "voidAuthorization",
  refund: "refundPayment"
} as const

// ---------------------------------------------------------------------------------------------------------------------
// A process that says late that it has sent nothing
// ---------------------------------------------------------------------------------------------------------------------

/** Its first statement takes effect without an acknowledgement. Before the next one, another process has sent the change. */
const lateWriter: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { ledger, listed, makeProcess, pass, sent, store } = world
    const context = yield* Effect.context<Services>()
    const id = yield* first
    const other = yield* makeProcess()
    yield* ledger.charge("a", id, charge, later)
    const status = chance.pick(500, 503)
    listed.fails = ({ method }) => (method === "GET" ? status : undefined)
    store.fail(statements.notSent, "failsAfter")
    store.before(statements.notSent, async () => {
      listed.fails = () => undefined
      store.before(statements.notSent, () =>
        Effect.runPromiseWith(context)(
          Effect.gen(function* () {
            yield* arm(unanswered)
            for (let minute = 0; sent.length === 0 && minute < 60; minute++) {
              yield* pass("1 minute")
              yield* other.runOnce()
            }
          })
        )
      )
    })
    const late = yield* Effect.forkChild(ledger.runOnce())
    while (late.pollUnsafe() === undefined) yield* Effect.andThen(pass("1 second"), turnOfTheLoop)
    yield* passMinutes(world, ledger, 180, 10)
    if (sent.length !== 1 || (yield* children).length !== 1) violations.push("no change is made twice")
  })

/** Lets everything continue that does not wait for the clock. */
const turnOfTheLoop = Effect.promise(() => new Promise(setImmediate))

// ---------------------------------------------------------------------------------------------------------------------

// ---------------------------------------------------------------------------------------------------------------------
// A request that something between has sent twice: the first was taken, and the answer to the second one passes
// ---------------------------------------------------------------------------------------------------------------------

const sentTwice: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { hooks, ledger, listed, reported } = world
    const context = yield* Effect.context<Services>()
    const isCharge = chance.percent(50)
    const id = isCharge ? yield* first : yield* paid
    const fault = chance.pick<Parameters<typeof LocalGateway.armFault>[0]>(
      { type: "rateLimited" },
      { type: "htmlForbidden" },
      { type: "refusal", code: isCharge ? 341 : 333 }
    )
    let copy = 0
    const sending = Effect.gen(function* () {
      const { attempt = "" } = (yield* ledger.operator.getHistory("a")).at(-1) ?? {}
      const additional_params = [{ name: "effect-gopay", value: attempt }]
      if (isCharge) copy = (yield* createRecurrence(id, { ...charge, additional_params })).id
      else yield* refundPayment(id, { amount: 500 })
      const operation = isCharge ? "createRecurrence" : "refundPayment"
      yield* LocalGateway.armFault(fault, { operation })
    })
    hooks.push(Effect.orDie(Effect.provideContext(sending, context)))
    if (!isCharge) listed.see = () => []
    if (isCharge) yield* ledger.charge("a", id, charge, later)
    else yield* ledger.refund("a", id, { amount: 500 }, later)
    yield* passMinutes(world, ledger, chance.between(1, 9))
    listed.see = (list) => list
    if (isCharge) yield* notifyOf(ledger, copy, id)
    yield* passMinutes(world, ledger, 180, 10)
    const count = isCharge ? (yield* children).length : (yield* refunded(id)).length
    if (count !== 1) violations.push("no change is made twice")
    if ((yield* ledger.getOutcome("a"))?._tag !== "Done") violations.push("what was made is found")
    if (reported.some(({ kind }) => kind === "InDoubt")) violations.push("no operator is asked for nothing")
  })

// ---------------------------------------------------------------------------------------------------------------------
// Two operators: who take one refund of the list for two changes at once, or one of whom does what takes two
// ---------------------------------------------------------------------------------------------------------------------

const twoOwners: Scene = ({ ledger, pass, store }, chance, violations) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Services>()
    const id = yield* paid
    yield* LocalGateway.armFault({ type: "connectionReset", effect: "none" }, { operation: "refundPayment" })
    yield* ledger.refund("sent", id, { amount: 500 }, later)
    yield* ledger.runOnce()
    yield* ledger.refund("queued", id, { amount: 500 }, later)
    const refundId = (yield* refundedByHand(id, 500)).id
    yield* pass(`${chance.between(1, 60)} minutes`)
    const takes = [
      Effect.suspend(() => decide(ledger, "sent", "done", { refundId })),
      Effect.suspend(() => decide(ledger, "queued", "byHand", { refundId }))
    ]
    const [first, second] = chance.percent(50) ? takes : takes.toReversed()
    if (first === undefined || second === undefined) return
    store.before(/UPDATE gopay_change SET .*entry = \?/s, () =>
      Effect.runPromiseWith(context)(Effect.asVoid(Effect.result(first)))
    )
    yield* Effect.result(second)
    const outcomes = yield* Effect.forEach(["sent", "queued"], (key) => ledger.getOutcome(key))
    const owners = outcomes.filter((outcome) => outcome?._tag === "Done" && outcome.refundId === refundId)
    if (owners.length !== 1) violations.push("a refund of the list belongs to one change")
  })

const twoOperators: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { makeProcess, sent } = world
    const ledger = yield* makeProcess({ dualApprovalAbove: 100 })
    const id = yield* paid
    const decideBy = (by: string, as: ChangeDecision) =>
      Effect.flatMap(ledger.operator.getChange("a"), (change) =>
        ledger.operator.resolveChange("a", { version: change?.version ?? 0, as, ...said, by })
      )
    if (chance.percent(50)) {
      yield* ledger.refund("a", id, { amount: 500 }, later)
      for (const by of ["Jana", "Petr"]) yield* decideBy(by, "cancelled")
      yield* Effect.result(decideBy(chance.pick("Jana", "Petr"), "undecided"))
      yield* passMinutes(world, ledger, 20, 5)
      if (sent.length > 0) violations.push("two operators take back what two have decided")
      return
    }
    yield* LocalGateway.armFault({ type: "rateLimited", seconds: 60 }, { operation: "refundPayment" })
    yield* ledger.refund("a", id, { amount: 500 }, later)
    yield* ledger.runOnce()
    yield* decideBy("Jana", "done")
    yield* LocalGateway.armFault(unanswered, { operation: "refundPayment" })
    for (let minute = 0; minute < 30 && sent.length < 2; minute++) yield* passMinutes(world, ledger, 1)
    const decided = yield* Effect.result(decideBy("Petr", "done"))
    if (decided._tag === "Success" && decided.success._tag === "Done") {
      violations.push("what is said of an attempt counts for no other one")
    }
  })

// ---------------------------------------------------------------------------------------------------------------------
// A charge with the order number of one that was made without the ledger, and that is notified, or adopted by an operator
// ---------------------------------------------------------------------------------------------------------------------

const knownCharge: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { ledger } = world
    const id = yield* first
    const other = (yield* Effect.orDie(createRecurrence(id, charge))).id
    const known: Effect.Effect<unknown, unknown> = chance.percent(50)
      ? ledger.operator.adoptPayment(charge.order_number, other)
      : notifyOf(ledger, other, chance.percent(50) ? id : undefined)
    const ask = ledger.charge("a", id, charge, later)
    for (const step of chance.percent(50) ? [known, ask] : [ask, known]) yield* Effect.orDie(step)
    yield* passMinutes(world, ledger, 30, 5)
    if ((yield* children).length !== 1) violations.push("no charge is made beside one that is known")
  })

// ---------------------------------------------------------------------------------------------------------------------
// A payment that is paid late, beside another one of its order: two items, of which one ends by itself
// ---------------------------------------------------------------------------------------------------------------------

const twoItems: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const ledger = yield* withBooks(world)
    const itemsOf = (id: number) =>
      Effect.map(ledger.operator.listAttention(), (items) => items.filter(({ paymentId }) => paymentId === id))
    const late = idOf(yield* ledger.checkout("1", request, { payWithin: "1 hour" }))
    yield* passMinutes(world, ledger, 65, 5)
    const other = idOf(yield* ledger.checkout("1", request, { replace: true }))
    for (const id of [other, late]) {
      yield* LocalGateway.payByCard(id)
      yield* notify(ledger, id)
      yield* world.pass("1 second")
    }
    const before = yield* itemsOf(late)
    if (before.map(({ kind }) => kind).join() !== "PaidLate,PaidTwice")
      violations.push("no item overwrites another one")
    // The payments are read meanwhile.
    yield* passMinutes(world, ledger, chance.between(30, 300), 5)
    const seen = yield* itemsOf(late)
    if (seen.some(({ version }, index) => version !== before[index]?.version)) {
      violations.push("the version of an item moves with what an operator sees of it")
    }
    yield* ledger.refund("back", other, { amount: request.amount })
    yield* passMinutes(world, ledger, 60, 5)
    const [left, ...more] = yield* itemsOf(late)
    if (left?.kind !== "PaidLate" || more.length > 0) violations.push("an item ends by its own cause only")
    yield* ledger.operator.resolvePayment(left?.key ?? "", { ...said, version: seen[0]?.version ?? 0, as: "done" })
    if ((yield* itemsOf(late)).length > 0) violations.push("an operator decides what has not changed since it was seen")
  })

// ---------------------------------------------------------------------------------------------------------------------
// Rows that cannot be read: each stops itself only
// ---------------------------------------------------------------------------------------------------------------------

const oddRows: Scene = (world, chance, violations) =>
  Effect.gen(function* () {
    const { pass, store } = world
    let isAway = true
    const ledger = yield* withReportedChanges(world, { before: () => (isAway ? Effect.fail("away") : Effect.void) })
    const keys = ["a", "b", "c", "d"]
    for (const key of keys) {
      yield* ledger.refund(key, yield* paid, { amount: 500 })
      yield* pass("1 second")
    }
    const odd = chance.pick("a", ...keys)
    const edit = chance.pick(Outsider.spoilEvent, Outsider.writeUnknownHistory, Outsider.cutRequest)
    yield* edit(store, odd)
    isAway = false
    yield* passMinutes(world, ledger, 20)
    for (const key of keys) {
      const isTold = (yield* reportedChangesOf(world, key)).length > 0
      if (isTold === (key === odd)) violations.push("an outcome that cannot be read keeps only itself from the shop")
    }
    if (!world.reported.some(({ kind }) => kind === "UnreadableRow")) violations.push("what cannot be read is reported")
    const listed: Array<string> = []
    for (let after: string | undefined; listed.length < 9;) {
      const page = yield* ledger.operator.listChanges({ limit: 1, ...(after === undefined ? {} : { after }) })
      after = page.at(-1)?.key
      if (after === undefined) break
      listed.push(after)
    }
    const isGone = edit === Outsider.cutRequest
    if (listed.join() !== keys.filter((key) => !isGone || key !== odd).join()) {
      violations.push("a list goes on after a row that cannot be read")
    }
  })

// ---------------------------------------------------------------------------------------------------------------------
// What happens to one row, and makes another one due
// ---------------------------------------------------------------------------------------------------------------------

const wokenRows: Scene = ({ store }, _, violations) =>
  Effect.promise(async () => {
    for (const [name, scene] of wakeScenes) {
      for (const statement of [...scene.rows, scene.move]) await store.query(statement, [])
      const [row] = await store.rows(isDueIn(scene))
      if (row?.["is_due"] !== 1) violations.push(`what waits is woken: ${name}`)
      for (const statement of emptied) await store.query(statement, [])
    }
  })

const scenes: ReadonlyArray<readonly [name: string, scene: Scene]> = [
  ["another payment", anotherPayment],
  ["adoption", adoption],
  ["forgotten charge", forgottenCharge],
  ["forgotten refund", forgottenRefund],
  ["cut texts", cutTexts],
  ["taken back", takenBack],
  ["late writer", lateWriter],
  ["sent twice", sentTwice],
  ["two owners", twoOwners],
  ["two operators", twoOperators],
  ["known charge", knownCharge],
  ["two items", twoItems],
  ["odd rows", oddRows],
  ["woken rows", wokenRows],
  ...orderScenes
]

/** A seed for each scene. */
export const sceneCount = scenes.length

/** The scene that a seed makes; gives what does not hold. */
export const simulateScene = (seed: number, limit: Duration.Input = "1 minute") => {
  const [name, scene] = scenes[seed % scenes.length] ?? ["", () => Effect.void]
  const violations: Violations = []
  return Effect.as(
    inWorld((world) => Effect.orDie(scene(world, new Chance(seed, name), violations)), { limit }),
    violations
  )
}
