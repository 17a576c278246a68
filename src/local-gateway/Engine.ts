/**
 * A running local gateway, without its doors: books, time, settings, journal, and what connects them.
 *
 * All time is Effect's `Clock`, plus what a caller has moved it forward. Whatever is due happens before anybody looks:
 * each request and each control call first lets it happen, in the order of its time, and a fiber does when nobody calls.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { Actor } from "./Actor.js"
import { Agenda } from "./Agenda.js"
import { Books, type PaymentChange } from "./Books.js"
import { Faults } from "./Faults.js"
import { Journal, type JournalEntry, type LoggedRequest } from "./Journal.js"
import type { MerchantAccount } from "./Merchant.js"
import type { Moment } from "./Moment.js"
import { Notifications, type Background, type NotificationReceiver } from "./Notifications.js"
import { defaultSettings, type Settings, type SettingsChange } from "./Settings.js"
import { Tokens } from "./Tokens.js"

/** What a gateway begins with. */
export interface EngineOptions {
  /** Address of the gateway, without `/api`. */
  readonly url: string
  readonly merchants: ReadonlyArray<MerchantAccount>
  readonly settings: SettingsChange
  /** Who takes the notifications; without one they are not sent. */
  readonly notificationReceiver?: NotificationReceiver | undefined
  /** Told of each request that was answered. */
  readonly onRequest?: ((request: JournalEntry<LoggedRequest>) => void) | undefined
}

/** A running local gateway, without its doors. */
export class Engine {
  /** Address of the gateway, without `/api`. */
  readonly url: string
  readonly journal: Journal
  readonly agenda: Agenda
  readonly books: Books
  readonly notifications: Notifications
  readonly tokens = new Tokens()
  readonly faults = new Faults((happening) => Effect.map(this.now, (now) => this.journal.add(now, happening)))
  private readonly earlier = Latch.makeUnsafe()
  private merchantAccounts: ReadonlyArray<MerchantAccount>
  private currentSettings: Settings
  private forwarded = 0

  private constructor(
    { merchants, notificationReceiver: receiver, onRequest, settings, url }: EngineOptions,
    random: Random.Random,
    background: Background
  ) {
    this.url = url
    this.journal = new Journal(onRequest)
    this.merchantAccounts = merchants
    this.currentSettings = { ...defaultSettings, ...settings }
    const { journal, now } = this
    const agenda = new Agenda(() => this.earlier.openUnsafe())
    const currentSettings = () => this.currentSettings
    this.agenda = agenda
    this.notifications = new Notifications({ agenda, background, journal, now, receiver, settings: currentSettings })
    this.books = new Books({
      agenda,
      settings: currentSettings,
      momentAt: (at) => ({ now: at, by: "time", random }),
      onPaymentChange: (change) => {
        recordChange(journal, change)
        this.notifications.paymentChanged(change)
      },
      onOperation: (payment, operation, result, at) =>
        journal.add(at, {
          type: "operation",
          paymentId: payment.id,
          operation: operation.type,
          result,
          ...("amount" in operation ? { amount: operation.amount } : {})
        })
    })
  }

  /** Starts a gateway; what is due happens by itself until the scope ends. */
  static start(options: EngineOptions): Effect.Effect<Engine, never, Scope.Scope> {
    return Effect.gen(function* () {
      const fibers = yield* FiberSet.make()
      const background = { run: yield* FiberSet.runtime(fibers)<never>(), ended: FiberSet.awaitEmpty(fibers) }
      const engine = new Engine(options, yield* Random.Random, background)
      yield* Effect.forkScoped(engine.awaitDue)
      return engine
    })
  }

  /** The merchants it knows; there is at least one. */
  get merchants(): ReadonlyArray<MerchantAccount> {
    return this.merchantAccounts
  }

  /** The settings as they are now. */
  get settings(): Settings {
    return this.currentSettings
  }

  /** Changes settings, from now on. */
  changeSettings(change: SettingsChange): void {
    this.currentSettings = { ...this.currentSettings, ...change }
    this.books.reschedule()
  }

  /** The merchant's time, in milliseconds since 1970. */
  readonly now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) => millis + this.forwarded)

  /** The moment for something that happens now. What was due by now has happened before. */
  moment(by: Actor): Effect.Effect<Moment> {
    return Effect.map(Effect.all([this.now, Random.Random]), ([now, random]) => {
      this.catchUp(now)
      return { now, by, random }
    })
  }

  /**
   * Moves time forward. All that is due by then happens, in order and at its time: what is notified of a change, and
   * asks about it, sees the gateway as it was then.
   */
  forward(millis: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const target = (yield* this.now) + millis
      for (let next = this.agenda.next; next !== undefined && next <= target; next = this.agenda.next) {
        this.forwarded += Math.max(0, next - (yield* this.now))
        this.catchUp(next)
        yield* this.notifications.attemptsEnded
      }
      this.forwarded += Math.max(0, target - (yield* this.now))
      this.journal.add(target, { type: "time", forwardedMillis: millis })
      // Nobody sleeps any more until a time that has come nearer.
      this.earlier.openUnsafe()
    })
  }

  private catchUp(now: number): void {
    for (let due = this.agenda.take(now); due !== undefined; due = this.agenda.take(now)) due.task()
  }

  /** Lets happen what is due, for ever. It sleeps until then, or until something earlier was entered. */
  private readonly awaitDue: Effect.Effect<never> = Effect.gen({ self: this }, function* () {
    this.earlier.closeUnsafe()
    const { now } = yield* this.moment("time")
    const { next } = this.agenda
    const wait = next === undefined ? Effect.never : Effect.sleep(Math.min(next - now, longestSleep))
    yield* Effect.raceFirst(wait, this.earlier.await)
  }).pipe(Effect.forever)
}

/** A timer of the platform holds 24 days. */
const longestSleep = 24 * 3600 * 1000

/** Notes what has changed of a payment. */
const recordChange = (journal: Journal, { after, before, moment }: PaymentChange): void => {
  const { id: paymentId, preauthorization, received, recurrence, refunded, state, subState } = after
  const { by, now } = moment
  if (before?.state !== state || before.subState !== subState || before.refunded !== refunded) {
    journal.add(now, {
      type: "state",
      paymentId,
      by,
      ...(before === undefined ? {} : { from: before.state }),
      to: state,
      ...(subState === undefined ? {} : { subState }),
      received,
      refunded
    })
  }
  if (recurrence !== undefined && before?.recurrence !== recurrence) {
    journal.add(now, { type: "recurrence", paymentId, by, to: recurrence })
  }
  if (preauthorization !== undefined && before?.preauthorization !== preauthorization) {
    journal.add(now, { type: "preauthorization", paymentId, by, to: preauthorization })
  }
}
