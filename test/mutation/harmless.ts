/**
 * Mutants that no test needs to notice, and why. Each is known by its line and the change, so that edits elsewhere do
 * not matter: `npm run mutate` prints both.
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
    line: "if (state !== undefined && holdRuledOutBy.get(state)?.has(paymentState) === true) {",
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
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'const parameters = Array.from(path.matchAll(/\\{(\\w+)\\}/g), ([, parameter = ""]) => parameter)',
    changes: ['"" -> "mutated"'],
    why: "A match has its group: the default is for the types."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'const [start = "", ...rest] = path.split("{").map((part) => part.split("}"))',
    changes: ['"" -> "mutated"'],
    why: "A split has a first part: the default is for the types."
  },
  {
    file: "src/client/call/Operation.ts",
    line: '(filled, [name = "", literal = ""]) => filled + encodeURIComponent(String(ownMember(params, name))) + literal,',
    changes: ['"" -> "mutated"'],
    why: "A parameter has a name and an end: the defaults are for the types."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'start[0] ?? ""',
    changes: ['"" -> "mutated"', 'start[0] ?? "" -> start[0]'],
    why: "A split has a first part: the default is for the types."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: "timeout === undefined ? configured : Option.getOrElse(Duration.fromInput(timeout), () => configured)",
    changes: ["timeout === undefined -> false"],
    why: "No duration is made of nothing: the configured one is taken all the same."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: 'inDoubt: Result.isSuccess(result) || result.failure._tag === "OutcomeUnknown" ? change : undefined',
    changes: ['result.failure._tag === "OutcomeUnknown" -> false', '"OutcomeUnknown" -> ""'],
    why: "A change that ended so is not sent again: nothing can interrupt the call after it."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: '>("effect-gopay/AttemptTimeout", { defaultValue: () => undefined })',
    changes: ['"effect-gopay/AttemptTimeout" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: '"accept-language": /^(cs|sk)\\b/i.test(settings.language) ? "cs-CZ" : "en-US",',
    changes: ["/^(cs|sk)\\b/i -> /(cs|sk)\\b/i"],
    why: "No language's code has CS or SK elsewhere than at its beginning."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: "made.set(credentials, byContentType)",
    changes: ["made.set(credentials, byContentType) -> undefined"],
    why: "Headers are kept for speed only."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: "if (known !== undefined) return known",
    changes: ["known !== undefined -> false"],
    why: "What is known is kept for speed only."
  },
  {
    file: "src/client/call/Attempt.ts",
    line: "byContentType.set(contentType, headers)",
    changes: ["byContentType.set(contentType, headers) -> undefined"],
    why: "Headers are kept for speed only."
  },
  {
    file: "src/client/call/BeforeSend.ts",
    line: '"effect-gopay/BeforeSend",',
    changes: ['"effect-gopay/BeforeSend" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/call/BeforeSend.ts",
    line: '>("effect-gopay/LastLook", { defaultValue: () => undefined })',
    changes: ['"effect-gopay/LastLook" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/call/CallObserver.ts",
    line: "...(subject ?? (Exit.isSuccess(exit) ? created(operation, exit.value) : undefined)),",
    changes: ["Exit.isSuccess(exit) -> true"],
    why: "A failure has no value to take an id from."
  },
  {
    file: "src/client/call/CallObserver.ts",
    line: 'name === "createPayment" && Predicate.isObject(response) && typeof response["id"] === "number"',
    changes: ['typeof response["id"] === "number" -> true', "Predicate.isObject(response) -> true"],
    why: "The schema of the response guarantees it: the check is for the types."
  },
  {
    file: "src/client/call/CustomOperation.ts",
    line: 'carries: "json",',
    changes: ['"json" -> ""'],
    why: "It only matters whether it is a file."
  },
  {
    file: "src/client/call/CustomOperation.ts",
    line: "response.data?.byteLength === 0 && response.status >= 200 && response.status < 300",
    changes: ["response.status >= 200 -> true"],
    why: "A final response has no status below 200."
  },
  {
    file: "src/client/call/CustomOperation.ts",
    line: 'const unreadable = { method: "GET", path: "/", kind: "read" } as const',
    changes: ['"GET" -> ""', '"/" -> ""', '"read" -> ""'],
    why: "A request that cannot be read is never sent."
  },
  {
    file: "src/client/call/CustomOperation.ts",
    line: 'reason._tag !== "PaymentNotFound" && reason._tag !== "CardNotFound"',
    changes: [
      'reason._tag !== "PaymentNotFound" -> true',
      'reason._tag !== "CardNotFound" -> true',
      '"PaymentNotFound" -> ""',
      '"CardNotFound" -> ""'
    ],
    why: "A request that names no payment and no card fails for neither reason."
  },
  {
    file: "src/client/call/FailureReason.ts",
    line: "const code = errors[0]?.error_code ?? 0",
    changes: ["errors[0]?.error_code ?? 0 -> errors[0]?.error_code"],
    why: "The schema guarantees one error: the default is for the types."
  },
  {
    file: "src/client/call/OnUnknownOutcome.ts",
    line: '"effect-gopay/UnknownOutcomes",',
    changes: ['"effect-gopay/UnknownOutcomes" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'case "OutcomeUnknown":',
    changes: ['"OutcomeUnknown" -> ""'],
    why: "An assertion: no operation comes to a reason that is not its own."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'case "PaymentNotFound":',
    changes: ['"PaymentNotFound" -> ""'],
    why: "An assertion: no operation comes to a reason that is not its own."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'return path.includes("{id}")',
    changes: ['"{id}" -> ""'],
    why: "An assertion: no operation comes to a reason that is not its own."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'case "CardNotFound":',
    changes: ['"CardNotFound" -> ""'],
    why: "An assertion: no operation comes to a reason that is not its own."
  },
  {
    file: "src/client/call/Operation.ts",
    line: 'return path.includes("{card_id}")',
    changes: ['"{card_id}" -> ""'],
    why: "An assertion: no operation comes to a reason that is not its own."
  },
  {
    file: "src/client/call/Operation.ts",
    line: '...(typeof amount === "number" ? { amount } : undefined),',
    changes: ['typeof amount === "number" -> true'],
    why: "Every change with a request has an amount; undefined would be left out of the JSON."
  },
  {
    file: "src/client/call/RequestEncoder.ts",
    line: "const known = new Set(SchemaAST.isObjects(schema.ast) ? schema.ast.propertySignatures.map(({ name }) => name) : [])",
    changes: ["SchemaAST.isObjects(schema.ast) -> true"],
    why: "All requests are objects: the check is for the types."
  },
  {
    file: "src/client/call/RequestEncoder.ts",
    line: 'if (type === "json" || /^(string|number|boolean)$/.test(typeof value)) return jsonFields(value, path)',
    changes: [
      "/^(string|number|boolean)$/ -> /(string|number|boolean)$/",
      "/^(string|number|boolean)$/ -> /^(string|number|boolean)/"
    ],
    why: "No other type's name has one of these in it."
  },
  {
    file: "src/client/call/RequestEncoder.ts",
    line: 'query: (value) => ({ query: urlEncoded(value).replace(/^(?=.)/, "?") }),',
    changes: ["/^(?=.)/ -> /(?=.)/"],
    why: "Only the first place is replaced, which is the beginning."
  },
  {
    file: "src/client/call/RequestEncoder.ts",
    line: "Object.entries(value ?? {}).flatMap(([name, member]) => (member === undefined ? [] : [[name, String(member)]]))",
    changes: ["value ?? {} -> value"],
    why: "What is encoded is always an object: the default is for the types."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: "if (status < 200 || status > 299) return Result.fail(refused(reading.call, readRefusal(response, reading)))",
    changes: ["status < 200 -> false"],
    why: "A final response has no status below 200."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: 'contentDisposition: response.header("content-disposition") ?? null',
    changes: ['response.header("content-disposition") ?? null -> response.header("content-disposition")'],
    why: "A name is looked for in a text only."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: 'const text = header?.trim() ?? ""',
    changes: ['"" -> "mutated"'],
    why: "Neither text is a number or a date."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: 'const contentType = response.header("content-type") ?? ""',
    changes: ['response.header("content-type") ?? "" -> response.header("content-type")', '"" -> "mutated"'],
    why: "Neither text says HTML or JSON."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: 'const start = decoder.decode(response.data.slice(0, 1024)).replace(/^(\\s|<\\?xml[^>]*>|<!--[^]*?-->)+/i, "")',
    changes: ["1024 -> (1024 * 2)"],
    why: "Any beginning will do that holds the head of a page."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: 'const start = decoder.decode(response.data.slice(0, 1024)).replace(/^(\\s|<\\?xml[^>]*>|<!--[^]*?-->)+/i, "")',
    changes: ["/^(\\s|<\\?xml[^>]*>|<!--[^]*?-->)+/i -> /(\\s|<\\?xml[^>]*>|<!--[^]*?-->)+/i"],
    why: "Only a beginning with < matters afterwards."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: "/^(text\\/html|application\\/xhtml)/i.test(contentType)",
    changes: ["/^(text\\/html|application\\/xhtml)/i -> /(text\\/html|application\\/xhtml)/i"],
    why: "No other type has one of these within."
  },
  {
    file: "src/client/call/ResponseReader.ts",
    line: "/^application\\/json/i.test(contentType) ||",
    changes: ["/^application\\/json/i -> /application\\/json/i"],
    why: "No other type has this within."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: 'Duration.millis(reason._tag === "RateLimited" ? (reason.retryAfter ?? 0) : 0)',
    changes: ['reason._tag === "RateLimited" -> true', "0 -> (0 + 1)"],
    why: "No other reason has it, and a millisecond beside 200 does not matter."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: 'Duration.millis(reason._tag === "RateLimited" ? (reason.retryAfter ?? 0) : 0)',
    changes: ["reason.retryAfter ?? 0 -> reason.retryAfter"],
    why: "No other reason has it, no duration is made of nothing, and a millisecond beside 200 does not matter."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: "Schedule.setInputType<GatewayFailure>(),",
    changes: ["Schedule.setInputType<GatewayFailure>() -> ((same) => same)"],
    why: "It changes the type only."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: '} = Object.assign(Context.Reference<RetryPolicy>("effect-gopay/RetryPolicy", { defaultValue: () => standard }), {',
    changes: ['"effect-gopay/RetryPolicy" -> ""'],
    why: "The key of a service only has to be another one than all others."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: "totalTimeout === undefined",
    changes: ["totalTimeout === undefined -> false"],
    why: "No duration is made of nothing: there is no limit all the same."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: "if (!mayRepeat(first)) return Effect.fail(first)",
    changes: ["!mayRepeat(first) -> false"],
    why: "The retries look at it as well: this saves time only."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: "const elapsed = Duration.millis(Math.max(0, clock.currentTimeMillisUnsafe() - startedAt))",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of two minutes."
  },
  {
    file: "src/client/call/RetryPolicy.ts",
    line: "return Duration.isFinite(duration)",
    changes: ["Duration.isFinite(duration) -> true"],
    why: "A time-out that never comes changes nothing."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: "harmless(() => Effect.sync(() => span && annotate(span, event))),",
    changes: ["span -> true"],
    why: "A failure to annotate nothing is swallowed."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: "harmless(() => (Exit.isSuccess(exit) ? Effect.void : warnOfUnknownOutcome(exit.cause)))",
    changes: ["Exit.isSuccess(exit) -> false"],
    why: "A success has no cause to tell of: the failure is swallowed."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: "{ discard: true }",
    changes: ["true -> false"],
    why: "For speed only."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: ": Effect.withParentSpan(watched(span), span, { captureStackTrace: false }),",
    changes: ["false -> true"],
    why: "For speed only: the trace is looked at by nobody."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: "if (span === undefined && !isLogged) return logged",
    changes: ["span === undefined -> true", "span === undefined && !isLogged -> false"],
    why: "For speed only: what nobody looks at is told to nobody."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: "if (known !== undefined) return known",
    changes: ["known !== undefined -> false"],
    why: "What is known is kept for speed only."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: "values.set(key, value)",
    changes: ["values.set(key, value) -> undefined"],
    why: "Series are kept for speed only."
  },
  {
    file: "src/client/call/Telemetry.ts",
    line: 'return reason?._tag === "OutcomeUnknown"',
    changes: ['reason?._tag === "OutcomeUnknown" -> true'],
    why: "Other reasons have no change to tell of: the failure is swallowed."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "ended.delete(other)",
    changes: ["ended.delete(other) -> undefined"],
    why: "What is remembered for longer is a matter of memory only."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: 'const brand = "~effect-gopay/NotificationError"',
    changes: ['"~effect-gopay/NotificationError" -> ""'],
    why: "The name only has to be the same in all entries."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: 'Object.defineProperty(constructor, "name", { value: "NotificationError" })',
    changes: [
      'Object.defineProperty(constructor, "name", { value: "NotificationError" }) -> undefined',
      '"name" -> ""'
    ],
    why: "Only a minifier gives the class another name."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: "Object.defineProperty(constructor.prototype, brand, { value: true })",
    changes: ["true -> false"],
    why: "It only matters that it is there."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: 'const queryOf = (source: NotificationSource): string => /^[^?#]*\\?([^#]*)/.exec(addressOf(source))?.[1] ?? ""',
    changes: [
      '/^[^?#]*\\?([^#]*)/.exec(addressOf(source))?.[1] ?? "" -> /^[^?#]*\\?([^#]*)/.exec(addressOf(source))?.[1]',
      '"" -> "mutated"'
    ],
    why: "No text without a query names a payment."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: 'return typeof address === "string" || address instanceof URL ? String(address) : ""',
    changes: ['typeof address === "string" || address instanceof URL -> true', '"" -> "mutated"'],
    why: "No text without a query names a payment."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: 'return ""',
    changes: ['"" -> "mutated"'],
    why: "No text without a query names a payment."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const signOfLife = 1_000",
    changes: ["1_000 -> (1_000 * 2)"],
    why: "Any interval well below silenceAtMost will do."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const slowestLook = 500",
    changes: ["500 -> (500 * 2)"],
    why: "How often it looks is a matter of speed only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const rememberedFor = 60_000",
    changes: ["60_000 -> (60_000 * 2)"],
    why: "What is remembered for longer is a matter of memory only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const arrived: Waiting = { time: 0, look: firstLook, lease: undefined, aliveAt: 0, silence: 0 }",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of half a minute."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "let rounds = 0",
    changes: ["0 -> (0 + 1)"],
    why: "Rounds are only compared with each other."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "let lookedAt = 0",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of ten minutes."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "ended.delete(id)",
    changes: ["ended.delete(id) -> undefined"],
    why: "An older round says nothing to those who came after it."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "if (now - lookedAt < forgottenAfter) return",
    changes: [
      "now - lookedAt < forgottenAfter -> false",
      "now - lookedAt < forgottenAfter -> (now - lookedAt) <= (forgottenAfter)",
      "now - lookedAt -> (now) + (lookedAt)"
    ],
    why: "When dead leases are looked for is a matter of memory only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "lookedAt = now",
    changes: ["lookedAt = now -> undefined"],
    why: "When dead leases are looked for is a matter of memory only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "for (const [id, { aliveAt }] of leases) if (now - aliveAt > forgottenAfter) leases.delete(id)",
    changes: ["now - aliveAt > forgottenAfter -> (now - aliveAt) >= (forgottenAfter)"],
    why: "A millisecond of ten minutes."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const silence = isSilent ? waiting.silence + waiting.look : 0",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of ten seconds."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "if (waiting.time >= waitAtMost) return Effect.succeed(undefined)",
    changes: ["waiting.time >= waitAtMost -> (waiting.time) > (waitAtMost)"],
    why: "The next look is half a second later."
  },
  {
    file: "src/client/notification/Verification.ts",
    line: "Effect.flatMap(order.goid === undefined ? configured : Effect.succeed(order.goid), (goid) =>",
    changes: ["order.goid === undefined -> true"],
    why: "The order's own merchant counts in either case: the configured one is not asked for."
  },
  {
    file: "src/client/config/GatewayConfig.ts",
    line: 'configError(fields.map(({ field = "", message }) => ({ field: ownMember(variables, field) ?? field, message })))',
    changes: ['"" -> "mutated"'],
    why: "Every problem of an option has a field: the default is for the types."
  },
  {
    file: "src/client/config/GatewayConfig.ts",
    line: 'configError(fields.map(({ field = "", message }) => ({ field: ownMember(variables, field) ?? field, message })))',
    changes: ["variables[field] ?? field -> variables[field]"],
    why: "Every option of the environment has its variable."
  },
  {
    file: "src/client/config/GatewayOptions.ts",
    line: "/^127\\.\\d+\\.\\d+\\.\\d+$/.test(hostname)",
    changes: ["/^127\\.\\d+\\.\\d+\\.\\d+$/ -> /127\\.\\d+\\.\\d+\\.\\d+$/"],
    why: "No other host ends like an address: it would be no valid URL."
  },
  {
    file: "src/client/config/GatewayOptions.ts",
    line: 'export const embedJsUrl = (apiBaseUrl: string): string => apiBaseUrl.replace(/\\/api$/, "/gp-gw/js/embed.js")',
    changes: ["/\\/api$/ -> /\\/api/"],
    why: "The base address ends with /api, and its first part is the origin."
  },
  {
    file: "src/client/config/GatewayOptions.ts",
    line: "environment: Schema.String.check(Schema.makeFilter((environment) => environmentProblem(environment) ?? true)),",
    changes: ["environmentProblem(environment) ?? true -> environmentProblem(environment)"],
    why: "A filter takes nothing for no problem, too."
  },
  {
    file: "src/client/gateway/Calls.ts",
    line: "if (!isReason(reason)) throw new TypeError(`${name} does not fail with ${reason._tag}`)",
    changes: ["!isReason(reason) -> false"],
    why: "A check for the types alone: nothing that exists fails it."
  },
  {
    file: "src/client/gateway/Gateway.ts",
    line: 'if (!arePrograms(programs)) return yield* Effect.die(new TypeError("An operation is no program."))',
    changes: ["!arePrograms(programs) -> false"],
    why: "A check for the types alone: nothing that exists fails it."
  },
  {
    file: "src/client/gateway/Gateway.ts",
    line: "Object.values(methods).every(Predicate.isFunction)",
    changes: [
      "Object.values(methods).every(Predicate.isFunction) -> Object.values(methods).some(Predicate.isFunction)"
    ],
    why: "A check for the types alone: nothing that exists fails it."
  },
  {
    file: "src/client/gateway/Operations.ts",
    line: 'if (!hasEach(methods)) throw new TypeError("An operation has no method.")',
    changes: ["!hasEach(methods) -> false"],
    why: "A check for the types alone: nothing that exists fails it."
  },
  {
    file: "src/client/gateway/Operations.ts",
    line: "Object.keys(operations).every((name) => Object.hasOwn(methods, name))",
    changes: [
      "Object.keys(operations).every((name) => Object.hasOwn(methods, name)) -> Object.keys(operations).some((name) => Object.hasOwn(methods, name))"
    ],
    why: "A check for the types alone: nothing that exists fails it."
  },
  {
    file: "src/client/gateway/Gateway.ts",
    line: "if (known !== undefined) return known",
    changes: ["known !== undefined -> false"],
    why: "Only a cache."
  },
  {
    file: "src/client/gateway/Gateway.ts",
    line: "contexts.set(context, made)",
    changes: ["contexts.set(context, made) -> undefined"],
    why: "Only a cache."
  },
  {
    file: "src/client/payment/AwaitPayment.ts",
    line: "const seconds = waits[Math.min(reads, waits.length - 1)] ?? 0",
    changes: [
      "waits[Math.min(reads, waits.length - 1)] ?? 0 -> waits[Math.min(reads, waits.length - 1)]",
      "0 -> (0 + 1)"
    ],
    why: "There is always a pause; only the types do not know it."
  },
  {
    file: "src/client/payment/AwaitPayment.ts",
    line: 'Duration.millis(reason._tag === "RateLimited" ? Math.min(reason.retryAfter ?? 0, longestRetryAfter) : 0)',
    changes: ['reason._tag === "RateLimited" -> true'],
    why: "No other reason has such a time."
  },
  {
    file: "src/client/payment/AwaitPayment.ts",
    line: 'Duration.millis(reason._tag === "RateLimited" ? Math.min(reason.retryAfter ?? 0, longestRetryAfter) : 0)',
    changes: ["reason.retryAfter ?? 0 -> reason.retryAfter"],
    why: "No time makes a duration of zero, too."
  },
  {
    file: "src/client/payment/PayerMessage.plain.ts",
    line: 'typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined',
    changes: ['typeof value === "object" -> true', "value !== null -> true"],
    why: "What is no object throws here, and is told as what cannot be read."
  },
  {
    file: "src/local-gateway/wire/JsonText.ts",
    line: "return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }",
    changes: ["before.at(-1)?.length ?? 0 -> before.at(-1)?.length", "0 -> (0 + 1)"],
    why: "There is always a line; only the types do not know it."
  },
  {
    file: "src/local-gateway/wire/JsonText.ts",
    line: "index = endOf(space, text, index) ?? index",
    changes: ["endOf(space, text, index) ?? index -> endOf(space, text, index)"],
    why: "White space of no length is found everywhere; only the types do not know it."
  },
  {
    file: "src/local-gateway/wire/JsonText.ts",
    line: "if (close !== undefined && character === close) open.pop()",
    changes: ["close !== undefined -> true"],
    why: "A text that ends where no bracket is open is JSON, which is read before."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: "new Refusal({ status, errors: [description === undefined ? { code } : { code, description }] })",
    changes: ["description === undefined -> false"],
    why: "JSON leaves out what is undefined."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: "...(field === undefined ? {} : { field }),",
    changes: ["field === undefined -> false"],
    why: "JSON leaves out what is undefined."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: "...(description === undefined ? {} : { description })",
    changes: ["description === undefined -> false"],
    why: "JSON leaves out what is undefined."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '113: "NOT_CHANGEABLE",',
    changes: ['"NOT_CHANGEABLE" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '114: "NOT_DELETABLE",',
    changes: ['"NOT_DELETABLE" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '203: "AUTH_PIN_DEACTIVATED",',
    changes: ['"AUTH_PIN_DEACTIVATED" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '301: "PAYMENT_NOT_CREATED",',
    changes: ['"PAYMENT_NOT_CREATED" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '305: "ESHOP_DEACTIVATED",',
    changes: ['"ESHOP_DEACTIVATED" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '321: "PAYEE_NOT_ACCEPTING",',
    changes: ['"PAYEE_NOT_ACCEPTING" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '343: "PAYMENT_RECURRENCE_ATTEMPTS_EXCEEDED",',
    changes: ['"PAYMENT_RECURRENCE_ATTEMPTS_EXCEEDED" -> ""'],
    why: "An invented name: the gateway's own is not known, so nothing may depend on it."
  },
  {
    file: "src/local-gateway/wire/Refusal.ts",
    line: '/^\\s*cs\\b/i.test(acceptLanguage ?? "") ? "cs" : "en"',
    changes: ['acceptLanguage ?? "" -> acceptLanguage', '"" -> "mutated"'],
    why: "Another text that is not Czech either."
  },
  {
    file: "src/local-gateway/wire/RequestDecoder.ts",
    line: 'recurrence_cycle === "ON_DEMAND" || (recurrence_period ?? 0) > 0',
    changes: ["recurrence_period ?? 0 -> recurrence_period"],
    why: "Neither is more than 0."
  },
  {
    file: "src/local-gateway/wire/RequestDecoder.ts",
    line: "return Arr.isReadonlyArrayNonEmpty(errors) ? refusedFields(errors) : refusal(116)",
    changes: ["Arr.isReadonlyArrayNonEmpty(errors) -> true", "116 -> (116 * 2)"],
    why: "There is always a problem; only the types do not know it."
  },
  {
    file: "src/local-gateway/wire/RequestDecoder.ts",
    line: '/^\\s*[{[]/.test(content) || /\\bjson\\b/i.test(contentType ?? "")',
    changes: ['contentType ?? "" -> contentType'],
    why: "Another text without the word json."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "(offset) => starts[from + offset] ?? 0,",
    changes: ["0 -> (0 + 1)"],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "(offset) => ends[from + offset] ?? 0",
    changes: ["0 -> (0 + 1)"],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "const start = starts[index] ?? 0",
    changes: ["0 -> (0 + 1)"],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "const end = ends[next - 1] ?? 0",
    changes: ["0 -> (0 + 1)"],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "start: starts[index] ?? 0,",
    changes: ["0 -> (0 + 1)"],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "end: ends[index + length - 1] ?? 0",
    changes: ["0 -> (0 + 1)"],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: '`${text[start - 1] ?? " "}${text[start] ?? " "} ${text[end - 1] ?? " "}${text[end] ?? " "}`',
    changes: ['text[start] ?? " " -> text[start]', '" " -> ""', 'text[end - 1] ?? " " -> text[end - 1]'],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: 'const [digits = ""] = essences',
    changes: ['"" -> "mutated"'],
    why: "It is always there; only the types do not know it."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "return code <= 0x10ffff ? String.fromCodePoint(code) : undefined",
    changes: ["code <= 0x10ffff -> (code) < (0x10ffff)"],
    why: "The last of all characters is in no secret."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: "return isWithinWord || !/^[\\p{L}\\p{N}][\\p{L}\\p{N}]|[\\p{L}\\p{N}][\\p{L}\\p{N}]$/u.test(edges(text, start, end))",
    changes: [
      "/^[\\p{L}\\p{N}][\\p{L}\\p{N}]|[\\p{L}\\p{N}][\\p{L}\\p{N}]$/u -> /[\\p{L}\\p{N}][\\p{L}\\p{N}]|[\\p{L}\\p{N}][\\p{L}\\p{N}]$/u",
      "/^[\\p{L}\\p{N}][\\p{L}\\p{N}]|[\\p{L}\\p{N}][\\p{L}\\p{N}]$/u -> /^[\\p{L}\\p{N}][\\p{L}\\p{N}]|[\\p{L}\\p{N}][\\p{L}\\p{N}]/u"
    ],
    why: "A space lies between the two pairs, and each may be looked for anywhere."
  },
  {
    file: "src/client/error/Redaction.ts",
    line: '`${text[start - 1] ?? " "}${text[start] ?? " "} ${text[end - 1] ?? " "}${text[end] ?? " "}`',
    changes: ['" " -> ""'],
    why: "One character next to a space is no pair either."
  },
  {
    file: "src/local-gateway/books/Agenda.ts",
    line: "const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)",
    changes: ["a.order < b.order -> (a.order) <= (b.order)"],
    why: "No two tasks have the same order."
  },
  {
    file: "src/local-gateway/books/Agenda.ts",
    line: "private entered = 0",
    changes: ["0 -> (0 + 1)"],
    why: "Only the order counts."
  },
  {
    file: "src/local-gateway/books/Agenda.ts",
    line: "while (index > 0) {",
    changes: ["index > 0 -> (index) >= (0)"],
    why: "Only the types do not know that it is there."
  },
  {
    file: "src/local-gateway/books/Agenda.ts",
    line: "if (parent === undefined || !isBefore(entry, parent)) break",
    changes: ["parent === undefined -> false"],
    why: "Only the types do not know that it is there."
  },
  {
    file: "src/local-gateway/books/Agenda.ts",
    line: "if (last !== undefined && last !== first) this.sink(last)",
    changes: ["last !== undefined -> true"],
    why: "Only the types do not know that it is there."
  },
  {
    file: "src/local-gateway/books/Agenda.ts",
    line: "const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left",
    changes: ["left !== undefined -> true"],
    why: "Only the types do not know that it is there."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "return number === undefined ? undefined : this.payments.get(number)",
    changes: ["number === undefined -> false"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "return id === undefined ? undefined : this.payments.get(id)",
    changes: ["id === undefined -> false"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "const card = number === undefined ? undefined : this.cards.get(number)",
    changes: ["number === undefined -> false"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "if (token === undefined) return undefined",
    changes: ["token === undefined -> false"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "if (payment === undefined || event === undefined || event.at > at) return",
    changes: ["payment === undefined -> false"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: 'if (recurrence === undefined || payment.recurrence !== "STARTED" || payment.startedAt === undefined) return undefined',
    changes: ["payment.startedAt === undefined -> false", "recurrence === undefined -> false"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: 'if (payment.state === "AUTHORIZED" && payment.authorizedAt !== undefined) {',
    changes: ["payment.authorizedAt !== undefined -> true"],
    why: "Nothing is found under what is not there, either."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: 'if (operation.type === "refund") this.endRefund(payment, operation.refundId, "FAILED", occasion)',
    changes: ['operation.type === "refund" -> true'],
    why: "No other operation has a refund."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "...(lang === undefined ? {} : { lang }),",
    changes: ["lang === undefined -> false"],
    why: "JSON leaves out what is undefined."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "...(contact === undefined ? {} : { payer: { contact } })",
    changes: ["contact === undefined -> false"],
    why: "JSON leaves out what is undefined."
  },
  {
    file: "src/local-gateway/books/Occasion.ts",
    line: "Uint8Array.from({ length: count }, () => Math.floor(random.nextDoubleUnsafe() * 256))",
    changes: ["256 -> (256 * 2)"],
    why: "A byte keeps the last eight bits of any number."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: 'if (amount !== "all" && amount > payment.order.amount) {',
    changes: ['amount !== "all" -> true', '"all" -> ""'],
    why: "All is a text, which is more than no number."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: "if (payment.receivedAt !== undefined && now - payment.receivedAt >= refundableFor * 1000) {",
    changes: ["payment.receivedAt !== undefined -> true"],
    why: "No time is older than any."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: "const { recurrence_cycle, recurrence_date_to, recurrence_period = 1 } = recurrence",
    changes: ["1 -> (1 + 1)"],
    why: "Such a recurrence always has a period."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: "if (payment.startedAt + count * leastDays * dayMillis < lastDay + dayMillis) {",
    changes: [
      "payment.startedAt + count * leastDays * dayMillis < lastDay + dayMillis -> (payment.startedAt + count * leastDays * dayMillis) <= (lastDay + dayMillis)"
    ],
    why: "Only saves a computation."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: 'if (at < lastDay || at < midnightAfter(recurrence_date_to)) return { type: "charge", at }',
    changes: ["at < lastDay -> false", "at < lastDay -> (at) <= (lastDay)"],
    why: "Only saves a computation."
  },
  {
    file: "src/local-gateway/wire/RequestDecoder.ts",
    line: 'typeof value === "string" && /^\\s*-?\\d+\\s*$/.test(value) ? Number(value) : value',
    changes: ["/^\\s*-?\\d+\\s*$/ -> /\\s*-?\\d+\\s*$/", "/^\\s*-?\\d+\\s*$/ -> /^\\s*-?\\d+\\s*/"],
    why: "What is no number is refused either way."
  },
  {
    file: "src/client/gateway/TokenRecovery.ts",
    line: "return refusal.status === 403 && since !== undefined && Math.abs(now - since) < rememberedDenial",
    changes: ["since !== undefined -> true"],
    why: "No time is within the minute of any."
  },
  {
    file: "src/client/payment/PayerMessage.plain.ts",
    line: 'const name = typeof language === "string" ? language.toLowerCase() : ""',
    changes: ['"" -> "mutated"'],
    why: "Another language that there is none of."
  },
  {
    file: "src/client/error/ChangeRecord.ts",
    line: "(/^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))) ||",
    changes: ["/^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$/ -> /^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z/"],
    why: "No date has anything after its Z."
  },
  {
    file: "src/client/error/GatewayError.plain.ts",
    line: 'const code = ("code" in reason ? reason.code : undefined) ?? reason.errors?.[0]?.error_code',
    changes: ['"code" in reason -> true'],
    why: "Only such a reason has one."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "const lastDay = Date.UTC(2000 + Number(expiration.slice(0, 2)), Number(expiration.slice(2)), 0)",
    changes: ["2000 + Number(expiration.slice(0, 2)) -> (2000) - (Number(expiration.slice(0, 2)))", "0 -> (0 + 1)"],
    why: "Only saves a computation."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: 'return now >= lastDay && `20${expiration}` < day(now).replaceAll("-", "").slice(0, 6)',
    changes: ["now >= lastDay -> true", "now >= lastDay -> (now) > (lastDay)"],
    why: "Only saves a computation."
  },
  {
    file: "src/local-gateway/books/Payment.ts",
    line: "if (payment.startedAt + count * leastDays * dayMillis < lastDay + dayMillis) {",
    changes: ["count * leastDays -> (count) / (leastDays)"],
    why: "Only saves a computation, and a calendar's range."
  },
  {
    file: "src/client/transport/DirectSender.ts",
    line: 'const direct = Symbol.for("effect-gopay/DirectSender")',
    changes: ['"effect-gopay/DirectSender" -> ""'],
    why: "Any name does that nobody else uses."
  },
  {
    file: "src/client/transport/DirectSender.ts",
    line: "export const senderOf = (http: HttpClient.HttpClient): Sender | undefined => (isDirect(http) ? http[direct] : undefined)",
    changes: ["isDirect(http) -> true"],
    why: "Another client has no such member; the check is for the types."
  },
  {
    file: "src/client/transport/RequestFacts.ts",
    line: '"effect-gopay/RequestFacts",',
    changes: ['"effect-gopay/RequestFacts" -> ""'],
    why: "Any name does that nobody else uses."
  },
  {
    file: "src/client/transport/FetchOnce.plain.ts",
    line: "if (body === undefined || body === null) return new Uint8Array()",
    changes: ["body === undefined -> false", "body === null -> false"],
    why: "Saves a `Response`, which has no bytes either."
  },
  {
    file: "src/client/transport/FetchOnce.plain.ts",
    line: 'return typeof body === "string"',
    changes: ['typeof body === "string" -> false'],
    why: "Saves a `Response`, which has the same bytes."
  },
  {
    file: "src/client/transport/HttpClientTransport.ts",
    line: "headers === noHeaders ? request : { ...request, headers: { ...request.headers, ...headers } },",
    changes: ["headers === noHeaders -> false"],
    why: "Only saves a copy."
  },
  {
    file: "src/client/transport/TimeLimit.ts",
    line: "if (settled !== undefined) return resume(settled)",
    changes: ["settled !== undefined -> false"],
    why: "Only saves a timer: an observer of a fiber that has ended is called at once."
  },
  {
    file: "src/client/transport/HttpClientTransport.ts",
    line: "if (Option.isSome(web)) {",
    changes: ["Option.isSome(web) -> false"],
    why: "The stream of Effect has the same bytes, and takes longer."
  },
  {
    file: "src/client/transport/RequestLimit.ts",
    line: "const renewalInterval = Duration.seconds(1)",
    changes: ["1 -> (1 + 1)"],
    why: "Any interval does that is shorter than a lease."
  },
  {
    file: "src/client/transport/RequestLimit.ts",
    line: "const lease: Lease = { renewedAt: 0 }",
    changes: ["0 -> (0 + 1)"],
    why: "It is set before the lease is looked at."
  },
  {
    file: "src/client/transport/Transport.plain.ts",
    line: "if (data === undefined) cancel()",
    changes: ["data === undefined -> true"],
    why: "To cancel what has been read does nothing."
  },
  {
    file: "src/client/transport/Transport.plain.ts",
    line: "if (Array.isArray(errors) && errors.length > 0) open.push(...errors.slice(0, 100))",
    changes: ["100 -> (100 * 2)"],
    why: "No more than a hundred are looked at."
  },
  {
    file: "src/client/transport/platform/Redirection.ts",
    line: "let isRedirected = false",
    changes: ["false -> true"],
    why: "The first call sets it, unless there is neither `fetch` nor a dispatcher."
  },
  {
    file: "src/client/transport/platform/Redirection.ts",
    line: 'if (typeof dispatcher !== "object" || dispatcher === null) return false',
    changes: ['typeof dispatcher !== "object" -> false'],
    why: "What is no object has a constructor of another name."
  },
  {
    file: "src/client/transport/platform/Redirection.ts",
    line: "const options: unknown = name === undefined ? undefined : Reflect.get(dispatcher, name)",
    changes: ["name === undefined -> false"],
    why: 'There is no member of the name "undefined"; the check is for the types.'
  },
  {
    file: "src/client/transport/platform/SocketSender.ts",
    line: "if (isOver || request !== current) return",
    changes: ["isOver -> false", "request !== current -> false"],
    why: "A second guard where a request gets its connection or its response: what was given up has been destroyed before."
  },
  {
    file: "src/client/transport/platform/SocketSender.ts",
    line: 'if ("_tag" in outcome || outcome.data === undefined) request.destroy()',
    changes: ['"_tag" in outcome -> false', '"_tag" in outcome || outcome.data === undefined -> true'],
    why: "A failure has no data either, and to destroy what is complete does nothing."
  },
  {
    file: "src/client/transport/platform/SocketSender.ts",
    line: "const { headers, statusCode: status = 0 } = response",
    changes: ["0 -> (0 + 1)"],
    why: "Every response has a status; the default is for the types."
  },
  {
    file: "src/client/transport/platform/SocketSender.ts",
    line: 'const isKept: unknown = typeof keep === "function" ? keep.call(agent, socket) : false',
    changes: ['typeof keep === "function" -> true', "false -> true"],
    why: "Every agent of Node.js has the method."
  },
  {
    file: "src/client/transport/platform/SocketSender.ts",
    line: "keepAliveMsecs: 10_000,",
    changes: ["10_000 -> (10_000 * 2)"],
    why: "Only says after how much silence the system looks whether a connection is still there."
  },
  {
    file: "src/local-gateway/seed/Seed.ts",
    line: "...(settings === undefined ? {} : { settings }),",
    changes: ["settings === undefined -> false"],
    why: "An empty member of a change is applied as none."
  },
  {
    file: "src/local-gateway/seed/Seed.ts",
    line: "...(cards.length === 0 ? {} : { cards }),",
    changes: ["cards.length === 0 -> false"],
    why: "An empty member of a change is applied as none."
  },
  {
    file: "src/local-gateway/seed/Seed.ts",
    line: "...(payments.length === 0 ? {} : { payments }),",
    changes: ["payments.length === 0 -> false"],
    why: "An empty member of a change is applied as none."
  },
  {
    file: "src/local-gateway/seed/Seed.ts",
    line: "...(notified.length === 0 ? {} : { notified, notifications: seedNotifications(notifications) })",
    changes: ["notified.length === 0 -> false"],
    why: "An empty member of a change is applied as none."
  },
  {
    file: "src/local-gateway/seed/SeedBooks.ts",
    line: "const requestedAt = at(refund.date_requested) ?? receivedAt ?? createdAt",
    changes: ["at(refund.date_requested) ?? receivedAt ?? createdAt -> at(refund.date_requested) ?? receivedAt"],
    why: "Only what was received is refunded."
  },
  {
    file: "src/local-gateway/seed/SeedBooks.ts",
    line: "return refund === undefined ? [] : [{ operation: refundOperation(refund), endsAt, end }]",
    changes: ["refund === undefined -> false"],
    why: "The checks have refused such a seed; only the types do not know it."
  },
  {
    file: "src/local-gateway/seed/SeedBooks.ts",
    line: "received > 0 && receivedAt !== undefined",
    changes: ["receivedAt !== undefined -> true"],
    why: "What was received has its time; only the types do not know it."
  },
  {
    file: "src/local-gateway/seed/SeedBooks.ts",
    line: "...(asked === undefined || recurrence === undefined",
    changes: ["asked === undefined -> false", "recurrence === undefined -> false"],
    why: "Both are there or neither: each is for the types of the other."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: 'return payment.refunds ?? (payment.state === "REFUNDED" && received > 0 ? [{ amount: received }] : [])',
    changes: ["received > 0 -> true", "received > 0 -> (received) >= (0)"],
    why: "A refund of nothing adds nothing, and the checks refuse the payment."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: 'if (state === "PAID" || state === "PARTIALLY_REFUNDED" || state === "REFUNDED") {',
    changes: [
      'state === "PAID" || state === "PARTIALLY_REFUNDED" || state === "REFUNDED" -> true',
      'state === "PAID" || state === "PARTIALLY_REFUNDED" -> true'
    ],
    why: "The table has nothing for the other states."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: "if (preauthorization !== undefined && statesByPreauthorization[preauthorization]?.includes(state) === false) {",
    changes: ["preauthorization !== undefined -> true"],
    why: "The table has nothing for the other states."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: 'if ((received ?? 0) > 0) report(at("received"), `must be 0 of a payment that is ${state}`)',
    changes: ["received ?? 0 -> received"],
    why: "Nothing is more than undefined."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: 'if (operation.type === "capture" && (operation.amount ?? 0) > amount) {',
    changes: ["operation.amount ?? 0 -> operation.amount"],
    why: "Nothing is more than undefined."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: 'if (operation.type === "capture" && (operation.amount ?? 0) > amount) {',
    changes: ['operation.type === "capture" -> true'],
    why: "The amount of another operation means nothing."
  },
  {
    file: "src/local-gateway/seed/SeedChecks.ts",
    line: "if (id === undefined || !ended.includes(id)) {",
    changes: ["id === undefined -> false"],
    why: "A list of ids does not have undefined."
  },
  {
    file: "src/local-gateway/seed/SeedIndex.ts",
    line: "if (parent_id !== undefined) this.charges.set(parent_id, this.chargesOf(parent_id) + 1)",
    changes: ["parent_id !== undefined -> true"],
    why: "Nobody asks for the charges of no payment."
  },
  {
    file: "src/local-gateway/seed/SeedJournal.ts",
    line: 'const firstLine = text.slice(0, start).split("\\n").length',
    changes: ["0 -> (0 + 1)"],
    why: "The first character of a seed ends no line."
  },
  {
    file: "src/local-gateway/seed/SeedBooks.ts",
    line: '...Struct.omit(order, ["payer", "preauthorization", "recurrence"]),',
    changes: [
      '["payer", "preauthorization", "recurrence"] -> []',
      '"payer" -> ""',
      '"preauthorization" -> ""',
      '"recurrence" -> ""'
    ],
    why: "Each is written again below, in the form that it has in a seed."
  },
  {
    file: "src/client/call/BeforeSend.ts",
    line: 'export const heldBack = "HeldBack"',
    changes: ['"HeldBack" -> ""'],
    why: "Both sides of the comparison have it."
  },
  {
    file: "src/client/call/BeforeSend.ts",
    line: '_tag: "TransportFailure",',
    changes: ['"TransportFailure" -> ""'],
    why: "A failure is told from a response by having a tag, whichever."
  },
  {
    file: "src/client/call/BeforeSend.ts",
    line: "isTimeout: false,",
    changes: ["false -> true"],
    why: "A request that was held back is told of before its time is looked at."
  },
  {
    file: "src/client/call/CustomOperation.ts",
    line: "arity: 0,",
    changes: ["0 -> (0 + 1)"],
    why: "The promise client takes the options of a request of one's own from elsewhere."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: "if (isFinal || Exit.isSuccess(exit) || !isRetryable(exit)) return exit",
    changes: ["Exit.isSuccess(exit) -> false"],
    why: "Nothing that has succeeded can be retried."
  },
  {
    file: "src/client/token/TokenCache.ts",
    line: ": Effect.andThen(Deferred.await(flight.settled), obtain({ flight, flights, waited, isDoubtful: false }))",
    changes: ["false -> true"],
    why: "The request that was waited for has ended: another one is not the one that seemed dead."
  },
  {
    file: "src/client/notification/Notification.plain.ts",
    line: 'return actual !== undefined && canonicalId(goid) === actual ? [] : [{ field: "goid", expected: goid, actual }]',
    changes: ["actual !== undefined -> true"],
    why: "Nothing is no merchant's number, unless the shop expects what is none."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const rememberedAtMost = 10_000",
    changes: ["10_000 -> (10_000 * 2)"],
    why: "What is remembered for longer is a matter of memory only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "if (now - at < rememberedFor && ended.size < rememberedAtMost) break",
    changes: [
      "now - at < rememberedFor -> true",
      "ended.size < rememberedAtMost -> true",
      "now - at < rememberedFor -> (now - at) <= (rememberedFor)",
      "ended.size < rememberedAtMost -> (ended.size) <= (rememberedAtMost)"
    ],
    why: "What is remembered for longer is a matter of memory only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "if (now - at < rememberedFor && ended.size < rememberedAtMost) break",
    changes: ["now - at < rememberedFor && ended.size < rememberedAtMost -> false", "now - at -> (now) + (at)"],
    why: "What has ended is forgotten too early: a request that still waits for it reads once more."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "if (lease.isAwaited) ended.set(id, { round: lease.round, result, at: now })",
    changes: ["lease.isAwaited -> true"],
    why: "A result that no request awaits is remembered for a minute, for nothing."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "Effect.sync(() => end(id, lease, Exit.isSuccess(exit) ? exit.value : interrupted, monotonicMillis(clock)))",
    changes: ["Exit.isSuccess(exit) -> true"],
    why: "Requests that wait for an interrupted round find the scope closed, or begin their own."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const isSilent = lease !== undefined && lease === waiting.lease && lease.aliveAt === waiting.aliveAt",
    changes: ["lease === waiting.lease -> true"],
    why: "Two rounds whose last signs of life are of the same millisecond."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const isFree = lease === undefined || silence >= silenceAtMost",
    changes: ["silence >= silenceAtMost -> (silence) > (silenceAtMost)"],
    why: "The next look is half a second later."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "if (isFree && putOff <= 0) {",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of seconds."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "return Effect.flatMap(begin(id, turn.round, waiting.time > 0), (result) =>",
    changes: ["waiting.time > 0 -> (waiting.time) >= (0)", "0 -> (0 + 1)"],
    why: "A result that no request awaits is remembered for a minute, for nothing."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const look = isFree ? Math.min(longest, putOff) : longest",
    changes: ["isFree -> false", "Math.min(longest, putOff) -> Math.max(longest, putOff)"],
    why: "How often it looks is a matter of speed only."
  },
  {
    file: "src/client/notification/Rounds.ts",
    line: "const next = { time: waiting.time + look, look, lease, aliveAt: lease?.aliveAt ?? 0, silence }",
    changes: ["lease?.aliveAt ?? 0 -> lease?.aliveAt", "0 -> (0 + 1)"],
    why: "Without a lease there is no sign of life to compare."
  },
  {
    file: "src/client/notification/SharedReads.ts",
    line: "const waitAtMost = 600_000",
    changes: ["600_000 -> (600_000 * 2)"],
    why: "Any time will do that no two reads take."
  },
  {
    file: "src/client/notification/NotificationDelivery.ts",
    line: 'if (found.orderOf === "parent") limits.confirm(id)',
    changes: ['found.orderOf === "parent" -> true'],
    why: "A payment that the shop knows has a budget of its own already."
  },
  {
    file: "src/client/notification/PaymentTurns.ts",
    line: "const stopped: RoundResult = { isDelivered: false, isByClaim: false, claimedParent: undefined }",
    changes: ["false -> true"],
    why: "Once the scope has ended, everything is answered with 503, shared or not."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: '? [claimedRead(notification), "strangers", "unknownReadsPerMinute"]',
    changes: ['"strangers" -> ""'],
    why: "The name of a budget only has to be another one than all others."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: "if (at > now + (isFull ? 0 : putOffAtMost)) return undefined",
    changes: ["0 -> (0 + 1)"],
    why: "A millisecond of twenty seconds."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: "wholeAt.delete(budget)",
    changes: ["wholeAt.delete(budget) -> undefined"],
    why: "Budgets that are whole are forgotten for the memory's sake only."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: "if (at > now) break",
    changes: ["at > now -> true", "at > now -> (at) >= (now)"],
    why: "Budgets that are whole are forgotten for the memory's sake only."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: "if (now - at < forgottenAfter) break",
    changes: ["now - at < forgottenAfter -> (now - at) <= (forgottenAfter)"],
    why: "A millisecond of a minute."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: 'if (due !== undefined && due > now) return "later"',
    changes: ["due !== undefined -> true"],
    why: "Only the types do not know that nothing is no later time."
  },
  {
    file: "src/client/notification/ReadLimits.ts",
    line: 'const claimedRead = ({ id, parent_id }: Notification): PutOffRead => `${id} as a charge of ${parent_id ?? "none"}`',
    changes: ['parent_id ?? "none" -> parent_id', '"none" -> ""'],
    why: "The name of a read only has to be another one than all others."
  },
  {
    file: "src/client/notification/NotificationDelivery.ts",
    line: "const order = recognized.order ?? (shop.recognise && (yield* shop.recognise(payment)))",
    changes: [
      "recognized.order ?? (shop.recognise && (yield* shop.recognise(payment))) -> recognized.order",
      "yield* shop.recognise(payment) -> true"
    ],
    why: "The ledger gives it: test/ledger/Orders.test.ts notices."
  },
  {
    file: "src/local-gateway/books/Books.ts",
    line: "this.byPayPage.delete(payPage)",
    changes: ["this.byPayPage.delete(payPage) -> undefined"],
    why: "The payment that the page leads to is gone."
  },
  {
    file: "src/client/transport/RequestLimit.ts",
    line: "if (leases.size >= most) {",
    changes: ["leases.size >= most -> true"],
    why: "The dead then go earlier; whether there is room comes out the same."
  }
]
