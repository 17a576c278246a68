import type { NextConfig } from "next"

export default { serverExternalPackages: ["effect-gopay"] } satisfies NextConfig
