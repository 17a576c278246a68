/**
 * The page for accountants: its options and types.
 */
import type { StatementReconciliation } from "../../statement/StatementReconciliation.js"
/** The part of a request that the page checks. A web `Request` has it. */
export interface AdminRequest {
  /** The HTTP method. */
  readonly method: string
  /** The address, with its query. */
  readonly url: string
  /** The headers. */
  readonly headers: { get(name: string): string | null }
  /** Reads the body. */
  text(): Promise<string>
  /** Reads the body as bytes, for an uploaded statement. */
  arrayBuffer?(): Promise<ArrayBuffer>
}

/**
 * The decision of `authorize`:
 * - a name, from your sign-in: it is this operator, whose name decisions bear;
 * - `true`: it is a viewer, who decides nothing;
 * - `false`, `undefined`: refused with 403;
 * - a `Response`: the response, such as a redirect to a login.
 */
export type AdminAuthorization = string | boolean | undefined | Response

/** Options of the page for accountants. */
export interface AdminOptions<
  out Authorized = AdminAuthorization | PromiseLike<AdminAuthorization>,
  out Reconciled = StatementReconciliation | PromiseLike<StatementReconciliation>
> {
  /** Decides who may see the page, and who may decide there. It is called first, for each request. */
  readonly authorize: (request: AdminRequest) => Authorized
  /**
   * Fetches a month's statement and compares it with the books, for the page to show: `getAccountStatement`,
   * `parseStatement`, `reconcileStatement`. It receives the first and the last day of the month, `yyyy-mm-dd`, as
   * `date_from` and `date_to` of `getAccountStatement`. What it fails with is shown. Default: the page has no
   * statements.
   */
  readonly reconcileMonth?: ((period: { readonly from: string; readonly to: string }) => Reconciled) | undefined
  /**
   * Compares an uploaded statement with the books: `parseStatement`, `reconcileStatement`. What it fails with is shown.
   * The file is not stored. Default: the page takes no files. Fastify needs a parser that leaves `multipart/form-data`
   * as bytes.
   */
  readonly reconcileFile?: ((file: Uint8Array) => Reconciled) | undefined
  /** The time zone of the times on the page, such as `Europe/Bratislava`. Default: `Europe/Prague`. */
  readonly timeZone?: string | undefined
}
