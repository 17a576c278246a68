/**
 * Conditions that partial indexes have. A statement that is to use one has the condition word for word: SQLite compares
 * them so.
 */

export const isUndecided = "status NOT IN ('done', 'refused', 'failed')"

/** A change that has come to nothing, or not to anything yet. */
export const isNotDone = "status <> 'done'"

export const hasDetails = "request IS NOT NULL"

/** When a payment ended, where it has. */
export const endedAt = "COALESCE(moved_at, created_at)"

/** A payment that ended without money. */
export const isUnpaid = "next_at IS NULL AND (status = 'lost' OR state IN ('CANCELED', 'TIMEOUTED'))"

/** A payment of which more is said than how it stands. */
export const hasWords = `next_at IS NULL AND (problem IS NOT NULL OR REPLACE(decisions, '"by":""', '') LIKE '%"by":%')`

/** An acknowledgement that says by whom it is, or why. */
export const isSigned = "(acknowledged_by <> '' OR note <> '')"

/** The status of a row of changes that is decided: those are counted by tallies. */
export const isDecidedStatus = (row: string): string => `${row}.status IN ('done', 'refused', 'failed')`

/** The status of a row of payments that is counted by tallies. */
export const isSettledStatus = (row: string): string => `${row}.status IN ('created', 'lost')`

/** A payment without an id. */
export const isNotCreated = "status <> 'created'"

/** A payment whose status is counted by no tally. */
export const isUnsettled = `status IN ('creating', 'inDoubt', 'unknown') AND ${isNotCreated}`
