/**
 * How many steps a function makes, counted by V8 itself: each call of each function of the sources counts one. Unlike
 * milliseconds, they are the same on a busy machine. What a loop or a built-in function does is counted by the functions that it
 * calls; V8 counts blocks exactly only in functions that it has not compiled before.
 */
import { Session } from "node:inspector/promises"

/** The steps that a run makes in the modules of a folder of `src`. */
export const stepsOf = async (folder: string, run: () => unknown): Promise<number> => {
  const session = new Session()
  session.connect()
  try {
    await session.post("Profiler.enable")
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    run()
    const { result } = await session.post("Profiler.takePreciseCoverage")
    return result
      .filter(({ url }) => url.includes(`/src/${folder}/`))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  } finally {
    session.disconnect()
  }
}

/**
 * How many times more steps four times as much makes: four where each is one step, sixteen where each is compared with each.
 */
export const growthOf = async (
  folder: string,
  size: number,
  make: (size: number) => () => unknown
): Promise<number> => {
  const [small, large] = [make(size), make(4 * size)]
  // What is made once, such as a table, counts for neither.
  small()
  return (await stepsOf(folder, large)) / (await stepsOf(folder, small))
}
