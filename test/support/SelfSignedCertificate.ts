/**
 * A certificate that no one vouches for, for servers on this machine that speak TLS.
 */
import { generateKeyPairSync, sign } from "node:crypto"

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => der(0x30, ...parts)

const bytes = (hex: string): Buffer => Buffer.from(hex, "hex")

const utcTime = (time: Date): Buffer =>
  der(0x17, Buffer.from(`${time.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`, "latin1"))

const algorithm = sequence(bytes("06082a8648ce3d040302")) // ecdsa-with-SHA256

const day = 86_400_000

/**
 * A key and its certificate in PEM, for `localhost` and 127.0.0.1 unless for another name, valid for days around now.
 */
export const selfSignedCertificate = ({
  name = "localhost",
  expiresIn = day
}: {
  readonly name?: string
  /** Milliseconds. */
  readonly expiresIn?: number
} = {}): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const names = [
    der(0x82, Buffer.from(name, "latin1")),
    ...(name === "localhost" ? [der(0x87, bytes("7f000001"))] : [])
  ]
  const holder = sequence(der(0x31, sequence(bytes("0603550403"), der(0x0c, Buffer.from(name)))))
  const content = sequence(
    der(0xa0, bytes("020102")), // version 3
    der(0x02, bytes("2a")), // serial number
    algorithm,
    holder,
    sequence(utcTime(new Date(Date.now() - 10 * day)), utcTime(new Date(Date.now() + expiresIn))),
    holder,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(bytes("0603551d11"), der(0x04, sequence(...names)))))
  )
  const signature = sign("sha256", content, privateKey)
  const certificate = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`
  }
}
