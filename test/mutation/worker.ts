import { it } from "vitest"

it.todo("is where the mutants are tried")
