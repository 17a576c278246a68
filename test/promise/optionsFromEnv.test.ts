import { describe, expect, it } from "vitest"
import { createGatewayClient, optionsFromEnv } from "../../src/promise/index.js"

const variables = {
  GOPAY_GOID: "8123456781",
  GOPAY_CLIENT_ID: "1234567890",
  GOPAY_CLIENT_SECRET: "s3cr3tXY",
  GOPAY_ENVIRONMENT: "sandbox"
}

describe("optionsFromEnv", () => {
  it("takes what a client needs", async () => {
    await using client = createGatewayClient(optionsFromEnv(variables))
    expect(client.goid).toBe(8_123_456_781)
    expect(optionsFromEnv(variables)).toStrictEqual({
      goid: "8123456781",
      clientId: "1234567890",
      clientSecret: "s3cr3tXY",
      environment: "sandbox"
    })
  })

  it("says what to pass when it gets nothing", () => {
    for (const env of [undefined, null, "GOPAY_GOID=1"]) {
      // @ts-expect-error -- a caller without types
      expect(() => optionsFromEnv(env)).toThrow(
        new TypeError("optionsFromEnv: pass the variables of the environment, such as process.env.")
      )
    }
  })

  it("takes language and scope where they are set", () => {
    const all = { ...variables, GOPAY_LANGUAGE: "CS", GOPAY_SCOPE: "payment-create" }
    expect(optionsFromEnv(all)).toMatchObject({ language: "CS", scope: "payment-create" })
    // What is not set replaces nothing that is spread before it.
    expect(optionsFromEnv({ ...all, GOPAY_LANGUAGE: "", GOPAY_SCOPE: undefined })).toStrictEqual(
      optionsFromEnv(variables)
    )
  })

  it("allows plain http to another machine where that is set", async () => {
    const elsewhere = { ...variables, GOPAY_ENVIRONMENT: "http://gopay:4646" }
    for (const none of [undefined, "", "false", false]) {
      expect(() => createGatewayClient(optionsFromEnv({ ...elsewhere, GOPAY_ALLOW_INSECURE: none }))).toThrow(
        /GOPAY_ALLOW_INSECURE=true/
      )
    }
    for (const yes of ["true", true]) {
      await using client = createGatewayClient(optionsFromEnv({ ...elsewhere, GOPAY_ALLOW_INSECURE: yes }))
      expect(client.getEmbedJsUrl()).toContain("http://gopay:4646/")
    }
    expect(() => optionsFromEnv({ ...elsewhere, GOPAY_ALLOW_INSECURE: "maybe" })).toThrow(
      "optionsFromEnv: GOPAY_ALLOW_INSECURE must be true or false."
    )
  })

  it("takes them from an object that has other members", () => {
    const env = Object.assign(Object.create({ GOPAY_ENVIRONMENT: "sandbox" }), { ...variables, ORDERS: new Map() })
    expect(optionsFromEnv(env)).toMatchObject({ goid: "8123456781", environment: "sandbox" })
  })

  it("takes a number as its digits", () => {
    expect(optionsFromEnv({ ...variables, GOPAY_GOID: 8_123_456_781 })).toStrictEqual(optionsFromEnv(variables))
  })

  it("names every variable that is not set, and shows none", () => {
    const env = { GOPAY_GOID: "", GOPAY_CLIENT_SECRET: "s3cr3tXY", GOPAY_ENVIRONMENT: true }
    expect(() => optionsFromEnv(env)).toThrow(
      new TypeError(
        "optionsFromEnv: these environment variables are not set: GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_ENVIRONMENT. To try a program with a local gateway: npx effect-gopay local-gateway --data gateway.json -- npm start"
      )
    )
  })
})
