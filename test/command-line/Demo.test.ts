/**
 * The command `demo`, as its visitors use it.
 */
import { expect, it } from "vitest"
import { payerMessage } from "../../src/client/payment/PayerMessage.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { start } from "../support/CommandLine.js"

const pageOf = async (url: string): Promise<string> =>
  (await fetch(url, { headers: { "accept-language": "cs" } })).text()

it("effect-gopay demo sells, is paid, hears of it and refunds", async () => {
  const demo = start("demo", "--no-open", "--port", "0")
  const [, shop = "", gateway = ""] = await demo.says(/The shop: +(\S+)\nThe gateway: +(\S+)\n/)
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${shop}${path}`, { method: "POST", redirect: "manual", headers })

  expect(await pageOf(shop)).toContain("Osudy dobrého vojáka Švejka")
  expect(await pageOf(`${shop}/?lang=en`)).toContain("The Good Soldier")
  const ordered = await post("/order?article=0&lang=cs")
  expect(ordered.headers.get("location")).toMatch(new RegExp(`^${gateway}/gw/`))
  const order = `${shop}/order?number=${new Date().getFullYear()}-0001`
  expect(await pageOf(order)).toContain("Čekáme na vaši platbu.")

  const settings = await (await fetch(`${gateway}/local-gateway/settings`)).json()
  expect(settings.notificationTiming).toBe("notificationFirst")
  const { payments } = await (await fetch(`${gateway}/local-gateway/payments`)).json()
  const control = (action: string) =>
    fetch(`${gateway}/local-gateway/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}"
    })
  await control(`payments/${payments[0].id}/pay-by-card`)
  await control("deliver-notifications")
  const paid = await pageOf(order)
  expect(paid).toContain("Zaplaceno. Děkujeme!")
  expect(paid).toMatch(/<dt>Notifikace<\/dt>\s*<dd>[\d:]+ zaplaceno</)
  expect(paid).toContain(`href="${gateway}/#/payments/${payments[0].id}"`)

  const refund = `/refund${new URL(order).search}&amount=1000`
  expect((await post(refund, { "sec-fetch-site": "cross-site" })).status).toBe(403)
  expect((await post(refund)).status).toBe(303)
  const refunded = await pageOf(order)
  expect(refunded).toMatch(/<dt>Stav<\/dt>\s*<dd>vráceno částečně<\/dd>/)
  expect(refunded).toContain("Část peněz (10,00 Kč) vracíme.")
  expect(refunded).toMatch(/<dt>Vráceno<\/dt>\s*<dd>10,00 Kč<\/dd>/)
  // As GoPay does, the gateway refuses a part for a day: the shop shows it, and lets the day pass.
  expect(refunded).toMatch(/24 hodin po zaplacení nevrací[^]*V bráně uplynul den[^]*Obchod vrátil peníze/)
  const failed = await post(`/refund${new URL(order).search}&amount=9999999&lang=cs`)
  expect(failed.status).toBe(502)
  expect(await failed.text()).toContain("To se nepodařilo:")
  expect((await fetch(`${shop}//`)).status).toBe(404)
  expect((await fetch(`${shop}/order?number=other`)).status).toBe(404)

  const again = await post("/order?article=1&lang=cs")
  const payPage = await pageOf(again.headers.get("location") ?? "")
  // One name in every language.
  expect(payPage).toMatch(/Platba pro <bdi>Švejk &amp; Co\.<\/bdi>/)
  const { merchants } = await (await fetch(`${gateway}/local-gateway/merchants`)).json()
  expect(merchants).toMatchObject([{ goid: LocalGateway.merchant.goid, client_id: LocalGateway.merchant.clientId }])
  const { payments: newest } = await (await fetch(`${gateway}/local-gateway/payments?limit=1`)).json()
  await fetch(`${gateway}/local-gateway/payments/${newest[0].id}/decline`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sub_state: "_5006" })
  })
  const declined = await pageOf(order.replace("0001", "0002"))
  expect(declined).toContain(payerMessage({ state: "CANCELED", sub_state: "_5006" }, "cs").text)
  const triedAgain = await post("/again?number=" + order.slice(-9).replace("0001", "0002"))
  expect(triedAgain.headers.get("location")).toMatch(new RegExp(`^${gateway}/gw/`))
  expect(await pageOf(order.replace("0001", "0003"))).toContain("Plátěná taška")

  expect((await demo.stop("SIGTERM")).code).toBe(0)
})

it("effect-gopay demo says what just happened, with its line of code, and hears again after a reset", async () => {
  const demo = start("demo", "--no-open", "--port", "0")
  const [, shop = "", gateway = ""] = await demo.says(/The shop: +(\S+)\nThe gateway: +(\S+)\n/)
  const control = (action: string) =>
    fetch(`${gateway}/local-gateway/${action}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}"
    })
  const buyAndPay = async (article: number, number: string) => {
    await fetch(`${shop}/order?article=${article}&lang=en`, { method: "POST", redirect: "manual" })
    const { payments } = await (await fetch(`${gateway}/local-gateway/payments?limit=1`)).json()
    await control(`payments/${payments[0].id}/pay-by-card`)
    await control("deliver-notifications")
    const page = await (await fetch(`${shop}/order?number=${new Date().getFullYear()}-${number}&lang=en`)).text()
    return { id: payments[0].id, steps: [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, code]) => code), page }
  }
  const first = await buyAndPay(0, "0001")
  expect(first.steps).toEqual([
    "await gateway.createPayment({ amount: 39900, currency: &quot;CZK&quot;, … })",
    "gateway.createNotificationHandler({ expected, handler })",
    `await gateway.getPayment(${first.id}) // PAID`,
    `await gateway.getPaymentRefunds(${first.id})`
  ])
  await control("reset")
  const second = await buyAndPay(1, "0002")
  expect(second.id).toBe(first.id)
  expect(second.page).toMatch(/<dt>Notifications<\/dt>\s*<dd>[\d:]+ paid</)
  await buyAndPay(2, "0003")
  const articles = await (await fetch(`${shop}/?lang=en`)).text()
  expect(articles.split("Your orders")[1]).toMatch(/A bookmark[^]*A canvas bag/)
  expect((await demo.stop("SIGTERM")).code).toBe(0)
})
