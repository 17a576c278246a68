/**
 * The JavaScript runtime that the client runs on, for the few places where runtimes differ.
 */

export type Runtime = "node" | "bun" | "deno" | "cloudflare-workers" | "other"

/** Detects the runtime. Other runtimes also have a `process` with a version of Node.js, so that is checked last. */
export const currentRuntime = (globals: object = globalThis): Runtime => {
  if ("Deno" in globals) return "deno"
  if ("Bun" in globals) return "bun"
  if (member(member(globals, "navigator"), "userAgent") === "Cloudflare-Workers") return "cloudflare-workers"
  return typeof member(member(member(globals, "process"), "versions"), "node") === "string" ? "node" : "other"
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
