import { strict as assert } from "node:assert"
import { describe, it } from "node:test"
import { createGopay, CZK } from "effect-gopay-payload"

const right = {
  shopUrl: "https://shop.example",
  returnUrl: "https://shop.example/thanks?from=gopay",
  connectionString: "postgres://localhost/payload",
  currencies: { defaultCurrency: "CZK", supportedCurrencies: [CZK] },
  gateway: {} as never
}

describe("the options", () => {
  const create = (options: object) => () => createGopay({ ...right, ...options })

  it("are taken when they are right", () => {
    assert.doesNotThrow(create({ installation: "production", worker: false }))
  })

  it("are refused with what to do about it", () => {
    assert.throws(create({ shopUrl: "shop.example" }), /shopUrl must be an address such as .*, and is "shop.example"/)
    assert.throws(create({ returnUrl: "/thanks" }), /returnUrl must be an address/)
    assert.throws(create({ connectionString: undefined }), /connectionString must name Payload's PostgreSQL/)
    assert.throws(create({ shopURL: "https://shop.example" }), /there is no option shopURL\. There are shopUrl, /)
    assert.throws(create({ currencies: undefined }), /currencies are missing/)
    const supportedCurrencies = [{ ...CZK, decimals: 0 }]
    assert.throws(
      create({ currencies: { ...right.currencies, supportedCurrencies } }),
      /CZK must have 2 decimals, and has 0/
    )
  })
})
