/**
 * Mutants that no test needs to notice, and why. Each is known by its line and the change, so that edits elsewhere do not
 * matter: `npm run mutate` prints both.
 */
export interface Harmless {
  readonly file: string
  readonly line: string
  readonly changes: ReadonlyArray<string>
  readonly why: string
}

export const harmless: ReadonlyArray<Harmless> = []
