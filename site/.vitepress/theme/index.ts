import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme"
import { showHovers } from "./hovers.js"
import "./style.css"

/** Shows the whole program that a sample is a part of, or the sample again. */
const unfold = ({ target }: Event): void => {
  if (!(target instanceof Element) || !target.matches("button.unfold")) return
  const isWhole = target.closest(".sample")?.classList.toggle("whole") ?? false
  target.setAttribute("aria-expanded", String(isWhole))
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    enhanceAppWithTabs(app)
    if (import.meta.env.SSR) return
    window.addEventListener("click", unfold)
    showHovers()
  }
} satisfies Theme
