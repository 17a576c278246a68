import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { crc32, inflateSync } from "node:zlib"
import * as GatewaySchema from "../../src/api/GatewaySchema.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { qrCode, type Modules } from "../../src/local-gateway/QrCode.js"
import { openShop, refusalIn } from "./Shop.js"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(GatewaySchema.PaymentQrResponse))

const spayd = "SPD*1.0*ACC:CZ9300000000001000000005*AM:1399.50*CC:CZK*X-VS:3000000003*MSG:TEST"

const isLight = (data: Buffer, width: number, x: number, y: number): boolean => {
  const byte = data[y * (Math.ceil(width / 8) + 1) + 1 + Math.floor(x / 8)] ?? 0
  return ((byte >>> (7 - (x % 8))) & 1) === 1
}

/** The chunks of a PNG, each with the check sum that it bears. */
const chunksOf = (png: Buffer): ReadonlyArray<{ readonly content: Buffer; readonly sum: number }> => {
  const chunks = []
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    chunks.push({ content: png.subarray(at + 4, end), sum: png.readUInt32BE(end) })
    at = end + 4
  }
  return chunks
}

/** The modules in the middle of each four by four pixels, within the border of four modules. */
const modulesInPng = (png: Buffer): Modules => {
  const width = png.readUInt32BE(16)
  const data = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  return Array.from({ length: width / 4 - 8 }, (_, y) =>
    Array.from({ length: width / 4 - 8 }, (_none, x) => !isLight(data, width, (x + 4) * 4 + 1, (y + 4) * 4 + 1))
  )
}

const fingerprint = (text: string) =>
  createHash("sha256")
    .update(JSON.stringify(qrCode(text)))
    .digest("hex")

describe("QR payments", () => {
  it("a code is the one that independent encoders make and readers read", () => {
    // Compared for each length from 1 to 213 with the package uqr (level M, mask 0) and read with jsqr.
    assert.strictEqual(fingerprint(spayd), "451db0f57a6c2b580e814d86b2e55e90cd70b464ead4f9162bcd9cb307f94729")
    const sizes = [14, 15, 106, 107, 122, 123, 213].map((length) => qrCode("x".repeat(length)).length)
    assert.deepStrictEqual(sizes, [21, 25, 41, 45, 45, 49, 57])
    assert.throws(() => qrCode("x".repeat(214)), RangeError)
  })

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
      assert.deepStrictEqual(modulesInPng(png), qrCode(spayd))
      for (const { content, sum } of chunksOf(png)) assert.strictEqual(crc32(content), sum)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("or an SVG of it", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ amount: 139_950 })
      const { qr_code } = decode((yield* shop.get(`/payments/payment/${id}/qr-payment?format=svg`)).body)
      const svg = Buffer.from(qr_code.spayd ?? "", "base64").toString()
      assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 45 45"/)
      const dark = [...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`)
      const expected = qrCode(spayd).flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))
      assert.deepStrictEqual(dark, expected)
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
