import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Param,
  Post,
  UseFilters
} from "@nestjs/common"
import { GatewayError } from "effect-gopay/promise"
import { PaymentsService } from "./payments.service"

@Catch(GatewayError)
export class GatewayErrorFilter implements ExceptionFilter<GatewayError> {
  catch(error: GatewayError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ status: (code: number) => { json: (body: unknown) => void } }>()
    response.status(409).json({ reason: error.reason._tag })
  }
}

@Controller("payments")
@UseFilters(GatewayErrorFilter)
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  @Post()
  async create(): Promise<{ id: number }> {
    return { id: await this.payments.create(139_950) }
  }

  @Get(":id")
  async state(@Param("id") id: string): Promise<{ state: string }> {
    const { state } = await this.payments.gateway.getPayment(id)
    return { state }
  }

  @Post(":id/refund")
  async refund(@Param("id") id: string): Promise<void> {
    await this.payments.gateway.refundPayment(id, { amount: 139_950 })
  }
}
