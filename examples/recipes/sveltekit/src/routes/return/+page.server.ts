import { returned } from "../../lib/server/gopay.js"

export const load = async ({ url }: { url: URL }) => ({ text: await returned(url.href) })
