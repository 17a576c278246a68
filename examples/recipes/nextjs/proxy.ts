import { NextResponse } from "next/server"
import { policy } from "./lib/gopay"

/** Not in next.config.ts, whose headers are fixed at the build, when no gateway is known. */
export const proxy = () => NextResponse.next({ headers: { "content-security-policy": policy() } })

export const config = { matcher: "/" }
