/**
 * A running local gateway without its HTTP interfaces: books, time, settings and journal, and the connections among
 * them.
 *
 * Time is Effect's `Clock` plus the offset by which a caller has moved it forward. Due events happen before anyone can
 * look: each request and each control call runs them first, in order of time, and a fiber runs them when no one calls.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
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

/** The beginning of a gateway. */
interface EngineOptions extends JournalListeners {
  /** Address of the gateway, without `/api`. */
  readonly url: string
  /** The seed that it begins with, and goes back to when it is reset. Default: one merchant, and nothing else. */
  readonly seed?: Seed | undefined
  /** The state in which it goes on, in place of the seed. */
  readonly resumed?: Seed | undefined
  /** Settings that differ from the default, and from what the seed says. */
  readonly settings: SettingsChange
  /** Takes the notifications; without one they are not sent. */
  readonly notificationReceiver?: NotificationReceiver | undefined
}

/** A move of time that is under way. */
interface TimeMove {
  readonly from: number
  readonly to: number
  readonly stop: Latch.Latch
  isStopped: boolean
}

/** A response that is withheld until a time. */
interface Withheld {
  /** In milliseconds since 1970; `Infinity` of one that never comes. */
  readonly until: number
  readonly release: Latch.Latch
}

/** A running local gateway, without its endpoints. */
export class Engine {
  /** Address of the gateway, without `/api`. Its path stays; its origin is that of requests, where no one has set it. */
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
  /** The length of the jump in time that is being made. */
  private jump: number | undefined
  /** Longer moves of time that are under way. */
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

  /** Starts a gateway; what is due happens by itself until the scope ends. */
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

  /** Goes up with every change of what a seed holds. */
  get revision(): number {
    return this.revisions
  }

  /** Calls back at every change of what a seed holds, until the function that is given back is called. */
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

  /** The lead of its time over the clock, in milliseconds. */
  get timeAhead(): number {
    return this.forwarded
  }

  /** The merchant's time, in milliseconds since 1970. */
  readonly now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) => millis + this.forwarded)

  /** The event context of what happens now. What was due by now has happened before. */
  eventContext(by: EventActor): Effect.Effect<EventContext> {
    return Effect.map(Effect.all([this.now, Random.Random]), ([now, random]) => {
      this.catchUp(now)
      return { now, by, random }
    })
  }

  /**
   * Moves time forward. All that is due by then happens, in order and at its time: what is notified of a change, and
   * asks about it, sees the gateway as it was then.
   */
  advanceTime(millis: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const from = yield* this.now
      const target = from + millis
      const move: TimeMove = { from, to: target, stop: Latch.makeUnsafe(), isStopped: false }
      this.moves.add(move)
      yield* Effect.gen({ self: this }, function* () {
        // An attempt may wait for a withheld response, which waits for time.
        const attemptsEnded = Effect.raceAllFirst([
          this.notifications.attemptsEnded,
          move.stop.await,
          this.isWithholding.await
        ])
        // What is under way ends before time leaps to what is due next.
        if (this.nextEvent <= target) yield* attemptsEnded
        for (let next = this.nextEvent; next <= target && !move.isStopped; next = this.nextEvent) {
          this.forwarded += Math.max(0, next - (yield* this.now))
          this.release(next)
          this.jump = millis
          this.catchUp(next)
          this.jump = undefined
          yield* attemptsEnded
        }
      }).pipe(Effect.ensuring(Effect.sync(() => this.moves.delete(move))))
      const reached = move.isStopped ? yield* this.now : target
      this.forwarded += Math.max(0, reached - (yield* this.now))
      this.changed()
      this.journal.add(reached, { type: "time", advancedMillis: reached - from })
      // Wakes the timer, since the next event may now be nearer.
      this.earlier.openUnsafe()
    })
  }

  /** Withholds a response until a time, in milliseconds since 1970: that of the gateway, which a caller may move forward. */
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

  /** When something is due next: in milliseconds since 1970, `Infinity` if nothing is. */
  private get nextEvent(): number {
    return Math.min(this.agenda.next ?? Infinity, ...[...this.withheld].map(({ until }) => until))
  }

  /** The move of time that is under way, and goes furthest. */
  get move(): { readonly from: number; readonly to: number } | undefined {
    return [...this.moves].reduce<TimeMove | undefined>(
      (furthest, move) => (furthest === undefined || move.to > furthest.to ? move : furthest),
      undefined
    )
  }

  /** Stops every move of time that is under way, after the events of the moment. */
  stopAdvancing(): void {
    for (const move of this.moves) {
      move.isStopped = true
      move.stop.openUnsafe()
    }
  }

  /** Forgets what belongs to one merchant, which stays; its tokens hold. */
  forget(goid: number): void {
    this.notifications.forget(this.books.forget(goid))
  }

  /**
   * Begins from a seed, as a gateway that is started with it: what was there before is forgotten. The journal goes on,
   * and tokens of merchants that are still there hold.
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

  /** The whole state as a seed: a gateway that begins with it goes on where this one is. It holds secrets. */
  exportSeed(): SeedContent {
    return seedOf({
      timeAhead: this.forwarded,
      merchants: this.merchantAccounts,
      settings: this.currentSettings,
      books: this.books.content(),
      notifications: this.notifications.content()
    })
  }

  /** Begins again as it began at first; what happened and all tokens are forgotten. */
  readonly reset: Effect.Effect<void> = Effect.suspend(() => {
    this.tokens.revokeAll()
    return this.faults.clear.pipe(
      Effect.andThen(this.beginSet(this.initialSeed)),
      Effect.andThen(Effect.sync(() => this.journal.clear()))
    )
  })

  /** Begins from a seed, with the settings that this gateway was given beside. */
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

  /** Lets happen what is due, for ever. It sleeps until then, or until something earlier was entered. */
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
