/**
 * Runs the steps of a recording at a local gateway.
 */
import { startLocalGateway, type SettingsChange } from "../../src/local-gateway/promise/index.js"
import { record } from "../../src/parity/Recorder.js"
import type { Recording } from "../../src/parity/Recording.js"
import type { Step } from "../../src/parity/Step.js"

export const recordLocally = async (steps: ReadonlyArray<Step>, settings: SettingsChange = {}): Promise<Recording> => {
  await using local = await startLocalGateway({ settings })
  const { clientId, clientSecret, goid } = local.merchant
  return await record({
    gateway: local.url,
    merchant: { goid, clientId, clientSecret },
    steps,
    pay: async ({ id }) => {
      await local.payByCard(id)
      return true
    }
  })
}
