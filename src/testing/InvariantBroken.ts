/**
 * The error of a simulation.
 */

/**
 * An invariant of a shop does not hold, or a step of the simulation has failed. The message has the seed and the story,
 * `cause` the error.
 *
 * @category testing
 */
export class InvariantBroken extends Error {
  /** Always `InvariantBroken`. */
  readonly _tag = "InvariantBroken"
  /** The name of the error. */
  override readonly name = "InvariantBroken"
  /** The name of the invariant; `each step succeeds` when `checkout` or an action has failed. */
  readonly invariant: string
  /** The seed that reproduces it. */
  readonly seed: number
  /** What happened, in order: the shortest story found. */
  readonly story: ReadonlyArray<string>

  /** `simulateShop` creates it. */
  constructor(
    { invariant, seed, story }: Pick<InvariantBroken, "invariant" | "seed" | "story">,
    options?: { readonly cause?: unknown }
  ) {
    super(`"${invariant}" does not hold with seed ${seed}:\n${story.join("\n")}`, options)
    this.invariant = invariant
    this.seed = seed
    this.story = story
  }
}
