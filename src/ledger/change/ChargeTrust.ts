/**
 * Whether a restored ledger may have forgotten that it has sent a charge before.
 */

/** What is known since a backup was restored. All times are milliseconds, by the database's clock. */
export interface ChargeTrust {
  /** When `distrust` was run. */
  readonly at: number
  /** When an operator last released the charges of the first payment. */
  readonly releasedAt: number | undefined
  /** When this ledger made the first payment. */
  readonly madeAt: number | undefined
}

/** A charge under a key of the shop's. */
export interface PlainCharge {
  readonly createdAt: number
  /** The beginning of the day that it is for. Nothing is charged before it. */
  readonly dayBegins: number | undefined
}

/**
 * What keeps a charge: `Waited` of one that was recorded before the restore, `Undated` of one that an operator has to release
 * with those of its first payment; nothing when it cannot have been made before.
 */
export const trustProblem = (
  { createdAt, dayBegins }: PlainCharge,
  trust: ChargeTrust | undefined
): "Waited" | "Undated" | undefined => {
  if (trust === undefined) return undefined
  const { at, madeAt, releasedAt } = trust
  if (createdAt <= at) return "Waited"
  const isNew = (dayBegins !== undefined && dayBegins > at) || (madeAt !== undefined && madeAt > at)
  return isNew || (releasedAt !== undefined && releasedAt > at) ? undefined : "Undated"
}
