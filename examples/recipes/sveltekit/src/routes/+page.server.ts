import { randomUUID } from "node:crypto"

export const load = () => ({ number: randomUUID() })
