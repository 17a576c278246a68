/** Neither waits nor fails: after a failure here Next.js would answer every request with 500 until it is restarted. */
export const register = async () => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return
  const { openInBackground } = await import("./lib/gopay")
  openInBackground()
}
