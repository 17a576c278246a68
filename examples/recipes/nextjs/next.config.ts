import type { NextConfig } from "next"

export default {
  cacheComponents: true,
  partialPrefetching: true,
  serverExternalPackages: ["effect-gopay"]
} satisfies NextConfig
