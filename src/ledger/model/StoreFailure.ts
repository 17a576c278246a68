/**
 * A failure that a store explains itself.
 */

/** What failed and what to do about it. The driver's own error is the `cause`. */
export class StoreFailure extends Error {
  /** A stable name. */
  override readonly name: string = "StoreFailure"
}

/**
 * The database has rolled a transaction back, although what ran in it did not fail: one of its statements had failed,
 * and the failure was caught.
 */
export class TransactionLost extends StoreFailure {
  /** A stable name. */
  override readonly name: string = "TransactionLost"

  /** Keeps the driver's error. */
  constructor(cause?: unknown) {
    super(
      "Nothing of this transaction is written: one of its statements failed, and the failure was caught. Avoid the failure (ON CONFLICT DO NOTHING), or run the statement in a SAVEPOINT of its own.",
      { cause }
    )
  }
}
