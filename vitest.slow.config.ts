import { defineConfig } from "vitest/config"
import config, { slowTests } from "./vitest.config.js"

export default defineConfig({ ...config, test: { ...config.test, include: slowTests, exclude: [] } })
