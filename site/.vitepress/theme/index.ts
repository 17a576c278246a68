import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client"
import type { Theme } from "vitepress"
// Without its fonts, which were two fifths of what the first page loads.
import DefaultTheme from "vitepress/theme-without-fonts"
import { showHovers } from "./hovers.js"
import "./style.css"

/** Shows the whole program that a sample is a part of, or the sample again. */
const unfold = ({ target }: Event): void => {
  if (!(target instanceof Element) || !target.matches("button.unfold")) return
  const isWhole = target.closest(".sample")?.classList.toggle("whole") ?? false
  target.setAttribute("aria-expanded", String(isWhole))
}

/** The reference stands far below the guides: brings the page's own entry into view. */
const showInSidebar = (): void => {
  const entry = document.querySelector(".VPSidebar .is-active > .item")
  const bottom = entry?.getBoundingClientRect().bottom ?? 0
  if (bottom < 0 || bottom > innerHeight) entry?.scrollIntoView({ block: "center" })
}

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app, router }) => {
    enhanceAppWithTabs(app)
    if (import.meta.env.SSR) return
    router.onAfterRouteChange = () => setTimeout(showInSidebar)
    window.addEventListener("click", unfold)
    showHovers()
  }
} satisfies Theme
