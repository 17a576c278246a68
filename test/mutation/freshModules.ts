/**
 * Each file of tests loads our modules anew, with the mutants in what they do as they are loaded.
 */
import { vi } from "vitest"

vi.resetModules()
