import { type DynamicModule, Module } from "@nestjs/common"
import type { GatewayClientOptions } from "effect-gopay/promise"
import { PaymentsController } from "./payments.controller"
import { MERCHANT, PaymentsService } from "./payments.service"

@Module({})
export class AppModule {
  static for(merchant: GatewayClientOptions): DynamicModule {
    return {
      module: AppModule,
      controllers: [PaymentsController],
      providers: [PaymentsService, { provide: MERCHANT, useValue: merchant }]
    }
  }
}
