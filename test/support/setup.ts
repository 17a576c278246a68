import { guardLog } from "./LogGuard.js"

guardLog()
