/**
 * Several processes of one shop that share a token through a real Redis.
 */
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { credentials } from "../support/Credentials.js"
import { forkProgram } from "../support/Program.js"
import { isThorough } from "../support/Runs.js"
import { startRedis } from "./RedisServer.js"
import { startRevocableGateway } from "./RevocableGateway.js"

const member = new URL("FleetMember.ts", import.meta.url)

/** Processes that have nothing yet but a connection to the Redis. */
const startFleet = async (size: number, gateway: string, redis: string) => {
  const logs: Array<string> = []
  const processes = await Promise.all(
    Array.from({ length: size }, async () => {
      const child = await forkProgram(member, [gateway, redis])
      await once(child, "message")
      child.on("message", (message) => {
        const text = JSON.stringify(message)
        if (text.startsWith('{"log"')) logs.push(text)
      })
      return child
    })
  )
  const answer = (child: (typeof processes)[number]): Promise<unknown> =>
    new Promise((resolve) => {
      const listen = (message: unknown): void => {
        if (typeof message !== "object" || message === null || !("answer" in message)) return
        child.off("message", listen)
        resolve(message.answer)
      }
      child.on("message", listen)
      child.send("call")
    })
  return {
    /** What their users see. */
    logs,
    /** Lets all of them read a payment at the same time. */
    callAll: () => Promise.all(processes.map(answer)),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await Promise.all(
        processes.map(async (child) => {
          child.disconnect()
          await once(child, "exit")
        })
      )
    }
  }
}

const size = isThorough ? 8 : 4

const allPaid = Array.from({ length: size }, () => "PAID")

const tokenKey = (url: string): string =>
  `gopay_access_tokens:gopay-access-token,${[`${url}/api`, credentials.clientId, "payment-all"].map(encodeURIComponent).join(",")}`

describe(`a fleet of ${size} processes with one Redis`, () => {
  it("asks for few tokens when it starts cold or its token is revoked, and keeps no secret in the Redis", async () => {
    await using gateway = await startRevocableGateway()
    await using redis = await startRedis()
    await using fleet = await startFleet(size, gateway.url, redis.url)
    const tokensOfCall = async (): Promise<number> => {
      const before = gateway.handedOut.length
      gateway.revokeAll()
      expect(await fleet.callAll()).toEqual(allPaid)
      return gateway.handedOut.length - before
    }
    for (const prepare of [redis.clear, async () => {}]) {
      const tokens = async () => {
        await prepare()
        const count = await tokensOfCall()
        expect(count).toBeGreaterThan(0)
        return count
      }
      // Usually one. Each process that is held up for 0.1 seconds in the wrong place makes it one more: a busy machine tries again.
      await expect.poll(tokens).toBeLessThanOrEqual(size / 2)
    }

    const asked = gateway.handedOut.length
    await using late = await startFleet(1, gateway.url, redis.url)
    expect(await late.callAll()).toEqual(["PAID"])
    expect(gateway.handedOut).toHaveLength(asked)
    expect([...fleet.logs, ...late.logs]).toEqual([])

    const dump = await redis.dump()
    expect(dump.map(([key]) => key)).toEqual([tokenKey(gateway.url)])
    const text = JSON.stringify(dump)
    const { clientId, clientSecret } = credentials
    for (const secret of [clientSecret, `${clientId}:${clientSecret}`, ...gateway.handedOut]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString("base64").replace(/=+$/, ""))
      expect(text).not.toContain(Buffer.from(secret).toString("hex"))
    }
    const left = await redis.timeToLive(tokenKey(gateway.url))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(1_800_000)
  })

  it("goes on when it is killed, with a token for each process and one warning each, and shares again afterwards", async () => {
    await using gateway = await startRevocableGateway()
    await using redis = await startRedis()
    await using fleet = await startFleet(size, gateway.url, redis.url)
    await fleet.callAll()
    const before = gateway.handedOut.length
    await redis.kill()
    // The token in hand stays in use.
    expect(await fleet.callAll()).toEqual(allPaid)
    expect(gateway.handedOut).toHaveLength(before)
    for (const _ of [1, 2]) {
      gateway.revokeAll()
      expect(await fleet.callAll()).toEqual(allPaid)
    }
    expect(gateway.handedOut.length - before).toBe(2 * size)
    expect(fleet.logs).toHaveLength(size)
    expect(fleet.logs.join()).not.toContain(credentials.clientSecret)
    await redis.restart()
    await using late = await startFleet(2, gateway.url, redis.url)
    expect(await late.callAll()).toEqual(["PAID", "PAID"])
    const tokensOfOneMore = async () => {
      const shared = gateway.handedOut.length
      await using latest = await startFleet(1, gateway.url, redis.url)
      expect(await latest.callAll()).toEqual(["PAID"])
      return gateway.handedOut.length - shared
    }
    // One that is held up for 0.1 seconds while it asks the Redis gets a token of its own: a busy machine tries again.
    await expect.poll(tokensOfOneMore).toBe(0)
  })

  it("goes on when it is killed while they call", async () => {
    await using gateway = await startRevocableGateway()
    await using redis = await startRedis()
    await using fleet = await startFleet(size, gateway.url, redis.url)
    const calls = fleet.callAll()
    await redis.kill()
    expect(await calls).toEqual(allPaid)
    expect(gateway.handedOut.length).toBeLessThanOrEqual(size)
  })

  it("goes on when garbage lies in the token's place, and puts the next token there", async () => {
    await using gateway = await startRevocableGateway()
    await using redis = await startRedis()
    await using fleet = await startFleet(2, gateway.url, redis.url)
    const texts = ["", "AAAA", "0 8640000000000000 AAAA"].map((value) => JSON.stringify({ _tag: "Success", value }))
    for (const garbage of ["", "garbage", "null", "[]", ...texts]) {
      await redis.set(tokenKey(gateway.url), garbage)
      gateway.revokeAll()
      expect(await fleet.callAll()).toEqual(["PAID", "PAID"])
      expect(await redis.dump()).not.toEqual([[tokenKey(gateway.url), garbage]])
    }
    const { length } = gateway.handedOut
    await using late = await startFleet(1, gateway.url, redis.url)
    expect(await late.callAll()).toEqual(["PAID"])
    expect(gateway.handedOut).toHaveLength(length)
  })
})
