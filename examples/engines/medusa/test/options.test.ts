import { strict as assert } from "node:assert"
import { describe, it } from "node:test"
import { GopayProvider } from "../.medusa/server/src/providers/gopay/service"
import { settingsFrom } from "../.medusa/server/src/options"

describe("the options of the provider", () => {
  it("are taken when they are right", () => {
    assert.doesNotThrow(() => GopayProvider.validateOptions({ preauthorization: true }))
    assert.doesNotThrow(() => GopayProvider.validateOptions({}))
  })

  it("are refused with what to do about it", () => {
    assert.throws(
      () => GopayProvider.validateOptions({ preauthorisation: true }),
      /there is no option preauthorisation .* There is preauthorization/
    )
    assert.throws(
      () => GopayProvider.validateOptions({ preauthorization: "yes" }),
      /must be true or false, and is "yes"/
    )
  })
})

describe("the environment", () => {
  const right = { DATABASE_URL: "postgres://localhost/medusa", SHOP_URL: "https://shop.example/" }

  it("says where payers come back to, and where GoPay notifies", () => {
    assert.deepEqual(settingsFrom(right).callback, {
      return_url: "https://shop.example/gopay/return",
      notification_url: "https://shop.example/gopay/notify"
    })
    const { callback } = settingsFrom({ ...right, GOPAY_RETURN_URL: "https://shop.example/thanks" })
    assert.equal(callback.return_url, "https://shop.example/thanks")
  })

  it("is refused with what to do about it", () => {
    assert.throws(
      () => settingsFrom({ ...right, DATABASE_URL: "medusa" }),
      /DATABASE_URL must name Medusa's PostgreSQL/
    )
    assert.throws(
      () => settingsFrom({ ...right, SHOP_URL: "shop.example" }),
      /SHOP_URL must be an address such as .*, and is "shop.example"/
    )
    assert.throws(() => settingsFrom({ ...right, GOPAY_RETURN_URL: "/thanks" }), /GOPAY_RETURN_URL must be an address/)
  })
})
