/**
 * The command `local-gateway`, and what all commands have in common.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { once } from "node:events"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { version } from "../../src/package/Version.js"
import { defaultSettings } from "../../src/local-gateway/books/DefaultSettings.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { running, start, startWith } from "../support/CommandLine.js"

const folder = mkdtempSync(join(tmpdir(), "effect-gopay-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fileWith = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const order = {
  amount: 10_000,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "http://localhost/return" }
}

describe("effect-gopay", () => {
  it("without a command, or with --help, lists its commands", async () => {
    const [bare, asked] = await Promise.all([start().ended, start("--help").ended])
    expect(bare).toEqual(asked)
    expect(asked.code).toBe(0)
    for (const command of ["demo", "local-gateway", "trigger", "show", "listen", "record"])
      expect(asked.said).toContain(command)
  })

  it("says how a command is used", async () => {
    const asked = await start("local-gateway", "--help").ended
    expect(asked.code).toBe(0)
    for (const option of [
      "--port",
      "--host",
      "--allow-host",
      "--public-url",
      "--seed",
      "--data",
      "--set",
      "--strict",
      "--quiet"
    ])
      expect(asked.said).toContain(option)
  })

  it.each(["demo", "init", "check", "local-gateway", "trigger", "show", "ledger", "statement", "listen", "record"])(
    "says how %s is used, in lines of at most 80 columns",
    async (command) => {
      const { code, said } = await start(command, "--help").ended
      expect(code).toBe(0)
      expect(said).toContain(`Usage: effect-gopay ${command}`)
      expect(said).toMatch(/^ {2}--help {13}print this help$/m)
      expect(said.split("\n").filter((line) => line.length > 80)).toEqual([])
    }
  )

  it.each(["demo", "init", "check", "local-gateway", "trigger", "show", "ledger", "statement", "listen", "record"])(
    "says in Czech how %s is used: the same calls and options, in lines of at most 80 columns",
    async (command) => {
      const [english, czech] = await Promise.all([
        start(command, "--help").ended,
        start(command, "--help", "--lang", "cs").ended
      ])
      expect(czech.said).toContain(`Použití: effect-gopay ${command}`)
      expect(czech.said).toMatch(/^Volby:$/m)
      expect(czech.said.split("\n").filter((line) => line.length > 80)).toEqual([])
      const optionsOf = (help: string) => help.match(/^ {2}--[\w-]+/gm)
      expect(optionsOf(czech.said)).toEqual(optionsOf(english.said))
      const shared = new Set(english.said.split("\n").filter((line) => / (the|of|and|with|to|a) /.test(line)))
      expect(czech.said.split("\n").filter((line) => shared.has(line))).toEqual([])
    }
  )

  it("lists its commands in Czech, and says in Czech what was called wrongly", async () => {
    const { said } = await start("--lang", "cs").ended
    expect(said).toMatch(/^Použití: effect-gopay COMMAND \[options\]\n\nPříkazy:\n {2}demo +obchod a brána/)
    expect((await start("--help", "--lang=cs").ended).said).toBe(said)
    expect((await startWith({ LC_ALL: "cs_CZ.UTF-8" }).ended).said).toBe(said)
    expect((await start("show", "--lang", "de").ended).complained).toContain("--lang must be en or cs, not de")
    for (const [args, complaint] of [
      [["nonsense"], "Neznámý příkaz: nonsense\nNápověda: effect-gopay --help\n"],
      [["show", "--jso", "1"], "Neznámá volba --jso. Nemysleli jste --json?\nNápověda: effect-gopay show --help\n"],
      [["show", "abc"], "abc není ID platby: to má jen číslice\nNápověda: effect-gopay show --help\n"],
      [["trigger", "paid", "1", "2"], "Přebývající argument: 2\nNápověda: effect-gopay trigger --help\n"],
      [["check", "--store"], "--store potřebuje hodnotu: --store STORE\nNápověda: effect-gopay check --help\n"],
      [["check", "--json=1"], "--json nemá hodnotu\nNápověda: effect-gopay check --help\n"],
      [
        ["check", "--store", "--json"],
        "Za --store stojí --json. Je-li to její hodnota, pište --store=--json\nNápověda: effect-gopay check --help\n"
      ]
    ] as const) {
      expect((await start("--lang", "cs", ...args).ended).complained).toBe(complaint)
    }
  })

  it("complains in lines of at most 80 columns", async () => {
    const { complained } = await start("local-gateway", "--set", "notificationTiming=sometimes").ended
    expect(complained.replaceAll("\n", " ")).toContain("must be one of notificationFirst, returnFirst, whilePending")
    expect(complained.split("\n").filter((line) => line.length > 80)).toEqual([])
  })

  it("prints the message of an unexpected error first, and then where it comes from", async () => {
    const broken = "--import=data:text/javascript,process.cwd=()=>{throw(RangeError('There_is_no_folder'))}"
    const { code, complained } = await startWith({ NODE_OPTIONS: broken }, "init", "express").ended
    expect(code).toBe(1)
    expect(complained).toMatch(/^There_is_no_folder\n +at /)
  })

  it("lists the settings of a local gateway, with defaults in words and possible values", async () => {
    const { code, complained, said } = await start("local-gateway", "--settings").ended
    expect([code, complained]).toEqual([0, ""])
    for (const name of Object.keys(defaultSettings)) expect(said).toMatch(new RegExp(`^ {2}${name}$`, "m"))
    expect(said.split("\n").filter((line) => line.length > 80)).toEqual([])
    expect(said).toContain("default: 345600 (4 days)")
    expect(said).toContain("default: allowsRetry; one of allowsRetry, cancelsPayment")
  })

  it("says its version", async () => {
    expect(await start("--version").ended).toEqual({ code: 0, said: `${version}\n`, complained: "" })
  })

  it.each([
    [["nonsense"], "Unknown command: nonsense\n"],
    [["trigge", "paid"], "Did you mean trigger?"],
    [["trigger", "payd"], "Unknown event: payd. Did you mean paid?"],
    [["local-gateway", "--sed", "x"], "Unknown option --sed. Did you mean --seed?"],
    [["local-gateway", "--set", "refnd=failed"], "There is no setting refnd. Did you mean refund?"],
    [["trigger", "bought"], "Unknown event: bought"],
    [["show", "abc"], "abc is not the id of a payment"],
    [["listen", "--id", "1"], "--forward-to is missing"],
    [["listen", "--forward-to", "localhost:3000", "--id", "1"], "--forward-to must be an address"],
    [["local-gateway", "--"], "There is no command after --"],
    [["--quiet"], "The command is missing"],
    [["local-gateway", "more"], "Unexpected argument: more"],
    [["local-gateway", "--port", "0", "--port", "4646"], "--port may be given once"],
    [["local-gateway", "--nonsense"], "--nonsense"],
    [["local-gateway", "--port", "x"], "--port must be a whole number"],
    [["local-gateway", "--allow-host", "http://gopay"], "allowHosts[0]: must be a name without a port"],
    [["local-gateway", "--public-url", "gopay:4646"], "publicUrl: must be an http or https address without a path"],
    [["local-gateway", "--set", "refund"], "--set must be NAME=VALUE"],
    [["local-gateway", "--set", "refund=never"], "settings.refund: must be one of finished"],
    [["local-gateway", "--set", "notificationHosts=[x"], "a list must be JSON"]
  ])("called wrongly, %j, ends with status 2 and says what is wrong", async (args, complaint) => {
    const { code, complained, said } = await start(...args).ended
    expect({ code, said }).toEqual({ code: 2, said: "" })
    expect(complained).toContain(complaint)
    expect(complained).toContain("--help")
  })
})

describe("effect-gopay local-gateway", () => {
  it("prints what a client needs, and a line for each request without a secret", async () => {
    const { merchant, stop } = await running("--set", "refund=failed")
    await using gateway = createGatewayClient(merchant)
    const { id } = await gateway.createPayment(order)
    await expect(gateway.getPayment(1)).rejects.toThrow("getPayment")
    const { code, complained, said } = await stop("SIGINT")
    expect({ code, complained }).toEqual({ code: 0, complained: "" })
    expect(said).toMatch(/ 200 POST {3}\/api\/oauth2\/token getAccessToken\n/)
    expect(said).toMatch(new RegExp(` 200 POST {3}/api/payments/payment createPayment #${id}\\n`))
    expect(said).toMatch(/ 404 GET {4}\/api\/payments\/payment\/1 getPayment #1\n/)
    expect(said.split(merchant.clientSecret).length).toBe(2)
    expect(said).not.toContain("\u001b")
  })

  it("serves the dashboard with its script", async () => {
    const { merchant, stop } = await running()
    const paths = ["/", "/local-gateway/dashboard/main.js", "/local-gateway/dashboard/style.css", "/openapi.json"]
    const answers = await Promise.all(paths.map((path) => fetch(`${merchant.environment}${path}`)))
    const part = await fetch(`${merchant.environment}/local-gateway/dashboard/payment/payments.js`)
    await stop("SIGINT")
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
    expect(part.status).toBe(404)
  })

  it("tells of notifications, also of those that are not sent", async () => {
    const { merchant, stop } = await running()
    await using gateway = createGatewayClient(merchant)
    const callback = { ...order.callback, notification_url: "https://shop.example/notify" }
    const { id } = await gateway.createPayment({ ...order, callback })
    await fetch(`${merchant.environment}/local-gateway/payments/${id}/cancel`, {
      method: "POST",
      headers: { "content-type": "application/json" }
    })
    const { said } = await stop("SIGINT")
    expect(said).toContain(`--- notify https://shop.example/notify?id=${id} not sent: shop.example is not loopback`)
  })

  it("tells what payers do, on the pay page and by the control API", async () => {
    const { merchant, stop } = await running()
    await using gateway = createGatewayClient(merchant)
    const { gw_url, id } = await gateway.createPayment(order)
    const form = { method: "PAYMENT_CARD", card: "4448", payer_action: "decline:_5006" }
    await fetch(gw_url, { method: "POST", body: new URLSearchParams(form), redirect: "manual" })
    await fetch(`${merchant.environment}/local-gateway/payments/${id}/pay-by-card`, {
      method: "POST",
      headers: { "content-type": "application/json" }
    })
    const { said } = await stop("SIGINT")
    expect(said).toContain(`payer #${id} is PAYMENT_METHOD_CHOSEN _5006\n`)
    expect(said).toContain(`payer #${id} is PAID\n`)
    expect(said).not.toContain("CREATED\n")
  })

  it("answers to the names that it is told, and to no other", async () => {
    const { merchant, stop } = await running("--allow-host", "gopay", "--allow-host", "shop.test")
    const statusAs = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        get(`${merchant.environment}/openapi.json`, { headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).on("error", reject)
      })
    expect(await Promise.all(["gopay:4646", "shop.test", "rebound.example"].map(statusAs))).toEqual([200, 200, 403])
    await stop("SIGINT")
  })

  it("warns when other machines can reach it, and tells clients its public address", async () => {
    const { merchant, stop } = await running("--host", "0.0.0.0", "--public-url", "http://localhost:9")
    const { complained, said } = await stop("SIGINT")
    expect(complained).toMatch(/^Warning: other machines can reach this gateway on 0\.0\.0\.0\./)
    expect(merchant.environment).toBe("http://localhost:9")
    expect(said).toContain("dashboard    http://localhost:9\n")
  })

  it("goes on when no one reads its lines any more", async () => {
    const { leave, merchant, stop } = await running()
    leave()
    await using gateway = createGatewayClient(merchant)
    await gateway.createPayment(order)
    expect((await gateway.getPaymentInstrumentsAll(merchant.goid)).groups).toBeDefined()
    expect((await stop("SIGTERM")).code).toBe(0)
  })

  it("tells of each merchant of a seed, in lines that a shell reads as they are meant", async () => {
    const merchants = [
      { goid: 8_000_000_001, client_id: "1", client_secret: "a b$c'd" },
      { goid: 8_000_000_002, client_id: "2", client_secret: "plain" }
    ]
    const { stop } = await running("--host", "0.0.0.0", "--seed", fileWith("two.json", JSON.stringify({ merchants })))
    const { said } = await stop("SIGINT")
    expect(said).toContain("GOPAY_GOID=8000000001\n")
    expect(said).toContain(`GOPAY_CLIENT_SECRET='a b$c'\\''d'\n`)
    expect(said).toContain("GOPAY_GOID=8000000002\n")
    expect(said).toMatch(/^GOPAY_ENVIRONMENT=http:\/\/127\.0\.0\.1:\d+$/m)
  })

  it("refuses what GoPay may refuse when it is strict, and warns of it otherwise", async () => {
    const doubtful = { ...order, amount: 0, preauthorization: true }
    const strict = await running("--strict", "--set", "partialRefundDelaySeconds=0")
    await using refusing = createGatewayClient(strict.merchant)
    await expect(refusing.createPayment(doubtful)).rejects.toMatchObject({ reason: { _tag: "InvalidRequest" } })
    expect((await strict.stop("SIGTERM")).said).not.toContain("warning")
    const lenient = await running()
    await using accepting = createGatewayClient(lenient.merchant)
    await accepting.createPayment(doubtful)
    expect((await lenient.stop("SIGTERM")).said).toContain("warning: createPayment: GoPay may refuse this: 409, 111")
  })

  it("prints its addresses one below another, in lines of at most 80 columns", async () => {
    const gateway = start("local-gateway", "--port", "0", "--host", "127.0.0.1")
    const [said] = await gateway.says(/^The local gateway[^]*Press Ctrl-C to stop\.\n/)
    expect(said.split("\n").filter((line) => line.length > 80)).toEqual([])
    const addresses = said.split("\n").filter((line) => line.includes("http://") && line.startsWith("  "))
    expect(new Set(addresses.map((line) => line.indexOf("http://"))).size).toBe(1)
    await gateway.stop("SIGINT")
  })

  it("prints its log as JSON when asked, and what people read beside it", async () => {
    const gateway = startWith({}, "local-gateway", "--port", "0", "--json")
    const url = await gateway.complains(/dashboard +(\S+)/)
    await fetch(`${url[1]}/api/payments/payment/1`)
    await gateway.says(/"type":"request".*\n/)
    const { said } = await gateway.stop("SIGINT")
    const entries = said
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    expect(entries).toEqual([
      expect.objectContaining({ type: "request", path: "/api/payments/payment/1", status: 403 })
    ])
  })

  it("has colours where FORCE_COLOR wants them, and dates once time has moved", async () => {
    const gateway = startWith({ FORCE_COLOR: "1" }, "local-gateway", "--port", "0")
    const [, url = ""] = await gateway.says(/dashboard +\S*?(http:\/\/[\w.:]+)/)
    const forward = await fetch(`${url}/local-gateway/advance-time`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{ "by": 864000 }'
    })
    expect(forward.status).toBe(200)
    const date = new Date(Date.now() + 864_000_000).toLocaleDateString("en-GB", { day: "numeric", month: "short" })
    const [line] = await gateway.says(/.*moved forward by 10 days\n/)
    expect(line).toContain(`\u001b[2m${date}`)
    await gateway.stop("SIGINT")
  })

  it.each([
    ["by the option", {}, ["--password", "eight letters"]],
    ["by the environment", { LOCAL_GATEWAY_PASSWORD: "eight letters" }, []]
  ])("does not start with a password, given %s, and says what to do", async (_, variables, args) => {
    const { code, complained } = await startWith(variables, "local-gateway", "--port", "0", ...args).ended
    expect(code).toBe(1)
    expect(complained.replaceAll("\n", " ")).toContain(
      "LOCAL_GATEWAY_PASSWORD: the local gateway asks for no password. Leave it out, and let a proxy"
    )
  })

  it("is quiet when asked", async () => {
    const { merchant, stop } = await running("--quiet")
    await using gateway = createGatewayClient(merchant)
    await gateway.createPayment(order)
    expect((await stop("SIGTERM")).said).not.toContain("createPayment")
  })

  it("begins with a seed, and says where a wrong one is wrong", async () => {
    const seed = fileWith(
      "shop.json",
      JSON.stringify({ payments: [{ id: 3_000_000_003, amount: 5, currency: "CZK", state: "PAID" }] })
    )
    const { merchant, stop } = await running("--seed", seed)
    await using gateway = createGatewayClient(merchant)
    expect((await gateway.getPayment(3_000_000_003)).state).toBe("PAID")
    await stop("SIGINT")
    const wrong = fileWith("wrong.json", JSON.stringify({ payments: [{ amount: 5, currency: "CZK", state: "PAYED" }] }))
    const refused = await start("local-gateway", "--seed", wrong).ended
    expect(refused.code).toBe(1)
    expect(refused.complained).toContain("payments[0].state")
    const missing = await start("local-gateway", "--seed", join(folder, "missing.json")).ended
    expect(missing.code).toBe(1)
    expect(missing.complained).toMatch(/^Cannot read the seed .*missing\.json/)
  })

  it("keeps its state in a data file", async () => {
    const data = join(folder, "state.json")
    const first = await running("--data", data)
    const { id } = await createGatewayClient(first.merchant).createPayment(order)
    await first.stop("SIGINT")
    expect(readFileSync(data, "utf8")).toContain(String(id))
    const second = await running("--data", data)
    expect((await createGatewayClient(second.merchant).getPayment(id)).state).toBe("CREATED")
    await second.stop("SIGINT")
    expect(existsSync(data)).toBe(true)
    const broken = fileWith("broken.json", "{")
    const refused = await start("local-gateway", "--data", broken).ended
    expect(refused.code).toBe(1)
    expect(refused.complained).toContain("broken.json")
    expect(refused.complained).toContain("Its problems:\n- the file: is not well-formed JSON")
    expect(refused.complained).not.toContain("seed")
    expect(readFileSync(broken, "utf8")).toBe("{")
  })

  it("ends with status 1 when its port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1")
    await once(taken, "listening")
    const address = taken.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const { code, complained } = await start("local-gateway", "--port", port).ended
    taken.close()
    expect(code).toBe(1)
    expect(complained).toContain(`port ${port} of 127.0.0.1 is taken`)
  })
})

describe("effect-gopay local-gateway -- COMMAND", () => {
  const node = (program: string) => ["local-gateway", "--port", "0", "--", process.execPath, "--eval", program]

  it("runs the command with the variables of its merchant, and ends with its status", async () => {
    const program = `
      const { GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT, GOPAY_GOID } = process.env
      console.log([GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET].join())
      fetch(GOPAY_ENVIRONMENT).then(({ status }) => {
        console.log("The gateway answers", status)
        process.exitCode = 7
      })`
    const { code, said } = await start(...node(program)).ended
    expect(said).toContain("8123456781,1234567884,L0calGtw\n")
    expect(said).toContain("The gateway answers 200\n")
    expect(code).toBe(7)
  })

  it("stops the command when it is stopped, and waits for it", async () => {
    const program = `
      process.once("SIGTERM", () => {
        clearInterval(life)
        console.log("The shop is closed.")
      })
      const life = setInterval(() => {}, 1_000)
      console.log("The shop is open.")`
    const running = start(...node(program))
    await running.says(/^The shop is open\.$/m)
    const { code, said } = await running.stop("SIGTERM")
    expect(said).toContain("The shop is closed.\n")
    expect(code).toBe(0)
  })

  it.skipIf(process.platform === "win32")(
    "stops what the command has started in a shell, and waits for that, too",
    async () => {
      const program = `
      process.once("SIGTERM", () => setTimeout(() => {
        console.log("The shop is closed.")
        process.exit()
      }, 200))
      setInterval(() => {}, 1_000)
      console.log("The shop is open.")`
      const inShell = `"${process.execPath}" --eval '${program}'; true`
      const running = start("local-gateway", "--port", "0", "--", "sh", "-c", inShell)
      await running.says(/^The shop is open\.$/m)
      expect((await running.stop("SIGTERM")).said).toContain("The shop is closed.\n")
    }
  )

  it("says when there is no such program, and leaves the help of the command to the command", async () => {
    const { code, complained } = await start("local-gateway", "--port", "0", "--", "no-such-program", "--help").ended
    expect(complained).toBe("no-such-program cannot be run: spawn no-such-program ENOENT\n")
    expect(code).toBe(1)
  })
})
