import { assert, describe, it } from "@effect/vitest"
import { redactor, sentTexts } from "../../../src/client/error/Redaction.js"
import { growthOf } from "../../support/Steps.js"

const redact = (text: string, secrets: ReadonlyArray<string>): string => redactor(() => secrets)(text)

const secret = "s3cr3t/X+y z"
const email = "jan.novák@shop.example"
const phone = "+420777456123"

const html = (text: string): string => text.replace(/[^a-z0-9]/gi, (character) => `&#${character.codePointAt(0) ?? 0};`)

const json = (text: string): string =>
  text.replace(/[^ -~]|["\\]/g, (character) =>
    /["\\]/.test(character) ? `\\${character}` : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const allPercent = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))

/** Ways in which a gateway, or a proxy before it, may repeat what it was sent. */
const spellings: { readonly [way: string]: (text: string) => string } = {
  "as it is": (text) => text,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (text) => encodeURIComponent(text).toLowerCase(),
  "with every byte percent-encoded": allPercent,
  "percent-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "as in a form": (text) => new URLSearchParams({ "": text }).toString().slice(1),
  "escaped as in JSON": json,
  "with slashes escaped, as PHP does": (text) => json(text).replaceAll("/", "\\/"),
  "escaped as in JSON, in an address": (text) => encodeURIComponent(json(text)),
  "in HTML entities": html,
  "in HTML entities by name": (text) =>
    text.replaceAll("á", "&aacute;").replaceAll("ř", "&rcaron;").replaceAll("@", "&commat;").replaceAll("+", "&plus;"),
  "in hexadecimal HTML entities": (text) =>
    text.replace(/[^a-z0-9]/gi, (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`),
  "in upper case": (text) => text.toUpperCase(),
  "in lower case": (text) => text.toLowerCase(),
  decomposed: (text) => text.normalize("NFD"),
  "without accents": (text) => text.normalize("NFD").replace(/\p{M}/gu, ""),
  "in full width": fullWidth,
  "with other spaces": (text) => text.replaceAll(" ", "\u00a0\u2009"),
  "with underscores": (text) => text.replaceAll(" ", "_"),
  quoted: (text) => `"${text}"`,
  "after a backslash": (text) => `SHOP\\${text}`
}

describe.each(Object.entries(spellings))("a secret %s", (_, spell) => {
  it.each([
    secret,
    email,
    phone,
    "Novák",
    "Jiřina Řezníčková",
    "Dlouhá 1",
    "O'Brien",
    "Straße 5",
    "19-2000145399/0800"
  ])("is taken out: %s", (text) => {
    const redacted = redact(`before ${spell(text)} after`, [text])
    assert.match(redacted, /^before (SHOP)?[^\p{L}\p{N}]*<redacted>[^\p{L}\p{N}]* after$/u)
  })
})

it("a secret of which bytes of another encoding are percent-encoded is taken out", () => {
  assert.strictEqual(redact("before Nov%E1k after", ["Novák"]), "before <redacted> after")
})

describe("a phone number", () => {
  it.each([
    "+420 777 456 123",
    "777456123",
    "777 456 123",
    "00420777456123",
    "(+420) 777-456-123",
    "+420.777.456.123",
    "tel:+420-777-456-123",
    "%2B420%20777%20456%20123",
    "777\u00a0456\u00a0123"
  ])("is found when it is written %s", (written) => {
    assert.notMatch(redact(`The number ${written} is wrong.`, [phone]), /456|777/)
  })
})

describe("without being told a secret, redaction takes out", () => {
  it.each([
    "4444444444444448",
    "4444 4444 4444 4448",
    "4444-4444-4444-4448",
    "4444_4444_4444_4448",
    "4444\u00a04444\u00a04444\u00a04448",
    "4444  4444  4444  4448",
    "4444%204444%204444%204448",
    "４４４４４４４４４４４４４４４８",
    "444444xxxxxx4448",
    "444444XXXXXX4448",
    "444444******4448",
    "444444••••••4448",
    "444444......4448",
    "444444-xxxxxx-4448",
    "4444 44** **** 4448",
    "4444%2044%2A%2A%20%2A%2A%2A%2A%204448",
    "CZ6508000000192000145399",
    "CZ65 0800 0000 1920 0014 5399",
    "jan@shop.example",
    "jan%40shop.example",
    "jan%2540shop.example",
    "jan&#64;shop.example",
    "jan&#x40;shop.example",
    "jan&commat;shop.example",
    "jan\\u0040shop.example",
    "jan＠shop.example",
    "A".repeat(41),
    "eyJhbGciOiJIUzI1NiJ9_eyJzdWIiOiIxMjM0In0-c2lnbmF0dXJl"
  ])("%s", (text) => {
    assert.strictEqual(redact(`before ${text} after`, []), "before <redacted> after")
  })
})

describe("redaction leaves", () => {
  it.each([
    "Wrong amount: 139950 CZK is more than 50000.",
    "The payment 3090066980 was refunded on 2026-11-22T01:46:54.123+0100.",
    "order_number 2026-0042",
    "100 % of it, at 3 &c.",
    "xxxxxxxx and ********",
    "C:\\new\\folder \\u12",
    "&unknown; &#1114112; &#9999999999; %zz %"
  ])("%s", (text) => {
    assert.strictEqual(redact(text, ["Jana", "11000", "0047", secret, email, phone]), text)
  })

  it("a short secret's letters in other words, but not within one", () => {
    assert.strictEqual(redact("pan Adam, Janovi", ["Ana", "Jan"]), "pan Adam, <redacted>ovi")
    assert.strictEqual(redact("110 00 Praha, 3110005", ["11000"]), "<redacted> Praha, 3110005")
  })

  it("a short secret, written otherwise, within other words", () => {
    for (const text of ["12-B", "12-B is", "at 12-B", "3 12-B 4", "(12-B)"]) {
      assert.strictEqual(redact(text, ["12 B"]), text.replace("12-B", "<redacted>"))
    }
    for (const text of ["312-B", "x12-B y", "12-Bx", "12-Bx y", "12-B3"]) {
      assert.strictEqual(redact(text, ["12 B"]), text)
    }
  })

  it("what is not text of a secret, though it has one or two characters only", () => {
    assert.strictEqual(redact("a test", ["t", "", "st"]), "a test")
  })
})

describe("a redacted text", () => {
  it("has one mark for what is a secret in several ways, or touches another", () => {
    assert.strictEqual(redact("x 4444444444444448 y", ["4444444444444448", "444444"]), "x <redacted> y")
    assert.strictEqual(redact("JanNovák", ["Jan", "Novák"]), "<redacted>")
    assert.strictEqual(redact("Jan Novák", ["Jan", "Novák"]), "<redacted> <redacted>")
  })

  it("is short, and has no part of a secret that begins where it ends", () => {
    assert.lengthOf(redact("ab ".repeat(1_000), []), 300)
    for (let length = 270; length < 1_010; length += 7) {
      assert.notInclude(redact("a ".repeat(length / 2) + secret, [secret]), "s3")
      assert.notInclude(redact(`${"Jan ".repeat(length / 4)}${secret}`, ["Jan", secret]), "s3")
    }
  })

  it("is made in time, whatever the text", () => {
    const hostile = [
      "a@",
      "@",
      "a",
      "1",
      "1 ",
      "1x",
      "123456x",
      "x",
      "*",
      "%",
      "%41",
      "%2541",
      "\\",
      "\\u0061",
      "\\\\",
      "&",
      "&#",
      "&#1",
      "&amp;",
      "A1",
      "CZ65",
      "CZ65 ",
      "s3cr3t",
      "s3cr3t/X+y",
      "\u0301",
      "\ud83d",
      "\ufdfa",
      "=",
      " "
    ]
    for (const part of hostile) {
      for (const end of ["", "@", "!", "4448", "\u0000"]) {
        const text = part.repeat(1_000_000 / part.length) + end
        assert.isAtMost(redact(text, [secret, email, phone, "aaaaaaab", "a a a a b"]).length, 300)
      }
    }
  })
})

it("of what was sent all texts are personal, but codes, days and the order's number", () => {
  const sent = {
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    order_description: "Jana's order",
    lang: "CS",
    items: [{ type: "ITEM", name: "A gift", amount: 1 }],
    target: { type: "ACCOUNT", goid: 8123456781 },
    payer: {
      allowed_card_token: "card-token",
      allowed_payment_instruments: ["PAYMENT_CARD"],
      contact: { first_name: "Jana", city: "Brno", country_code: "CZE", zip: 60200 }
    },
    additional_params: [{ name: "source", value: "a friend" }],
    extra: ["one", { two: "two", three: null, four: true }],
    "jana@example.com": 1
  }
  const personal = ["Jana's order", "A gift", "card-token", "Jana", "Brno", "source", "a friend", "one"]
  assert.sameMembers([...sentTexts(sent)], [...personal, "jana@example.com"])
  // The name of a member is no secret, though a value may be the same; and no person is a code.
  assert.deepStrictEqual(sentTexts([undefined, { name: "amount", amount: 1, currency: "Jana Nová" }]), ["Jana Nová"])
})

describe("a text that was sent", () => {
  const long = Array.from({ length: 40 }, (_, index) => `sentence ${index} of it`).join(", ")

  it("is found though the gateway cuts it off", () => {
    const shown = redact(`Wrong: ${long.slice(0, 200)}`, [long])
    assert.match(shown, /^Wrong: <redacted>.{0,50}$/)
  })

  it("is one of so many that nothing of the gateway's text is shown", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `secret number ${index}`)
    assert.strictEqual(redact("Wrong: secret number 1999", many), "<redacted>")
    assert.strictEqual(redact("", many), "")
  })
})

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes of one encoding, read as another. */
const misread = (bytes: Uint8Array, as: string): string => new TextDecoder(as).decode(bytes)

/** A text in an encoding of one byte for each letter. */
const encoded = (text: string, encoding: string): Uint8Array => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const letters = Array.from(all, (byte) => misread(Uint8Array.of(byte), encoding))
  return Uint8Array.from(text, (character) => letters.indexOf(character))
}

describe("a secret in a wrong encoding is left out", () => {
  it.each([
    ["UTF-8 as Latin 1", (text: string) => misread(bytesOf(text), "windows-1252")],
    ["UTF-8 as Latin 2", (text: string) => misread(bytesOf(text), "iso-8859-2")],
    ["UTF-8 as Central European", (text: string) => misread(bytesOf(text), "windows-1250")],
    ["Central European as UTF-8", (text: string) => misread(encoded(text, "windows-1250"), "utf-8")],
    ["Central European as Latin 1", (text: string) => misread(encoded(text, "windows-1250"), "windows-1252")],
    [
      "UTF-8 as Latin 1, twice",
      (text: string) => misread(bytesOf(misread(bytesOf(text), "windows-1252")), "windows-1252")
    ]
  ])("%s", (_, spell) => {
    for (const secret of ["Řezníčková", "Dvořák", "Dlouhá ulice 12", "Žižkov"]) {
      const shown = redact(`before ${spell(secret)} after`, [secret])
      assert.match(shown, /^before .*after$/)
      for (const part of ["ezn", "kov", "Dvo", "Dlouh", "ulice", "ižk"]) assert.notInclude(shown, part)
    }
  })
})

describe("a part of a secret is left out", () => {
  it.each([
    ["Value 'Jiřina Řezn", "Jiřina Řezníčková"],
    ["Value Jiřina Ř... is wrong", "Jiřina Řezníčková"],
    ["Value Jiř…", "Jiřina Řezníčková"],
    ["Value …na Řezníčková is wrong", "Jiřina Řezníčková"],
    ["Value s3cr3t/X is wrong", secret],
    ["Value jan.novak is wrong", email],
    ["Value Dlouh%C3%A1%20ul", "Dlouhá ulice 12"]
  ])("%s", (text, whole) => {
    const shown = redact(text, [whole])
    assert.include(shown, "<redacted>")
    assert.notMatch(shown, /Ji|ezn|s3|jan|novak|louh|ul/i)
  })

  it("unless it is made of words that the gateway uses itself", () => {
    const text = "The payment cannot be refunded"
    assert.strictEqual(redact(text, ["Payment for shoes", "The payment of Jan", "refunded to Jan"]), text)
  })
})

it("a message in Czech is kept", () => {
  const text = "Částka není platná: zadejte celé číslo větší než 0 („100“)…"
  assert.strictEqual(redact(text, ["Jiřina Řezníčková", "Dlouhá ulice 12"]), text)
})

// SECURITY.md says so: what was not sent is not known to be a name.
it("of a person whose data was not sent, e-mail addresses, cards and accounts are left out, and names are not", () => {
  assert.strictEqual(
    redact("Card 4111 1111 1111 1111 of Eva Malá, eva@example.org CZ65 0800 0000 1920 0014 5399", [email, phone]),
    "Card <redacted> of Eva Malá, <redacted> <redacted>"
  )
})

describe("the redaction of a refusal", () => {
  const named = (count: number) => Array.from({ length: count }, (_, index) => `Jiřina Řezníčková ${index}`)

  it.each<[string, (count: number) => () => unknown]>([
    [
      "errors",
      (count) => () => {
        const redact = redactor(() => named(10))
        for (const text of named(count)) redact(text)
      }
    ],
    ["secrets", (count) => () => redactor(() => named(count))("Jiřina Řezníčková 7 and 8")],
    ["letters of a text", (count) => () => redactor(() => named(10))("Jiřina 7, ".repeat(count))]
  ])("takes four times the steps for four times as many %s", async (_, make) => {
    assert.isBelow(await growthOf("client/error", 50, make), 6)
  })
})

it("many long texts, searched for many secrets, show nothing more once they have taken their time", () => {
  const redact = redactor(() => Array.from({ length: 450 }, (_, index) => `Jiřina Řezníčková ${index}`))
  // Each text anew for each secret would take a minute.
  const shown = Array.from({ length: 400 }, () => redact("Jiřina Řezníčková 7 ".repeat(150)))
  assert.include(shown[0] ?? "", "<redacted>")
  assert.deepStrictEqual(new Set(shown.slice(100)), new Set(["<redacted>"]))
  assert.notMatch(shown.join(" "), /ezn/)
})
