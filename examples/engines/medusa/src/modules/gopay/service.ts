import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentSessionStatus,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult
} from "@medusajs/framework/types"
import { AbstractPaymentProvider, MathBN, MedusaError } from "@medusajs/framework/utils"
import { LedgerError } from "effect-gopay/ledger/promise"
import { amountFromDecimal, payerMessage } from "effect-gopay/promise"
import { gopayLedger, statusOf } from "../../gopay"

const { SHOP_URL = "http://localhost:9000" } = process.env

interface Options {
  readonly preauthorization?: boolean
}

/** What Medusa keeps of a payment, and gives back with it. */
interface SessionData extends Record<string, unknown> {
  readonly session_id: string
  readonly paymentId: number
  /** Where the payer pays. */
  readonly gwUrl: string
}

const refuse = (message: string): never => {
  throw new MedusaError(MedusaError.Types.NOT_ALLOWED, message)
}

const textOf = (data: Record<string, unknown> | undefined, name: "session_id" | "paymentId"): string => {
  const value = data?.[name]
  return typeof value === "string" || typeof value === "number" ? String(value) : refuse(`The payment has no ${name}.`)
}

/** Medusa's amounts are decimals of the main unit. */
const minorUnits = (amount: BigNumberInput): number =>
  amountFromDecimal(MathBN.convert(amount).toFixed(), { round: "halfUp" })

export class GopayProvider extends AbstractPaymentProvider<Options> {
  static override identifier = "gopay"

  constructor(container: Record<string, unknown>, options: Options = {}) {
    super(container, options)
  }

  /** Gives a session its payment, or the one that it has. */
  private async checkout({ amount, currency_code, data }: InitiatePaymentInput): Promise<SessionData> {
    const session_id = textOf(data, "session_id")
    const order = await gopayLedger().checkout(
      session_id,
      {
        amount: minorUnits(amount),
        currency: currency_code.toUpperCase(),
        preauthorization: this.config.preauthorization === true,
        callback: { return_url: `${SHOP_URL}/gopay/return`, notification_url: `${SHOP_URL}/gopay/notify` }
      },
      { replace: true }
    )
    return "gwUrl" in order
      ? { session_id, paymentId: order.paymentId, gwUrl: order.gwUrl }
      : refuse(payerMessage(order, "en").text)
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const data = await this.checkout(input)
    return { id: String(data.paymentId), status: "pending", data }
  }

  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return { status: "pending", data: await this.checkout(input) }
  }

  /** Gives its address out no more. The gateway closes no payment: one that is paid after all is reported. */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    await gopayLedger().withdrawOrder(textOf(data, "session_id"))
    return {}
  }

  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return { status: await this.sessionStatus(data), ...(data === undefined ? undefined : { data }) }
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return { status: await this.sessionStatus(data) }
  }

  private async sessionStatus(data: Record<string, unknown> | undefined): Promise<PaymentSessionStatus> {
    switch (await statusOf(textOf(data, "session_id"))) {
      case "authorized":
        return "authorized"
      case "paid":
      case "partiallyRefunded":
      case "refunded":
        return "captured"
      default:
        return "pending"
    }
  }

  /**
   * Takes the whole amount that is held, and does nothing for what is paid. It is asked for by a key of its payment, so that
   * Medusa may ask again.
   */
  async capturePayment({ context, data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    if ((await this.sessionStatus(data)) !== "captured") {
      await this.refusePart(context?.idempotency_key)
      const paymentId = textOf(data, "paymentId")
      const outcome = await gopayLedger().capture(`medusa-capture-${paymentId}`, paymentId)
      if (outcome._tag !== "Done") refuse(`It is not captured yet: ${outcome.message}`)
    }
    return { ...(data === undefined ? undefined : { data }) }
  }

  /** Medusa does not say how much is to be captured: its row does. */
  private async refusePart(captureId: string | undefined): Promise<void> {
    if (captureId === undefined) return
    const { captureService } = this.container
    if (!canRetrieve(captureService)) return
    const capture = await captureService.retrieve(captureId, { relations: ["payment"] })
    if (MathBN.lt(capture.amount, capture.payment.amount)) {
      refuse("Capture the whole amount, and refund a part of it: Medusa does not tell the gateway's plugin how much.")
    }
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    if ((await this.sessionStatus(data)) === "authorized") {
      const paymentId = textOf(data, "paymentId")
      const outcome = await gopayLedger().release(`medusa-release-${paymentId}`, paymentId)
      if (outcome._tag !== "Done") refuse(`It is not released yet: ${outcome.message}`)
    }
    return { ...(data === undefined ? undefined : { data }) }
  }

  /**
   * Refunds once for a refund of Medusa's. Throws only for what is certainly not made: Medusa deletes its refund then, and asks
   * again with another one.
   */
  async refundPayment({ amount, context, data }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const key = context?.idempotency_key ?? refuse("The refund has no id.")
    try {
      const outcome = await gopayLedger().refund(key, textOf(data, "paymentId"), { amount: minorUnits(amount) })
      if (outcome._tag === "Refused" || outcome._tag === "Failed") refuse(outcome.message)
    } catch (error) {
      // The database could not be reached: it may be recorded, and then it is made.
      if (!(error instanceof LedgerError) || error.reason._tag !== "LedgerUnavailable") throw error
    }
    return { ...(data === undefined ? undefined : { data }) }
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { ...(data === undefined ? undefined : { data }) }
  }

  /** Medusa's address for notifications takes POST, and GoPay sends GET: see `src/api/gopay/notify`. */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return { action: "not_supported" }
  }
}

/** What is read of a capture. */
interface Captures {
  retrieve(id: string, config: object): Promise<{ amount: BigNumberInput; payment: { amount: BigNumberInput } }>
}

const canRetrieve = (service: unknown): service is Captures =>
  typeof service === "object" && service !== null && "retrieve" in service
