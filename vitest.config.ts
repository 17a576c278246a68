import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** What takes long: killed processes, every fault at every operation, generated cases by the thousand, load, bundles. */
export const slowTests = [
  "test/chaos/**/*.test.ts",
  "test/client/payment/LostResponses.test.ts",
  "test/client/transport/TransportFailures.test.ts",
  "test/command-line/**/*.test.ts",
  "test/docs/Examples.test.ts",
  "test/faults/**/*.test.ts",
  "test/ledger/*Crash.test.ts",
  "test/local-gateway/books/Bookkeeping.test.ts",
  "test/local-gateway/engine/KilledDataFile.test.ts",
  "test/local-gateway/http/HostileInput.test.ts",
  "test/local-gateway/http/Load.test.ts",
  "test/local-gateway/seed/GeneratedSeed.test.ts",
  "test/package/Package.test.ts",
  "test/package/Publishing.test.ts"
]

export default defineConfig({
  // As package.json has it for Node.js, from the sources.
  resolve: {
    alias: { "#transport": fileURLToPath(new URL("src/client/transport/node.ts", import.meta.url)) }
  },
  test: {
    include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
    // Recipes and engines are projects of their own: they test themselves, with the package installed.
    exclude: [...slowTests, "test/system/**", "examples/{recipes,engines}/**"],
    isolate: false,
    setupFiles: ["test/support/setup.ts"],
    reporters: ["default", "./test/support/FailedTests.ts"],
    // All processors: most of the time goes into tests that wait for none.
    maxWorkers: "100%",
    // A test that hangs is found, one that runs beside other work is not.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } }
  }
})
