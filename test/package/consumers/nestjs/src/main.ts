/**
 * A shop of NestJS with the settings that its starter comes with, at a local gateway.
 */
import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { AppModule } from "./app.module"

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`)
}

const main = async (): Promise<void> => {
  const local = await startLocalGateway()
  const app = await NestFactory.create(AppModule.for(local.merchant), { logger: ["error", "warn"] })
  await app.listen(0, "127.0.0.1")
  const shop = await app.getUrl()
  const send = async (method: string, path: string) => {
    const response = await fetch(`${shop}/payments${path}`, { method })
    const body = await response.text()
    return { status: response.status, body: body === "" ? {} : JSON.parse(body) }
  }
  const { id } = (await send("POST", "")).body
  const early = await send("POST", `/${id}/refund`)
  expect("a refund before the payment", `${early.status} ${early.body.reason}`, "409 OperationRefused")
  await local.payByCard(id)
  expect("the state", (await send("GET", `/${id}`)).body.state, "PAID")
  await app.close()
  await local.close()
  console.log("nestjs: a payment created and paid, a refund refused and caught by a filter")
}

void main()
