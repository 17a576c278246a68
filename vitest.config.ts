import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/LongestFirst.js"

/** What takes long: killed processes, every fault and callback, cases by the thousand, months of a shop, processes of their own, bundles. */
const slowTests = [
  "examples/guides/test-shop*.test.ts",
  "test/chaos/**/*.test.ts",
  "test/client/call/{FailureReason,Secrets,SharedTokenCache,TokenCache}.test.ts",
  "test/client/notification/NotificationDelivery.test.ts",
  "test/client/payment/{Reconcile,RepeatedChanges}.test.ts",
  "test/client/transport/TransportFailures.test.ts",
  "test/command-line/**/*.test.ts",
  "test/docs/{Examples,Observability,OpenApi,Snippets}.test.ts",
  "test/faults/**/*.test.ts",
  "test/ledger/{Booked,Subscription}*.test.ts",
  "test/ledger/*Crash.test.ts",
  "test/ledger/{AdminHandler,AlarmBudget,Breaker,ChangeEvents,DutyTable,FailingReads,FollowedOutcomes,GrownTables,OddRows,Orders,PaymentMismatch,Scenes,StrangeRefunds}.test.ts",
  "test/local-gateway/books/Bookkeeping.test.ts",
  "test/local-gateway/documents/QrPicture.test.ts",
  "test/local-gateway/pages/ControlApi.test.ts",
  "test/local-gateway/server/{DataFileLock,Fault,HostileInput,KilledDataFile,Load}.test.ts",
  "test/local-gateway/books/GeneratedSeed.test.ts",
  "test/package/{ApiReports,Package,Publishing,TwoCopies}.test.ts",
  "test/parity/**/*.test.ts",
  "test/promise/{Callbacks,PollutedPrototype,Secrets}.test.ts",
  "test/scripts/{FailedTests,ForeignNames}.test.ts",
  "test/simulation/**/*.test.ts",
  "test/statement/{History,parseStatement}.test.ts",
  "test/testing/**/*Shop.test.ts"
]

// As package.json has it for Node.js, from the sources.
export const resolve = {
  alias: { "#transport": fileURLToPath(new URL("src/client/transport/node.ts", import.meta.url)) }
}

/** One more than there are processors: some tests wait for sockets, time limits or processes of their own. */
const maxWorkers = availableParallelism() + 1

export default defineConfig({
  test: {
    setupFiles: ["test/support/setup.ts"],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./test/support/FailedTests.ts"],
    // A test that hangs is found, one that runs beside other work is not.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        resolve,
        test: {
          name: "quick",
          include: ["test/**/*.test.ts", "examples/**/*.test.ts"],
          // Recipes, engines and consumers are projects of their own: they test themselves, with the package installed.
          exclude: [
            ...slowTests,
            "test/{site,system}/**",
            "test/package/consumers/**",
            "examples/{recipes,engines}/**",
            "**/node_modules/**"
          ],
          isolate: false,
          maxWorkers
        }
      },
      {
        extends: true,
        resolve,
        test: { name: "slow", include: slowTests, exclude: [], isolate: false, maxWorkers }
      },
      {
        extends: true,
        test: {
          // What needs programs beside Node.js: a browser, and servers that several processes share.
          name: "system",
          include: ["test/system/**/*.test.ts"],
          globalSetup: ["test/system/Requirements.ts"],
          isolate: false,
          // Each file has its own servers, on its own ports. Half of the time they wait, for time-outs, leases and browsers.
          maxWorkers: 2 * availableParallelism()
        }
      },
      {
        extends: true,
        test: {
          // Builds the site of the documents: for the long check, and before the site is published.
          name: "site",
          include: ["test/site/**/*.test.ts"],
          globalSetup: ["test/system/Requirements.ts"]
        }
      }
    ]
  }
})
