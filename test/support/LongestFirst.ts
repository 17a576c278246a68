import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What takes a minute or more, so that none of it is left alone at the end. */
const longest = ["system/Ledger", "system/Dashboard", "system/LedgerSurvival", "system/Try", "ledger/Crash"]

const isLong = ({ moduleId }: TestSpecification): boolean =>
  longest.some((name) => moduleId.endsWith(`/${name}.test.ts`))

/** Otherwise the order is Vitest's. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
