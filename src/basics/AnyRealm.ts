/**
 * Checks of what a value is, whatever realm its class belongs to. In a realm of its own, such as that of a Jest test,
 * Node's errors and bytes are not instances of the classes that the code there sees.
 */

const tagOf = (value: object): string => Object.prototype.toString.call(value)

export const isError = (value: unknown): value is Error =>
  typeof value === "object" &&
  value !== null &&
  (value instanceof Error || /^\[object (Error|DOMException)\]$/.test(tagOf(value)))

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (isError(error) ? error.message : String(error))

/** Whether a value is bytes: a `Uint8Array`, or Node's `Buffer`. */
export const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(value) && tagOf(value) === "[object Uint8Array]"

export const isAbortSignal = (value: unknown): value is AbortSignal =>
  typeof value === "object" &&
  value !== null &&
  "aborted" in value &&
  typeof value.aborted === "boolean" &&
  "addEventListener" in value &&
  typeof value.addEventListener === "function" &&
  "removeEventListener" in value &&
  typeof value.removeEventListener === "function"

export const isUrl = (value: unknown): value is URL =>
  typeof value === "object" && value !== null && tagOf(value) === "[object URL]"

export const isDate = (value: unknown): value is Date =>
  typeof value === "object" && value !== null && tagOf(value) === "[object Date]"

export const isResponse = (value: unknown): value is Response =>
  typeof value === "object" && value !== null && tagOf(value) === "[object Response]"

type ErrorName =
  | "GatewayError"
  | "NotificationError"
  | "LedgerError"
  | "LocalGatewayError"
  | "StatementError"
  | "GatewayErrorV4"
  | "NotificationErrorV4"

const brandOf = (name: ErrorName) => `~effect-gopay/${name}` as const

/**
 * Names the errors of a class. The name is set explicitly: Node prints the class's own name, which a minifier shortens.
 */
export const brandError = (constructor: { readonly prototype: object }, name: ErrorName): void => {
  Object.defineProperty(constructor, "name", { value: name })
  Object.defineProperty(constructor.prototype, "name", { value: name })
  Object.defineProperty(constructor.prototype, brandOf(name), { value: true })
}

/** Whether a value is an error with this name, from any entry or copy of this package. */
export const hasBrand = (value: unknown, name: ErrorName): boolean =>
  typeof value === "object" && value !== null && brandOf(name) in value

/**
 * `instanceof` for an error class: every error with its name is an instance. For a subclass, only its own instances
 * are.
 */
export const isInstance = (constructor: { readonly prototype: object }, value: unknown, name: ErrorName): boolean =>
  Object.hasOwn(constructor.prototype, brandOf(name))
    ? hasBrand(value, name)
    : Function.prototype[Symbol.hasInstance].call(constructor, value)
