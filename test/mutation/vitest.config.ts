/**
 * The tests of one room, for Stryker.
 */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: (process.env["MUTATION_TESTS"] ?? "").split(" ").map((files) => `${files}.test.ts`),
    // Each starts processes, where no mutant is.
    exclude: ["**/Secrets.test.ts"],
    isolate: false,
    setupFiles: ["test/mutation/freshModules.ts", "test/support/setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000
  }
})
