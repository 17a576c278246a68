import type { ExecArgs } from "@medusajs/framework/types"
import { compare } from "../compare"

export default async function printDifferences({ container }: ExecArgs): Promise<void> {
  for (const line of await compare(container)) console.log(line)
}
