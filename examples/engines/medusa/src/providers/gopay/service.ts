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
import { gopayLedger, statusOf } from "../../ledger"
import { checkOptions, type GopayOptions, settingsFrom } from "../../options"

/** Medusa stores this with a payment session, and passes it back with each call. */
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

export class GopayProvider extends AbstractPaymentProvider<GopayOptions> {
  static override identifier = "gopay"

  static override validateOptions(options?: object): void {
    checkOptions(options)
  }

  constructor(container: Record<string, unknown>, options: GopayOptions = {}) {
    super(container, options)
  }

  /** Creates the payment of a session, or returns the one that it has. */
  private async checkout({ amount, currency_code, data }: InitiatePaymentInput): Promise<SessionData> {
    const session_id = textOf(data, "session_id")
    const order = await gopayLedger().checkout(
      session_id,
      {
        amount: minorUnits(amount),
        currency: currency_code.toUpperCase(),
        preauthorization: this.config.preauthorization === true,
        callback: settingsFrom(process.env).callback
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

  /**
   * The gateway cannot close a payment: the ledger stops offering it, and notifies an operator if it is paid after all.
   */
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

  /** Captures the whole amount that is held, once for a payment. Does nothing for a payment that is paid. */
  async capturePayment({ context, data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    if ((await this.sessionStatus(data)) !== "captured") {
      await this.refusePart(context?.idempotency_key)
      const paymentId = textOf(data, "paymentId")
      const outcome = await gopayLedger().capture(`medusa-capture-${paymentId}`, paymentId)
      if (outcome._tag !== "Done") refuse(`Not captured yet: ${outcome.message}`)
    }
    return { ...(data === undefined ? undefined : { data }) }
  }

  /** Medusa does not pass the amount to a provider, so it is read from the row of the capture. */
  private async refusePart(captureId: string | undefined): Promise<void> {
    const { captureService } = this.container
    if (captureId === undefined || !canRetrieve(captureService)) return refuse("The amount of the capture is unknown.")
    const { amount, payment } = await captureService.retrieve(captureId, { relations: ["payment"] })
    if (MathBN.lt(amount, payment.amount)) refuse("Capture the whole amount, and refund a part of it.")
  }

  /**
   * Releases the hold. Refuses for a payment that is paid: Medusa cancels a payment when it fails to complete the cart.
   */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const status = await this.sessionStatus(data)
    if (status === "captured") refuse("The payment is paid: refund it.")
    if (status === "authorized") {
      const paymentId = textOf(data, "paymentId")
      const outcome = await gopayLedger().release(`medusa-release-${paymentId}`, paymentId)
      if (outcome._tag !== "Done") refuse(`Not released yet: ${outcome.message}`)
    }
    return { ...(data === undefined ? undefined : { data }) }
  }

  /**
   * Refunds once for each refund of Medusa's. Throws only when the money has certainly not moved: Medusa deletes the refund when
   * its provider throws, and a retry comes with a new id.
   */
  async refundPayment({ amount, context, data }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const key = context?.idempotency_key ?? refuse("The refund has no id.")
    try {
      const outcome = await gopayLedger().refund(key, textOf(data, "paymentId"), { amount: minorUnits(amount) })
      if (outcome._tag === "Refused" || outcome._tag === "Failed") refuse(outcome.message)
    } catch (error) {
      // The refund may have been recorded before the connection broke, and will be made then. The comparison shows it if not.
      if (!(error instanceof LedgerError) || error.reason._tag !== "LedgerUnavailable") throw error
    }
    return { ...(data === undefined ? undefined : { data }) }
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { ...(data === undefined ? undefined : { data }) }
  }

  /** GoPay notifies by GET, and Medusa's own address takes POST: see `api/gopay/notify`. */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return { action: "not_supported" }
  }
}

/** The part of Medusa's capture service that is used. */
interface Captures {
  retrieve(id: string, config: object): Promise<{ amount: BigNumberInput; payment: { amount: BigNumberInput } }>
}

const canRetrieve = (service: unknown): service is Captures =>
  typeof service === "object" && service !== null && "retrieve" in service
