/**
 * Each environment twice: with the package as Node.js finds it, and as Vitest reads it when it inlines it.
 */
import { defineConfig } from "vitest/config"

const projects = ["node", "jsdom", "happy-dom", "edge-runtime"].flatMap((environment) =>
  [[], ["effect-gopay"]].map((inline) => ({
    extends: true,
    test: {
      name: [environment, ...inline.map(() => "inlined")].join(" "),
      environment,
      server: { deps: { inline } },
      include: ["client.test.ts"]
    }
  }))
)

export default defineConfig({ test: { projects } })
