/**
 * What `effect-gopay trigger` says.
 */
import { type Choice, didYouMean } from "./Choice.js"

export const triggerWords = (t: Choice) => ({
  nameEvent: t("Name an event", "Uveďte událost"),
  unknownEvent: (event: string, meant: string | undefined): string =>
    `${t("Unknown event", "Neznámá událost")}: ${event}${didYouMean(t, meant)}`,
  idOrOrder: t("Give the payment's ID or --order", "Zadejte ID platby, nebo --order"),
  notLocal: (environment: string): string =>
    t(
      `trigger works at a local gateway, not at ${environment}`,
      `trigger funguje s lokální bránou, ne s ${environment}`
    ),
  noneRunning: (base: string): string =>
    t(
      `No local gateway is running at ${base}. Start one: effect-gopay local-gateway`,
      `Na ${base} žádná lokální brána neběží. Spusťte ji: effect-gopay local-gateway`
    ),
  isNone: (base: string): string => t(`${base} is not a local gateway.`, `${base} není lokální brána.`),
  wrongState: (state: string, words: string): string =>
    t(
      `Refused: the payment is ${state}, and this cannot happen to it any more.`,
      `Odmítnuto: platba je ve stavu „${words}“ a tohle už se s ní stát nemůže.`
    ),
  refused: (message: string): string => t(`Refused: ${message}`, `Odmítnuto (anglicky): ${message}`),
  noOrder: (orderNumber: string): string =>
    t(`No payment has the order number ${orderNumber}.`, `Žádná platba nemá číslo objednávky ${orderNumber}.`)
})
