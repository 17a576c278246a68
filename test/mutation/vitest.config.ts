/**
 * A worker of `npm run mutate`: one process, in which `MutationRunner` tries many mutants.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { jobVariable, mutantsOfJob, readJob } from "./Job.js"
import { instrumented } from "./Mutants.js"
import { resolve } from "../../vitest.config.js"

const job = readJob(process.env[jobVariable] ?? "")
const mutants = new Map([...mutantsOfJob(job)].map(([file, all]) => [join(job.root, file), all]))

export default defineConfig({
  root: job.root,
  resolve,
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      load: (id: string) => {
        const found = mutants.get(id)
        return found === undefined ? undefined : instrumented(readFileSync(id, "utf8"), found)
      }
    }
  ],
  test: {
    include: ["test/mutation/worker.ts"],
    setupFiles: ["test/support/setup.ts"],
    runner: fileURLToPath(new URL("MutationRunner.ts", import.meta.url)),
    isolate: false,
    pool: "forks",
    maxWorkers: 1,
    watch: false,
    // The limit without a mutant. With one, a test may take ten times as long as without it.
    testTimeout: 180_000,
    hookTimeout: 20_000,
    // A mutant may say anything.
    onConsoleLog: () => false,
    dangerouslyIgnoreUnhandledErrors: true
  }
})
