import { expect, it } from "vitest"
import { currentRuntime } from "../../../src/client/transport/Runtime.js"

const node = { process: { versions: { node: "24.0.0" } } }
const worker = { navigator: { userAgent: "Cloudflare-Workers" } }

it.each([
  ["node", node],
  ["node", { ...node, navigator: { userAgent: "Node.js/24" } }],
  ["deno", { ...node, Deno: {} }],
  ["bun", { ...node, Bun: {} }],
  ["cloudflare-workers", { ...node, ...worker }],
  ["cloudflare-workers", worker],
  ["other", {}],
  ["other", { navigator: null, process: null }],
  ["other", { process: { versions: {} } }],
  ["other", { process: "node" }]
] as const)("the runtime is %s where the globals are %j", (runtime, globals) => {
  expect(currentRuntime(globals)).toBe(runtime)
})

it("is, here, Node.js", () => {
  expect(currentRuntime()).toBe("node")
})
