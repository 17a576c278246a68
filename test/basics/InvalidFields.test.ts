import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describeFields, invalidFields } from "../../src/basics/InvalidFields.js"

const Order = Schema.Struct({ items: Schema.Array(Schema.Struct({ amount: Schema.Int })) })

const decode = Schema.decodeUnknownResult(Order, { errors: "all", onExcessProperty: "error" })

const problemsOf = (value: unknown) =>
  Result.match(decode(value), { onSuccess: () => assert.fail(), onFailure: ({ issue }) => invalidFields(issue) })

describe("the problems of a request", () => {
  it("with 100,000 wrong items can be read", () => {
    const problems = problemsOf({ items: Array.from({ length: 100_000 }, () => ({ amount: "1" })) })
    assert.lengthOf(problems, 100)
    assert.match(describeFields(problems), /^items\[0\]\.amount: .{1,100}; items\[1\]\.amount: .*; and 80 more$/)
    assert.isBelow(describeFields(problems).length, 2_000)
  })

  it.each(["amonut", "orderNumber", "order_number", "goID"])("name a member that is not known: %s", (name) => {
    assert.deepStrictEqual(problemsOf({ items: [], [name]: 1 }), [
      { field: name, message: "is not known here; check its spelling" }
    ])
  })

  it.each(["s3cr3tXY", "aBcDeFgH", "4111111111111111", "a text", "a".repeat(41), "jan@shop.example"])(
    "do not repeat what may be a secret in place of a name: %s",
    (secret) => {
      const [problem] = problemsOf({ items: [{ amount: 1, [secret]: 1 }] })
      assert.strictEqual(problem?.field, "items[0]")
      assert.notInclude(JSON.stringify(problem), secret)
    }
  )
})
