/**
 * The local gateway's operations are the same in each style: the compiler checks it, and running shows only the
 * accessors.
 */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import {
  LocalGateway,
  type InvalidFault,
  type LocalGatewayService,
  type PayerActionRefused
} from "../../src/local-gateway/index.js"
import type { ControlOperations, OperationTypes } from "../../src/local-gateway/LocalGatewayOperations.js"
import type { DurationInput, RunningLocalGateway } from "../../src/local-gateway/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/startLocalGateway.js"

type ServiceName = Exclude<keyof LocalGatewayService, "url" | "merchant">

type PromiseName = Exclude<keyof RunningLocalGateway, "url" | "merchant" | "close" | typeof Symbol.asyncDispose>

/** What a member gives, in whichever style. */
type Success<Member> =
  Member extends Effect.Effect<infer A, infer _E, infer _R>
    ? A
    : Member extends (...args: infer _Args) => Promise<infer A>
      ? A
      : Member extends (...args: infer _Args) => Effect.Effect<infer A, infer _E, infer _R>
        ? A
        : never

/** What a member is called with, in whichever style. */
type Arguments<Member> = Member extends (...args: infer Args) => unknown ? Args : []

type StyledName = "listMerchants" | "loadSeed" | "exportSeed" | "advanceTime"

type SameName = Exclude<ServiceName, StyledName>

describe("the local gateway's operations", () => {
  it("have the same names in each style", () => {
    expectTypeOf<PromiseName>().toEqualTypeOf<ServiceName>()
    expectTypeOf<Exclude<ServiceName, keyof typeof LocalGateway>>().toBeNever()
  })

  it("take and give the same, but for what each style writes in its own way", () => {
    type FromService = {
      [Name in SameName]: [Arguments<LocalGatewayService[Name]>, Success<LocalGatewayService[Name]>]
    }
    type FromPromises = {
      [Name in SameName]: [Arguments<RunningLocalGateway[Name]>, Success<RunningLocalGateway[Name]>]
    }
    type FromAccessors = {
      [Name in SameName]: [Arguments<(typeof LocalGateway)[Name]>, Success<(typeof LocalGateway)[Name]>]
    }
    expectTypeOf<FromPromises>().toEqualTypeOf<FromService>()
    expectTypeOf<FromAccessors>().toEqualTypeOf<FromService>()
    expectTypeOf<StyledName>().toExtend<keyof ControlOperations<OperationTypes>>()
  })

  it("fail as they are declared to, and the accessors need the service", () => {
    expectTypeOf(LocalGateway.payByCard(1)).toEqualTypeOf<
      Effect.Effect<Effect.Success<ReturnType<LocalGatewayService["payByCard"]>>, PayerActionRefused, LocalGateway>
    >()
    expectTypeOf<Effect.Error<ReturnType<LocalGatewayService["armFault"]>>>().toEqualTypeOf<InvalidFault>()
    expectTypeOf<Effect.Error<LocalGatewayService["listPayments"]>>().toBeNever()
    expectTypeOf<Effect.Services<typeof LocalGateway.reset>>().toEqualTypeOf<LocalGateway>()
  })

  it("take a duration in Effect's own spelling", () => {
    expectTypeOf<Parameters<LocalGatewayService["advanceTime"]>>().toEqualTypeOf<[duration: Duration.Input]>()
    expectTypeOf<DurationInput>().toExtend<Duration.Input>()
    expectTypeOf<"20 seconds">().toExtend<DurationInput>()
    expectTypeOf<"20 parsecs">().not.toExtend<DurationInput>()
  })

  it.effect("are all static members", () =>
    Effect.gen(function* () {
      const service = yield* LocalGateway
      const names = Struct.keys(service).filter((name) => name !== "url" && name !== "merchant")
      for (const name of names) {
        assert.strictEqual(typeof LocalGateway[name], typeof service[name], name)
        assert.strictEqual(Effect.isEffect(LocalGateway[name]), Effect.isEffect(service[name]), name)
      }
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it("are all methods of a running gateway", async () => {
    await using local = await startLocalGateway()
    const own = Object.keys(local).filter((name) => name !== "url" && name !== "merchant" && name !== "close")
    const service = Effect.runSync(LocalGateway.use(Effect.succeed).pipe(Effect.provide(LocalGateway.layer)))
    const expected = Object.keys(service).filter((name) => name !== "url" && name !== "merchant")
    assert.sameMembers(own, expected)
  })
})
