/**
 * What must be true at all times, whatever goes wrong.
 */
import type { ChangeOperation, GatewayError, Reconciliation } from "../../src/index.js"
import type { SeedContent } from "../../src/local-gateway/index.js"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import { inspect } from "node:util"
import type { CallInProgress, Observation } from "./Observation.js"
import type { Plan, PlannedChange } from "./Plan.js"
import type { Process } from "./Simulator.js"

/** All of them. */
export const invariants = {
  once: "no change is made twice",
  definite: "a definite answer is true",
  happened: "nothing is found to have happened that did not",
  seen: "what is done is seen in the end",
  reported: "a change that was sent and interrupted is reported",
  limits: "every call ends within its limits",
  typed: "every failure is typed",
  oneToken: "a process asks for one token at a time",
  oneInFleet: "a fleet with a prompt store asks for one token at a time",
  calm: "nothing fails when nothing goes wrong",
  readable: "everything can be read in the end",
  store: "a store that fails costs no call",
  through: "a known payment's notification gets through in the end",
  fresh: "a notification is answered with 200 only after the shop was told the payment's state",
  known: "the shop is notified of payments that it knows, and of one at a time",
  secret: "no secret is shown",
  leaks: "nothing is left after the end",
  books: "the books agree with the network",
  // Of a ledger
  marked: "nothing is sent before its mark is committed",
  lease: "nothing is sent after its lease",
  oneUndecided: "one change of a payment is undecided at a time",
  inOrder: "the changes of a payment are sent in the order in which they came",
  listed: "no refund is sent before all that are done are listed",
  byHand: "nothing is refunded past a refund that is no one's",
  strange: "a refund that is listed as no one's is no one's",
  evidence: "evidence against an operator's decision is listed",
  same: "a key has one answer",
  kept: "every accepted key is done, refused, pending, or listed for an operator",
  rolledBack: "what is rolled back is not made",
  reportedOnce: "the shop is notified once, with its writes in the transaction",
  reportedTrue: "every outcome that the shop is notified of is true",
  held: "a hold is ended as was asked for, and in its time",
  captured: "what the shop is told to be captured is what the gateway has captured",
  staysPaid: "a paid order stays paid",
  written: "what the documented handler has written of an order is what getOrder says, when nothing is due",
  chargedOnce: "no charge is made beside one of its order number that is known",
  address: "an address is that of the order's payment, and is stored",
  payable: "an order can be paid in the end",
  paidTwice: "what is paid twice is listed for an operator",
  goesOn: "every due step is made, also after the store left one unanswered",
  drained: "a ledger that is closed leaves nothing under way"
} as const

/** The outcome of a change that a shop got: `done` and `notDone` are definite. */
export interface Reported {
  readonly outcome: "done" | "accepted" | "notDone" | "undecided"
  readonly why: string
  /** The payment that a success names. */
  readonly id?: number | undefined
}

/** Judges what is seen. */
export class Judge {
  private readonly observation: Observation
  private readonly plan: Plan
  private readonly books: () => SeedContent

  constructor(observation: Observation, plan: Plan, books: () => SeedContent) {
    this.observation = observation
    this.plan = plan
    this.books = books
  }

  /** A shop got the outcome of a change. */
  reported(change: PlannedChange, { id, outcome, why }: Reported): void {
    const truth = this.observation.truthOf(change.name)
    const { name } = change
    if (outcome === "done" || outcome === "accepted") {
      if (truth.taken === 0)
        this.violate("definite", `${name} was told to be done (${why}), and the gateway never took it`)
      if (change.operation.startsWith("create") && id !== truth.id) {
        this.violate("definite", `${name} was told to be payment ${id}, and is ${truth.id}`)
      }
    }
    if (outcome === "notDone") {
      if (truth.taken > 0) this.violate("definite", `${name} was told to be not done (${why}), and the gateway took it`)
      truth.isDenied = true
    }
    if (
      this.plan.mood === "calm" &&
      (outcome === "undecided" || (outcome === "notDone" && why !== "OperationRefused"))
    ) {
      this.violate("calm", `${name} ended with ${why}`)
    }
  }

  /** A change was interrupted, and its program got no outcome. */
  interruptedUnreported(change: PlannedChange): void {
    const truth = this.observation.truthOf(change.name)
    if (truth.taken > 0) this.violate("reported", `${change.name} was interrupted, and the gateway took it`)
    truth.isDenied = true
  }

  /** A shop found something out of a change. */
  found(change: PlannedChange, found: Reconciliation, isLast: boolean): void {
    const { name, operation } = change
    const truth = this.observation.truthOf(name)
    const claim = `${name} was found to be ${found._tag}`
    switch (found._tag) {
      case "Happened": {
        if (truth.taken === 0) this.violate("happened", `${claim}, and the gateway never took it`)
        if (operation === "createRecurrence" && found.id !== truth.id) {
          this.violate("happened", `${claim} as payment ${found.id}, and is ${truth.id}`)
        }
        if (operation === "refundPayment") {
          const refund = this.paymentOf(change)?.refunds?.find(({ id }) => id === found.id)
          if (refund?.amount !== change.amount) {
            if (!this.isOfAnotherList(change, found.id))
              this.violate("happened", `${claim} as refund ${found.id}, which it is not`)
          } else if (!found.isPending && refund.state !== "SUCCESS") {
            this.violate("happened", `${claim} and not pending, and the books say ${refund.state}`)
          }
        }
        break
      }
      case "DidNotHappen": {
        if (truth.taken > 0 && !truth.isAccepted) this.violate("happened", `${claim}, and the gateway took it`)
        if (!truth.isAccepted) truth.isDenied = true
        break
      }
      case "StateReached": {
        const state = this.stateIn(change)
        if (state !== found.state || state !== goals[operation])
          this.violate("happened", `${claim} (${found.state}), and the books say ${state}`)
        break
      }
      case "NotSeenYet": {
        if (isLast && truth.taken > 0 && !truth.isAccepted)
          this.violate("seen", `${claim} in the end, and the gateway took it`)
        break
      }
      case "CannotTell":
        break
    }
  }

  /**
   * Whether a refund of that amount is another payment's, whose list was the response to a read of this one. A list of
   * refunds does not name its payment: if the payment agrees with it, it cannot be distinguished from the payment's
   * own.
   */
  private isOfAnotherList({ amount, id: paymentId }: PlannedChange, refundId: number | undefined): boolean {
    if (!this.observation.misledLists.has(String(paymentId))) return false
    const others = (this.books().payments ?? []).filter(({ id }) => id !== paymentId)
    return others.some(({ refunds = [] }) => refunds.some((one) => one.id === refundId && one.amount === amount))
  }

  /** A call has ended. */
  ended(call: CallInProgress, exit: Exit.Exit<unknown, GatewayError>): void {
    const { observation } = this
    observation.callsEnded++
    const took = observation.simulator.now - call.since
    if (took > call.limit) this.violate("limits", `${call.name} took ${took} ms of ${call.limit}`)
    if (Exit.isSuccess(exit)) return
    for (const reason of exit.cause.reasons) {
      if (reason._tag === "Die") this.violate("typed", `${call.name} died: ${Cause.pretty(exit.cause)}`)
      if (reason._tag === "Fail") {
        this.said(`the error of ${call.name}`, `${String(reason.error)} ${JSON.stringify(reason.error)}`)
        this.said(`the error of ${call.name}`, inspect(reason.error, { depth: 9 }))
        this.failed(call, reason.error)
      }
    }
  }

  private failed({ isHurried, name }: CallInProgress, error: GatewayError): void {
    const { events, mood, store, trouble } = this.plan
    if (!name.startsWith("read")) return
    const what = `${name} failed: ${String(error)}`
    if (this.observation.isQuiet) this.violate("readable", what)
    else if (mood === "calm") this.violate("calm", what)
    else if (
      store !== "none" &&
      trouble === 0 &&
      !isHurried &&
      events.every(({ kind }) => kind !== "outage" && kind !== "revoke")
    ) {
      this.violate("store", what)
    }
  }

  /** Something was said where others may read it. */
  said(where: string, text: string): void {
    for (const [secret, name] of this.observation.secrets) {
      if (text.includes(secret)) this.violate("secret", `${where} has ${name}: ${text.slice(0, 300)}`)
    }
  }

  /** A process asks for a token. */
  askedForToken(process: Process): void {
    const { tokenRequests } = this.observation
    const own = tokenRequests.get(process) ?? 0
    if (own > 1) this.violate("oneToken", `${process.name} asks for ${own} tokens at once`)
    const all = [...tokenRequests].reduce((sum, [process, count]) => sum + (process.isAlive ? count : 0), 0)
    const isPrompt = this.plan.store === "prompt" && this.plan.mood === "fleet" && this.plan.trouble === 0
    const isWhole = this.plan.events.every(({ kind }) => kind !== "kill" && kind !== "stop" && kind !== "clock")
    if (isPrompt && isWhole && all > 1) this.violate("oneInFleet", `${all} processes ask for a token at once`)
  }

  /** All is over, and every process was closed. */
  left(processes: ReadonlyArray<Process>): void {
    for (const process of processes) {
      const requests = this.observation.requestsUnderWay.get(process) ?? 0
      if (process.isAlive && (process.timers > 0 || requests > 0)) {
        this.violate("leaks", `${process.name} has ${process.timers} timers and ${requests} requests`)
      }
    }
  }

  /** The end: what the gateway answered is what stands in its books. */
  settled(changes: ReadonlyArray<PlannedChange>): void {
    const { payments = [] } = this.books()
    for (const change of changes) {
      const { amount, name, operation } = change
      if (!/^(create|refund)/.test(operation) || change.orderNumber !== undefined) continue
      // Several writers may refund the same amount.
      const alike = operation === "refundPayment" ? changes.filter((one) => isSameRefund(one, change)) : [change]
      const truths = alike.map(({ name }) => this.observation.truthOf(name))
      if (truths.some(({ isAccepted }) => isAccepted)) continue
      const taken = truths.reduce((sum, { taken }) => sum + taken, 0)
      const refunds = this.paymentOf(change)?.refunds ?? []
      const effects =
        operation === "refundPayment"
          ? refunds.filter((refund) => refund.amount === amount && refund.state !== "FAILED").length
          : payments.filter(({ order_number }) => order_number === name).length
      if (effects !== taken) this.violate("books", `${name} is there ${effects} times, and was taken ${taken} times`)
    }
    for (const { id, received = 0, refunds = [] } of payments) {
      const refunded = refunds.filter(({ state }) => state !== "FAILED").reduce((sum, { amount }) => sum + amount, 0)
      if (refunded > received) this.violate("books", `of payment ${id} more is returned than was received`)
    }
  }

  violate(invariant: keyof typeof invariants, what: string): void {
    this.observation.violate(invariants[invariant], what)
  }

  private paymentOf({ id }: PlannedChange) {
    return this.books().payments?.find((payment) => payment.id === id)
  }

  private stateIn(change: PlannedChange): string | undefined {
    const payment = this.paymentOf(change)
    switch (change.operation) {
      case "refundPayment":
        return payment?.state
      case "captureAuthorization":
      case "captureAuthorizationPartial":
      case "voidAuthorization":
        return payment?.preauthorization?.state
      case "voidRecurrence":
        return payment?.recurrence?.recurrence_state
      case "deleteCard":
        return this.books().cards?.find(({ card_id }) => card_id === change.id)?.status
      default:
        return undefined
    }
  }
}

/** The state that a change is to bring about. */
const goals: { readonly [operation in ChangeOperation]?: string } = {
  refundPayment: "REFUNDED",
  captureAuthorization: "CAPTURED",
  captureAuthorizationPartial: "CAPTURED",
  voidAuthorization: "CANCELED",
  voidRecurrence: "STOPPED",
  deleteCard: "DELETED"
}

const isSameRefund = (one: PlannedChange, other: PlannedChange): boolean =>
  one.operation === other.operation && one.id === other.id && one.amount === other.amount
