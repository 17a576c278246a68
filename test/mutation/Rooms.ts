/**
 * What is mutated, and the tests that have to notice it. Few tests make a mutant cheap: one that is reached while a module
 * is loaded runs all of its room's.
 */
export interface Room {
  readonly sources: string
  /** Files, as Vitest takes them. */
  readonly tests: ReadonlyArray<string>
}

const room = (sources: string, ...tests: ReadonlyArray<string>): Room => ({ sources: `src/${sources}`, tests })

export const rooms: Readonly<Record<string, Room>> = {
  call: room("client/call", "test/client/call/*", "test/client/gateway/*", "test/promise/Arguments*"),
  outcome: room("client/outcome", "test/client/outcome/Reconcile*", "test/promise/Reconcile*"),
  token: room("client/token", "test/client/token/*", "test/promise/Token*"),
  transport: room("client/transport", "test/client/transport/*", "test/promise/{Timeout,Signal,Close}*"),
  notification: room("client/notification", "test/client/notification/*", "test/promise/*NotificationHandler*"),
  payment: room("client/payment", "test/client/payment/*"),
  error: room(
    "client/error",
    "test/client/error/*",
    "test/client/outcome/Reconcile*",
    "test/promise/{Failures,Reconcile}*"
  ),
  config: room("client/config", "test/client/config/*", "test/promise/Options*"),
  gateway: room(
    "client/gateway",
    "test/client/gateway/*",
    "test/client/token/*",
    "test/client/call/*",
    "test/promise/*"
  ),
  books: room("local-gateway/books", "test/local-gateway/{books,settings}/*"),
  wire: room("local-gateway/wire", "test/local-gateway/{wire,books}/*", "test/local-gateway/http/WireForm*"),
  engine: room("local-gateway/engine", "test/local-gateway/{engine,control}/*", "test/local-gateway/LocalGateway*"),
  seed: room("local-gateway/seed", "test/local-gateway/seed/*", "test/local-gateway/engine/DataFile*")
}
