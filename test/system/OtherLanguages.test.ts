/**
 * Shops in other languages, at a local gateway that was started as in a container: the commands of the Compose file,
 * the names of its services.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, expect, it } from "vitest"
import { shopCode } from "../../src/local-gateway/pages/dashboard/copies.js"
import { startWith } from "../support/CommandLine.js"
import { freePort } from "./FreePort.js"

const folder = "examples/other-languages"
const compose = readFileSync(`${folder}/compose.yaml`, "utf8")

/** The arguments of the gateway's command in the Compose file. */
const commandOfGateway = (): ReadonlyArray<string> => {
  const [, ...lines] = /effect-gopay\n((?: {6}- .*\n)+)/.exec(compose)?.[1]?.split(/^ {6}- /m) ?? []
  return lines.map((line) => line.trim())
}

let gateway: ReturnType<typeof startWith>
let url = ""

beforeAll(async () => {
  const port = String(await freePort())
  // As strict as the firewall before GoPay.
  gateway = startWith({}, ...commandOfGateway(), "--port", port, "--set", "unicodeEscapes=refused")
  await gateway.says(/Press Ctrl-C to stop/)
  url = `http://127.0.0.1:${port}`
})

afterAll(() => gateway.stop("SIGTERM"))

const statusAt = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${url}/local-gateway/state`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on("error", reject)
      .end()
  })

it("the containers are published on this machine only", () => {
  const ports = [...compose.matchAll(/ports: \["([^"]*)"\]/g)].map(([, published]) => published)
  expect(ports).toEqual(["127.0.0.1:4646:4646", "127.0.0.1:8000:8000"])
})

it("the gateway has the name that the other containers know, and no other", async () => {
  expect(await statusAt("gopay:4646")).toBe(200)
  expect(await statusAt("elsewhere:4646")).toBe(403)
})

it.each([
  ["shop.py", "python3"],
  ["shop.php", "php"],
  ["shop.sh", "sh"]
])("%s is paid, and its payer goes to the address that browsers know", async (file, program) => {
  const { stdout } = await promisify(execFile)(program, [`${folder}/${file}`], {
    env: { PATH: process.env["PATH"], GOPAY_ENVIRONMENT: url, NOTIFICATION_URL: "http://php:8000/notify" }
  })
  expect(stdout).toMatch(/^send the payer to http:\/\/127\.0\.0\.1:4646\/gw\/v3\/\w+\npayment \d+ is PAID\n$/)
})

/** The programs of the languages that are tested, and what they call a file. That in Node.js was run by hand. */
const programs = { PHP: ["php", "php"], curl: ["sh", "sh"] } as const

it.each(["PHP", "curl"] as const)("the dashboard's code in %s creates a payment", async (language) => {
  const access = { goid: 8_123_456_781, client_id: "1234567884", client_secret: "L0calGtw", url }
  const [program, extension] = programs[language]
  const workplace = mkdtempSync(join(tmpdir(), "connect-"))
  try {
    const file = join(workplace, `shop.${extension}`)
    writeFileSync(file, shopCode[language]?.(access) ?? "")
    const { stdout } = await promisify(execFile)(program, [file])
    const [, page = ""] = /http:\/\/127\.0\.0\.1:4646(\/gw\/v3\/\w+)/.exec(stdout) ?? []
    expect(await (await fetch(`${url}${page}`)).text()).toContain("Kšiltovka")
  } finally {
    rmSync(workplace, { recursive: true })
  }
})

it("notifications go to the shop's container", async () => {
  const log = await (await fetch(`${url}/local-gateway/log`)).text()
  assert.include(log, "http://php:8000/notify?id=")
  assert.notInclude(log, "notificationHosts")
})
