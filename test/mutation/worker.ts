import { it } from "vitest"

it("is where the mutants are tried", () => {})
