import { NextResponse } from "next/server"
import { policy } from "./lib/gopay"

/** Not in next.config.ts, whose headers are those of the build: a build knows no gateway. */
export const proxy = () => NextResponse.next({ headers: { "content-security-policy": policy() } })

export const config = { matcher: "/" }
