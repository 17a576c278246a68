import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client"
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme"
import "./style.css"

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => enhanceAppWithTabs(app)
} satisfies Theme
