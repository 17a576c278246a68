import { randomUUID } from "node:crypto"
import { Body, Controller, Get, Param, Post, Req, Res } from "@nestjs/common"
import type { Request, Response } from "express"
import { toNodeHandler } from "effect-gopay/promise"
import { GoPayService } from "./gopay.service.js"

@Controller()
export class ShopController {
  private readonly notify: ReturnType<typeof toNodeHandler>

  constructor(private readonly gopay: GoPayService) {
    this.notify = toNodeHandler(gopay.ledger.notificationHandler())
  }

  @Post("checkout")
  async checkout(@Res() response: Response) {
    const order = await this.gopay.checkout(randomUUID(), 139_950)
    if (order.status === "open") response.redirect(303, order.gwUrl)
    else response.status(503).send(order.message)
  }

  @Get("return")
  async returned(@Req() request: Request) {
    const order = await this.gopay.ledger.verifyReturn(request.url)
    return `Order ${order.orderNumber} is ${order.status}.`
  }

  @Get("notify")
  notified(@Req() request: Request, @Res() response: Response) {
    this.notify(request, response)
  }

  // Behind your own log-in.
  @Post("orders/:number/refund")
  async refund(
    @Param("number") number: string,
    @Body() body: { key: string; amount: string },
    @Res() response: Response
  ) {
    const { message, status } = await this.gopay.refund(number, body.key, Number(body.amount))
    response.status(status).send(message)
  }
}
