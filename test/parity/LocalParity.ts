/**
 * Runs the steps of a recording at a local gateway.
 */
import {
  startLocalGateway,
  type RunningLocalGateway,
  type SettingsChange
} from "../../src/local-gateway/promise/index.js"
import { type PayerTask, record, type Recording, type Step } from "../../src/command-line/record/Recorder.js"

/** A payer who does at once what a step says. */
export const obedientPayer =
  (local: RunningLocalGateway) =>
  async ({ act, id }: PayerTask): Promise<boolean> => {
    switch (act) {
      case "pays":
        await local.payByCard(id)
        return true
      case "isDeclined":
        await local.declineAttempt(id, "_5006")
        return true
      case "cancels":
        await local.cancelPayment(id)
        return true
      case "choosesTransfer":
        await local.choosePaymentMethod(id, "BANK_ACCOUNT")
        return true
      case "letsTimeOut":
        await local.timeOutPayment(id)
        return true
    }
  }

export const recordLocally = async (steps: ReadonlyArray<Step>, settings: SettingsChange = {}): Promise<Recording> => {
  await using local = await startLocalGateway({ settings })
  const { clientId, clientSecret, goid } = local.merchant
  return await record({
    gateway: local.url,
    merchant: { goid, clientId, clientSecret },
    steps,
    act: obedientPayer(local)
  })
}
