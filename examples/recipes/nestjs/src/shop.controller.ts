import { randomUUID } from "node:crypto"
import { Body, Controller, Get, Header, Param, Post, Req, Res } from "@nestjs/common"
import type { Request, Response } from "express"
import { toNodeHandler } from "effect-gopay/promise"
import { GoPayService } from "./gopay.service.js"

@Controller()
export class ShopController {
  private readonly notify: ReturnType<typeof toNodeHandler>

  constructor(private readonly gopay: GoPayService) {
    this.notify = toNodeHandler(gopay.ledger.notificationHandler())
  }

  @Get()
  @Header("cache-control", "no-store")
  front() {
    return `<form method="post" action="/checkout">
      <input type="hidden" name="number" value="${randomUUID()}">
      <button>Order a shirt for 1 399.50 CZK</button>
    </form>`
  }

  @Post("checkout")
  async checkout(@Body() body: { number?: string } | undefined, @Res() response: Response) {
    // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
    // and never the amount from the browser.
    const { gwUrl, message, status } = await this.gopay.checkout(body?.number, 139_950)
    if (gwUrl === undefined) response.status(status).send(message)
    else response.redirect(303, gwUrl)
  }

  @Get("return")
  @Header("content-type", "text/plain")
  returned(@Req() request: Request) {
    return this.gopay.returned(request.url)
  }

  @Get("notify")
  notified(@Req() request: Request, @Res() response: Response) {
    this.notify(request, response)
  }

  // Put this behind your own login.
  @Post("orders/:number/refund")
  async refund(
    @Param("number") number: string,
    @Body() body: { key?: string; amount?: string } | undefined,
    @Res() response: Response
  ) {
    const { message, status } = await this.gopay.refund(number, body?.key ?? "", Number(body?.amount))
    response.status(status).send(message)
  }
}
