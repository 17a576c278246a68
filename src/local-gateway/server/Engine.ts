/**
 * A running local gateway without its HTTP interfaces: books, time, settings and journal, and what connects them.
 *
 * Time is Effect's `Clock` plus the offset by which a caller has moved it forward. Due events happen before anyone can
 * see the state: each request and each control call runs them first, in order of time, and a fiber runs them when there
 * are no calls.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import { withoutUndefined } from "../../basics/Nulls.js"
import type { EventActor } from "../books/Actors.js"
import { Agenda } from "../books/Agenda.js"
import { Books, type PaymentChange } from "../books/Books.js"
import { BooksV4 } from "../books/BooksV4.js"
import { Faults } from "./Faults.js"
import { Journal, type JournalListeners } from "./Journal.js"
import { timeFrom } from "../books/Times.js"
import { defaultMerchant, type Merchants } from "../books/LocalMerchant.js"
import type { EventContext } from "../books/EventContext.js"
import { Notifications, type Background, type NotificationReceiver } from "./Notifications.js"
import { merchantsOf, Seed, seedOf } from "../books/Seed.js"
import { booksOf } from "../books/SeedBooks.js"
import type { SeedContent } from "../books/SeedSchema.js"
import { defaultSettings } from "../books/DefaultSettings.js"
import type { LocalGatewaySettings, SettingsChange } from "../books/LocalGatewaySettings.js"
import { Tokens } from "./Tokens.js"

/** The options with which a gateway starts. */
interface EngineOptions extends JournalListeners {
  /** Address of the gateway, without `/api`. */
  readonly url: string
  /** The seed to start from, and to return to on reset. Default: one merchant, and nothing else. */
  readonly seed?: Seed | undefined
  /** The state in which it continues, instead of the seed. */
  readonly resumed?: Seed | undefined
  /** Settings that differ from the default and from the seed. */
  readonly settings: SettingsChange
  /** Receives the notifications; without it they are not sent. */
  readonly notificationReceiver?: NotificationReceiver | undefined
}

/** A move of time in progress. */
interface TimeMove {
  readonly from: number
  readonly to: number
  readonly stop: Latch.Latch
  isStopped: boolean
}

/** A response that is withheld until a time. */
interface Withheld {
  /** In milliseconds since 1970; `Infinity` for a response that never comes. */
  readonly until: number
  readonly release: Latch.Latch
}

/** A running local gateway, without its endpoints. */
export class Engine {
  /**
   * Address of the gateway, without `/api`. Its path stays; its origin is that of the requests, unless it was
   * configured.
   */
  url: string
  readonly journal: Journal
  readonly agenda: Agenda
  readonly books: Books
  readonly booksV4: BooksV4
  readonly notifications: Notifications
  readonly tokens = new Tokens()
  readonly faults = new Faults((event) => Effect.map(this.now, (now) => this.journal.add(now, event)))
  private readonly background: Background
  private readonly earlier = Latch.makeUnsafe()
  private readonly initialSeed: Seed
  private readonly initialSettings: SettingsChange
  private readonly listeners = new Set<() => void>()
  private merchantAccounts: Merchants = [defaultMerchant]
  private currentSettings: LocalGatewaySettings
  private forwarded = 0
  /** The length of the current jump in time. */
  private jump: number | undefined
  /** Longer moves of time in progress. */
  private readonly moves = new Set<TimeMove>()
  private readonly withheld = new Set<Withheld>()
  /** Open while a response is withheld. */
  private readonly isWithholding = Latch.makeUnsafe()
  private revisions = 0

  private constructor(
    { notificationReceiver: receiver, onEvent, onRequest, seed, settings, url }: EngineOptions,
    random: Random.Random,
    background: Background
  ) {
    this.background = background
    this.url = url
    this.journal = new Journal({ onEvent, onRequest })
    this.initialSeed = seed ?? Seed.empty
    this.initialSettings = settings
    this.currentSettings = { ...defaultSettings, ...settings }
    const { journal, now } = this
    const agenda = new Agenda(() => this.earlier.openUnsafe())
    const currentSettings = () => this.currentSettings
    this.agenda = agenda
    this.notifications = new Notifications({
      agenda,
      background,
      journal,
      now,
      onChange: () => this.changed(),
      receiver,
      settings: currentSettings
    })
    this.books = new Books({
      agenda,
      settings: currentSettings,
      onChange: () => this.changed(),
      eventContextAt: (at) => ({ now: at, by: "time", random }),
      onPaymentChange: (change) => {
        recordChange(journal, change, change.eventContext.by === "time" ? this.jump : undefined)
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
    this.booksV4 = new BooksV4(this.books, currentSettings)
  }

  /** Starts a gateway. Due events happen by themselves until the scope ends. */
  static start(options: EngineOptions): Effect.Effect<Engine, never, Scope.Scope> {
    return Effect.gen(function* () {
      const fibers = yield* FiberSet.make()
      const background = { run: yield* FiberSet.runtime(fibers)<never>(), ended: FiberSet.awaitEmpty(fibers) }
      const engine = new Engine(options, yield* Random.Random, background)
      yield* engine.beginSet(options.resumed ?? engine.initialSeed)
      yield* Effect.forkScoped(engine.awaitDue)
      return engine
    })
  }

  /** The merchants it knows; there is at least one. */
  get merchants(): Merchants {
    return this.merchantAccounts
  }

  /** The settings as they are now. */
  get settings(): LocalGatewaySettings {
    return this.currentSettings
  }

  /** Increases with every change of something that a seed contains. */
  get revision(): number {
    return this.revisions
  }

  /** Calls back at every change of something that a seed contains, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Changes settings, from now on. */
  changeSettings(change: SettingsChange): void {
    this.currentSettings = { ...this.currentSettings, ...change }
    this.books.reschedule()
    this.changed()
  }

  /** How far its time is ahead of the clock, in milliseconds. */
  get timeAhead(): number {
    return this.forwarded
  }

  /** The merchant's time, in milliseconds since 1970. */
  readonly now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) => millis + this.forwarded)

  /** The event context of what happens now. Due events have happened before. */
  eventContext(by: EventActor): Effect.Effect<EventContext> {
    return Effect.map(Effect.all([this.now, Random.Random]), ([now, random]) => {
      this.catchUp(now)
      return { now, by, random }
    })
  }

  /**
   * Moves time forward. Everything that is due by then happens, in order and at its time: a shop that is notified of a
   * change and reads the payment sees the gateway as it was then.
   */
  advanceTime(millis: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const from = yield* this.now
      const target = from + millis
      const move: TimeMove = { from, to: target, stop: Latch.makeUnsafe(), isStopped: false }
      this.moves.add(move)
      const leap = Effect.gen({ self: this }, function* () {
        // An attempt may wait for a withheld response, which waits for time.
        const attemptsEnded = Effect.raceAllFirst([
          this.notifications.attemptsEnded,
          move.stop.await,
          this.isWithholding.await
        ])
        // Work in progress ends before time jumps to the next event.
        if (this.nextEvent <= target) yield* attemptsEnded
        for (let next = this.nextEvent; next <= target && !move.isStopped; next = this.nextEvent) {
          this.forwarded += Math.max(0, next - (yield* this.now))
          this.release(next)
          this.jump = millis
          this.catchUp(next)
          this.jump = undefined
          yield* attemptsEnded
        }
      })
      // Who asked for it may go away meanwhile: time then stays where it has got to, and the log says so.
      const end = (exit: Exit.Exit<void>) =>
        Effect.map(this.now, (now) => {
          this.moves.delete(move)
          const reached = Exit.isSuccess(exit) && !move.isStopped ? target : Math.min(now, target)
          this.forwarded += Math.max(0, reached - now)
          this.changed()
          const stopped = reached < target ? { plannedMillis: millis } : {}
          this.journal.add(reached, { type: "time", advancedMillis: reached - from, ...stopped })
          // Wakes the timer, since the next event may now be nearer.
          this.earlier.openUnsafe()
        })
      yield* Effect.onExit(leap, end)
    })
  }

  /**
   * Withholds a response until a time by the gateway's clock, which a caller may move forward, in milliseconds since
   * 1970.
   */
  withhold(until: number): Effect.Effect<void> {
    const hold = Effect.acquireRelease(
      Effect.sync(() => {
        const entry: Withheld = { until, release: Latch.makeUnsafe() }
        this.withheld.add(entry)
        this.isWithholding.openUnsafe()
        return entry
      }),
      (entry) =>
        Effect.sync(() => {
          this.withheld.delete(entry)
          if (this.withheld.size === 0) this.isWithholding.closeUnsafe()
        })
    )
    return Effect.gen({ self: this }, function* () {
      const wait = until - (yield* this.now)
      if (wait <= 0) return
      const { release } = yield* hold
      yield* wait === Infinity ? Effect.never : Effect.raceFirst(Effect.sleep(wait), release.await)
    }).pipe(Effect.scoped)
  }

  /** Releases the responses that are due by then. */
  private release(now: number): void {
    for (const entry of this.withheld) {
      if (entry.until > now) continue
      this.withheld.delete(entry)
      entry.release.openUnsafe()
    }
    if (this.withheld.size === 0) this.isWithholding.closeUnsafe()
  }

  /** When the next event is due: in milliseconds since 1970, `Infinity` if there is none. */
  private get nextEvent(): number {
    return Math.min(this.agenda.next ?? Infinity, ...[...this.withheld].map(({ until }) => until))
  }

  /** The current move of time, the one that goes furthest. */
  get move(): { readonly from: number; readonly to: number } | undefined {
    return [...this.moves].reduce<TimeMove | undefined>(
      (furthest, move) => (furthest === undefined || move.to > furthest.to ? move : furthest),
      undefined
    )
  }

  /** Stops every move of time in progress, after the events of the current moment. */
  stopAdvancing(): void {
    for (const move of this.moves) {
      move.isStopped = true
      move.stop.openUnsafe()
    }
  }

  /** Drops everything of one merchant. The merchant stays, and its tokens stay valid. */
  forget(goid: number): void {
    this.notifications.forget(this.books.forget(goid))
  }

  /**
   * Starts over from a seed, like a gateway that is started with it; everything before is dropped. The journal
   * continues, and tokens of merchants that still exist stay valid.
   */
  begin({ content }: Seed): Effect.Effect<void> {
    return Effect.map(Effect.all([Clock.currentTimeMillis, Random.Random]), ([clock, random]) => {
      this.forwarded = Math.round((content.time_ahead ?? 0) * 1000)
      const eventContext: EventContext = { now: clock + this.forwarded, by: "control", random }
      this.merchantAccounts = merchantsOf(content)
      this.currentSettings = { ...defaultSettings, ...this.initialSettings, ...content.settings }
      this.tokens.keepOnly(this.merchantAccounts)
      this.agenda.clear()
      this.books.replace(booksOf(content, eventContext, this.currentSettings))
      this.booksV4.forgetReads()
      this.notifications.replace(
        (content.notifications ?? []).map(({ attempts, body, due_at, payment_id, url }) => ({
          paymentId: payment_id,
          url,
          body,
          attempts,
          dueAt: timeFrom(eventContext.now, due_at)
        }))
      )
      this.changed()
      // Wakes the timer, since the next event may now be nearer.
      this.earlier.openUnsafe()
    })
  }

  /** The whole state as a seed: a gateway that starts from it continues where this one is. It contains secrets. */
  exportSeed(): SeedContent {
    return seedOf({
      timeAhead: this.forwarded,
      merchants: this.merchantAccounts,
      settings: this.currentSettings,
      books: this.books.content(),
      notifications: this.notifications.content()
    })
  }

  /** Starts over from the initial state; events and all tokens are dropped. */
  readonly reset: Effect.Effect<void> = Effect.suspend(() => {
    this.tokens.revokeAll()
    return this.faults.clear.pipe(
      Effect.andThen(this.beginSet(this.initialSeed)),
      Effect.andThen(Effect.sync(() => this.journal.clear()))
    )
  })

  /** Starts over from a seed, with the settings that this gateway was given in addition. */
  private beginSet(seed: Seed): Effect.Effect<void> {
    return Effect.map(this.begin(seed), () => this.changeSettings(this.initialSettings))
  }

  private changed(): void {
    this.revisions++
    for (const listener of this.listeners) listener()
  }

  private catchUp(now: number): void {
    for (let due = this.agenda.take(now); due !== undefined; due = this.agenda.take(now)) {
      try {
        due.task()
      } catch (defect) {
        // A failure with one payment must not hold up the others or the caller.
        this.background.run(Effect.logError("The local gateway failed", defect))
      }
    }
  }

  /** Runs due events, forever. It sleeps until the next one, or until an earlier one is added. */
  private readonly awaitDue: Effect.Effect<never> = Effect.gen({ self: this }, function* () {
    this.earlier.closeUnsafe()
    const { now } = yield* this.eventContext("time")
    const { next } = this.agenda
    const wait = next === undefined ? Effect.never : Effect.sleep(Math.min(next - now, maxSleep))
    yield* Effect.raceFirst(wait, this.earlier.await)
  }).pipe(Effect.forever)
}

/** The platform's timers are limited to 24 days. */
const maxSleep = 24 * 3600 * 1000

const recordChange = (
  journal: Journal,
  { after, before, eventContext }: PaymentChange,
  jump: number | undefined
): void => {
  const { id: paymentId, preauthorization, received, recurrence, refunded, state, subState } = after
  const { now } = eventContext
  const by = withoutUndefined({ by: eventContext.by, jumpMillis: jump })
  if (before?.state !== state || before.subState !== subState || before.refunded !== refunded) {
    journal.add(now, {
      type: "state",
      paymentId,
      ...by,
      ...withoutUndefined({ from: before?.state, to: state, subState }),
      received,
      refunded
    })
  }
  if (recurrence !== undefined && before?.recurrence !== recurrence) {
    journal.add(now, { type: "recurrence", paymentId, ...by, to: recurrence })
  }
  if (preauthorization !== undefined && before?.preauthorization !== preauthorization) {
    journal.add(now, { type: "preauthorization", paymentId, ...by, to: preauthorization })
  }
}
