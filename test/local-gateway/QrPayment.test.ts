import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { inflateSync } from "node:zlib"
import { decodeQR } from "qr/decode.js"
import * as GatewaySchema from "../../src/api/GatewaySchema.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { openShop, refusalIn } from "./Shop.js"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(GatewaySchema.PaymentQrResponse))

const spayd = "SPD*1.0*ACC:CZ9300000000001000000005*AM:1399.50*CC:CZK*X-VS:3000000003*MSG:TEST"

/** What a reader of QR codes reads from a PNG of one bit a pixel, where 1 is dark. */
const readPng = (png: Buffer): string => {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const data = inflateSync(png.subarray(png.indexOf("IDAT") + 4))
  const rowLength = Math.ceil(width / 8) + 1
  const pixels = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = data[y * rowLength + 1 + (x >> 3)] ?? 0
      if (((byte >> (7 - (x & 7))) & 1) === 1) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return decodeQR({ width, height, data: pixels })
}

describe("QR payments", () => {
  it("the account's check digits are right, and its bank does not exist", () => {
    const iban = /ACC:([A-Z0-9]+)/.exec(spayd)?.[1] ?? ""
    const moved = `${iban.slice(4)}${iban.slice(0, 4)}`
    const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
    assert.strictEqual(BigInt(digits) % 97n, 1n)
    assert.strictEqual(iban.slice(4, 8), "0000")
  })

  it.effect("a payment in CZK has a picture of its SPAYD", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ amount: 139_950 })
      assert.strictEqual(id, 3_000_000_003)
      const answer = yield* shop.get(`/payments/payment/${id}/qr-payment`)
      assert.include(
        answer.body,
        `{"amount":139950,"currency":"CZK","recipient":{"name":"TEST","bank_account":{"local":`
      )
      const { qr_code, recipient } = decode(answer.body)
      assert.strictEqual(recipient?.bank_account?.local?.variable_symbol, String(id))
      assert.include(spayd, `ACC:${recipient?.bank_account?.international?.iban}*`)
      const png = Buffer.from(qr_code.spayd ?? "", "base64")
      assert.strictEqual(png.subarray(1, 4).toString(), "PNG")
      assert.strictEqual(readPng(png), spayd)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("or an SVG of it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ amount: 139_950 })
      const { qr_code } = decode((yield* shop.get(`/payments/payment/${id}/qr-payment?format=svg`)).body)
      const svg = Buffer.from(qr_code.spayd ?? "", "base64").toString()
      assert.match(
        svg,
        /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]* viewBox="-4 -4 41 41"[^>]*><rect[^>]*fill="white"/
      )
      assert.match(svg, /<path[^>]*fill="black"[^>]*>.*<\/svg>$/)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is refused for other currencies, sums beyond SPAYD, other formats, and once it is paid", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const refused = (id: number, query = "") =>
        Effect.map(shop.get(`/payments/payment/${id}/qr-payment${query}`), refusalIn)
      const { id } = yield* shop.create()
      const euros = yield* shop.create({ currency: "EUR" })
      const large = yield* shop.create({ amount: 1_000_000_000 })
      assert.strictEqual(yield* refused(euros.id), "409 G 302 PAYMENT_NOT_PERFORMED")
      assert.strictEqual(yield* refused(large.id), "409 G 302 PAYMENT_NOT_PERFORMED")
      assert.strictEqual(yield* refused(id, "?format=gif"), "409 format 111 INVALID")
      yield* LocalGateway.payByBankTransfer(id)
      assert.strictEqual(yield* refused(id), "409 G 303 PAYMENT_WRONG_STATE")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})
