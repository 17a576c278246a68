import { strict as assert } from "node:assert"
import { describe, it } from "node:test"
import { GopayPlugin } from "effect-gopay-vendure"

const right = { shopUrl: "https://shop.example", connectionString: "postgres://localhost/vendure" }

describe("the options", () => {
  const init = (options: object) => () => GopayPlugin.init({ ...right, gateway: {} as never, ...options })

  it("are taken when they are right", () => {
    assert.doesNotThrow(init({ returnUrl: "https://shop.example/thanks?from=gopay", installation: "production" }))
  })

  it("are refused with what to do about it", () => {
    assert.throws(init({ shopUrl: "shop.example" }), /shopUrl must be an address such as .*, and is "shop.example"/)
    assert.throws(init({ returnUrl: "/thanks" }), /returnUrl must be an address/)
    assert.throws(init({ connectionString: undefined }), /connectionString must name Vendure's PostgreSQL/)
    assert.throws(init({ shopURL: "https://shop.example" }), /there is no option shopURL\. There are shopUrl, /)
  })
})
