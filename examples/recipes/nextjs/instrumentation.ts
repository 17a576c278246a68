/** Opens the ledger when the server starts: its worker finishes what an earlier process could not. */
export const register = async () => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { theLedger } = await import("./lib/gopay")
  await theLedger()
}
