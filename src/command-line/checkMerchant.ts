/**
 * What a shop may do at the gateway: its credentials, their scopes, its ways to pay.
 */
import type { PaymentInstrumentsAllResponse } from "../contract/Messages.js"
import type { CallOutcome } from "../client/call/CallEvent.js"
import type { GatewayErrorReason } from "../client/error/GatewayError.js"
import { printable } from "./printable.js"
import { type Finding, findingsOf } from "./Finding.js"

/** The environment variables of a shop. */
type ShopVariables = Readonly<Record<string, string>>

type Instruments = PaymentInstrumentsAllResponse

interface ReadWith {
  readonly token: CallOutcome | undefined
  readonly instruments: Instruments | GatewayErrorReason
}

const isInstruments = (read: ReadWith["instruments"]): read is Instruments => !("_tag" in read)

/** One read with a token of this scope. */
const readWith = async (variables: ShopVariables, scope: string): Promise<ReadWith> => {
  const { createGatewayClient, GatewayError, optionsFromEnv } = await import("../promise/index.js")
  let token: CallOutcome | undefined
  const client = createGatewayClient({
    ...optionsFromEnv({ ...variables, GOPAY_SCOPE: scope }),
    retry: false,
    observer: ({ operation, outcome }) => {
      if (operation === "getAccessToken") token = outcome
    }
  })
  try {
    const instruments = await client.getPaymentInstrumentsAll().catch((error: unknown) => {
      if (error instanceof GatewayError) return error.reason
      throw error
    })
    return { token, instruments }
  } finally {
    await client.close()
  }
}

/** Ways to pay by their currencies: `PAYMENT_CARD (CZK, EUR), BANK_ACCOUNT (CZK)`. */
const instrumentsText = ({ enabledPaymentInstruments }: Instruments): string =>
  enabledPaymentInstruments
    .map(({ currencies = [], paymentInstrument }) =>
      currencies.length === 0 ? paymentInstrument : `${paymentInstrument} (${currencies.join(", ")})`
    )
    .join(", ")

const credentials = findingsOf("credentials")

/** Why a read failed, by its reason; what is not listed is said in the gateway's words. */
const failures: Partial<Record<GatewayErrorReason["_tag"], (environment: string) => Finding>> = {
  AuthenticationFailed: (environment) =>
    credentials.problem(
      `${environment} refuses GOPAY_CLIENT_ID and GOPAY_CLIENT_SECRET. Sandbox and production have different ones: take those of this environment`
    ),
  GatewayUnavailable: (environment) =>
    credentials.problem(`${environment} does not answer. Check GOPAY_ENVIRONMENT, and that this machine may reach it`),
  InvalidRequest: () => credentials.problem("The gateway knows no shop with this GOPAY_GOID. Check it"),
  PermissionDenied: () =>
    credentials.problem("The gateway gives these credentials no token. Ask GoPay to enable the API")
}

export const checkMerchant = async (variables: ShopVariables): Promise<ReadonlyArray<Finding>> => {
  const { GOPAY_ENVIRONMENT: environment = "", GOPAY_SCOPE: configured = "payment-all" } = variables
  const scopes = [...new Set([configured, "payment-all", "payment-create"])]
  const reads = new Map<string, ReadWith>()
  for (const scope of scopes) reads.set(scope, await readWith(variables, scope))
  const own = reads.get(configured)
  const granted = scopes.filter((scope) => reads.get(scope)?.token === "success")
  if (own === undefined || granted.length === 0) {
    const reason = own === undefined || isInstruments(own.instruments) ? undefined : own.instruments
    const known = reason === undefined ? undefined : failures[reason._tag]
    return [known?.(environment) ?? credentials.problem(`${environment} gives no token: ${reason?._tag ?? "unknown"}`)]
  }
  const scope = findingsOf("scope")
  const ways = findingsOf("ways to pay")
  const { instruments } = own
  const found = [credentials.ok(`${environment} takes them, with the scopes ${granted.join(", ")}`)]
  if (!granted.includes(configured)) {
    return [...found, scope.problem(`The gateway gives no token of GOPAY_SCOPE=${configured}. Leave it out`)]
  }
  if (!isInstruments(instruments)) {
    if (instruments._tag === "PermissionDenied") {
      return [
        ...found,
        scope.problem(
          `A token of the scope ${configured} may not read. Notifications, refunds and the ledger need payment-all: leave GOPAY_SCOPE out`
        )
      ]
    }
    return [failures[instruments._tag]?.(environment) ?? credentials.problem(`A read failed: ${instruments._tag}`)]
  }
  const text = instrumentsText(instruments)
  return [
    ...found,
    scope.ok(`${configured} may read`),
    text === "" ? ways.problem("None is enabled. Ask GoPay to enable some") : ways.ok(printable(text)),
    findingsOf("recurrences, preauthorizations").unknown(
      "No read shows whether they are enabled. If you use them, ask GoPay; in the sandbox, create a payment with one"
    )
  ]
}
