import type { NextConfig } from "next"

export default { cacheComponents: true, serverExternalPackages: ["effect-gopay"] } satisfies NextConfig
