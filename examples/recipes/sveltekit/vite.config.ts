import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
import { gopay } from "effect-gopay/local-gateway/vite"
import { defineConfig } from "vite"

export default defineConfig({
  // In development, with a local gateway at /gopay.
  plugins: [sveltekit({ adapter: adapter() }), gopay({ dataFile: "gateway.json" })]
})
