/**
 * What the page uses of sql.js, SQLite as WebAssembly, which has no types of its own.
 */
declare module "sql.js" {
  export type SqlValue = number | string | Uint8Array | null

  export interface Statement {
    step(): boolean
    getAsObject(): Record<string, SqlValue>
    free(): boolean
  }

  export interface Database {
    exec(sql: string): unknown
    prepare(sql: string, values: Array<SqlValue>): Statement
    /** The whole file. It ends open transactions, and resets pragmas. */
    export(): Uint8Array
    close(): void
  }

  const initSqlJs: (options: { readonly locateFile: (file: string) => string }) => Promise<{
    readonly Database: new (file?: Uint8Array) => Database
  }>
  export default initSqlJs
}
