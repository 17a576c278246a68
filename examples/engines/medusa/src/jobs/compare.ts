import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { compareWithLedger } from "../compare"

/** Runs each night: Medusa's refunds have no status, so only this shows those that failed. */
export default async function compareEachNight(container: MedusaContainer): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  for (const line of await compareWithLedger(container)) logger.warn(`GoPay: ${line}`)
}

export const config = { name: "compare-gopay", schedule: "30 3 * * *" }
