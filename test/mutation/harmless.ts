/**
 * Mutants that no test needs to notice, and why. Each is known by its line and the change, so that edits elsewhere do not
 * matter: `npm run mutate` prints both.
 */
export interface Harmless {
  readonly file: string
  readonly line: string
  readonly changes: ReadonlyArray<string>
  readonly why: string
}

const reconcile = "src/client/outcome/Reconcile.ts"
const idIsThere = "The check of the record guarantees the id; only the types do not know it."

export const harmless: ReadonlyArray<Harmless> = [
  {
    file: reconcile,
    line: 'Effect.map(getPayment(sent.change.paymentId ?? ""), (payment) => judge(payment, sent))',
    changes: ['sent.change.paymentId ?? "" -> sent.change.paymentId', '"" -> "mutated"'],
    why: idIsThere
  },
  {
    file: reconcile,
    line: 'const { amount, paymentId = "", refundsBefore } = sent.change',
    changes: ['"" -> "mutated"'],
    why: idIsThere
  },
  {
    file: reconcile,
    line: 'Effect.map(reads.getCardDetails(sent.change.cardId ?? ""), ({ status }): Reconciliation =>',
    changes: ['sent.change.cardId ?? "" -> sent.change.cardId', '"" -> "mutated"'],
    why: idIsThere
  },
  {
    file: reconcile,
    line: "if (listed !== undefined && refundsBefore !== undefined) {",
    changes: ["listed !== undefined -> true", "refundsBefore !== undefined -> true"],
    why: "Both are there or neither: each is for the types of the other."
  },
  {
    file: reconcile,
    line: "if (state !== undefined && holdRuledOutBy[state]?.has(paymentState) === true) {",
    changes: ["state !== undefined -> true"],
    why: "The table has no member for an absent state; the check is for the types."
  },
  {
    file: "src/client/token/PersistedTextStore.ts",
    line: "timeToLive: (_, key) => (key instanceof Entry ? key.timeToLive : Duration.zero)",
    changes: ["key instanceof Entry -> true"],
    why: "No other keys are given to the store."
  },
  {
    file: "src/client/token/PersistedTextStore.ts",
    line: "Effect.catchCause(",
    changes: [
      "Effect.catchCause( Effect.suspend(() => Scope.close(scope, exit)), () => Effect.void ) -> Effect.suspend(() => Scope.close(scope, exit))"
    ],
    why: "A detached fiber that fails does so alone."
  },
  {
    file: "src/client/token/SharedTokenCache.ts",
    line: "yield* Effect.sleep(100 + 100 * (yield* Random.next))",
    changes: ["100 + 100 * (yield* Random.next) -> (100) - (100 * (yield* Random.next))"],
    why: "Any pause of up to a fifth of a second will do."
  },
  {
    file: "src/client/token/SharedTokenCache.ts",
    line: "if (failed === undefined && found !== undefined) {",
    changes: ["failed === undefined -> true"],
    why: "What failed has found nothing."
  },
  {
    file: "src/client/token/StoredToken.ts",
    line: 'const [obtained, expires, encrypted = ""] = entry',
    changes: ['"" -> "mutated"'],
    why: "Neither text can be decrypted."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "Effect.mapError(invalidRequest),",
    changes: ["Effect.mapError(invalidRequest) -> ((same) => same)"],
    why: "The options were checked: this request is always right."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "const signOfLife = Duration.seconds(1)",
    changes: ["1 -> (1 + 1)"],
    why: "Any interval well below deadAfter will do."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "caller.getRef(RequestBound) && monotonicMillis(caller.getRef(Clock.Clock)) - aliveAt > deadAfter",
    changes: [
      "monotonicMillis(caller.getRef(Clock.Clock)) - aliveAt > deadAfter -> (monotonicMillis(caller.getRef(Clock.Clock)) - aliveAt) >= (deadAfter)"
    ],
    why: "A millisecond in three seconds."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "if (wait !== undefined && exit !== undefined) {",
    changes: ["wait !== undefined -> true"],
    why: "There is no exit without a wait: the check is for the types."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "const waited = wait?.waited ?? 0",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of a wait by which only the next pause is chosen."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "const pause = Math.min(Math.max(waited / 20, 2), 25)",
    changes: ["waited / 20 -> (waited) * (20)", "20 -> (20 * 2)", "2 -> (2 + 1)", "25 -> (25 * 2)"],
    why: "How often it looks is a matter of speed only."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "if (started === undefined) return Effect.succeed(due)",
    changes: ["started === undefined -> false"],
    why: "Nothing happens between the look at the flight and the start."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "const refreshed = Effect.map(Deferred.await(started.settled), () => current ?? due)",
    changes: ["current ?? due -> current"],
    why: "A token that was dropped meanwhile is refused, and then another one asked for."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "if (waitUntil === undefined) return false",
    changes: ["waitUntil === undefined -> false"],
    why: "Calling nothing throws, which is caught with the same result."
  },
  {
    file: "src/client/token/TokenEncryption.ts",
    line: 'export const TokenEncryption: Context.Reference<TokenEncryption> = Context.Reference("effect-gopay/TokenEncryption", {',
    changes: ['"effect-gopay/TokenEncryption" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/token/WaitUntil.ts",
    line: '>("effect-gopay/WaitUntil", { defaultValue: () => undefined })',
    changes: ['"effect-gopay/WaitUntil" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/token/WaitUntil.ts",
    line: 'export const RequestBound: Context.Reference<boolean> = Context.Reference<boolean>("effect-gopay/RequestBound", {',
    changes: ['"effect-gopay/RequestBound" -> ""'],
    why: "The key of a service only has to be another one than all others."
  }
]
