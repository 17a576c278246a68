import { returned } from "../utils/gopay"

export default defineEventHandler((event) => returned(event.path))
