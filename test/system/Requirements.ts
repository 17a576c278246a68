/**
 * What the system tests need beside Node.js, and where it is.
 */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Debian's Chromium. */
export const chromium = "/usr/bin/chromium"

export const redisServer = "/usr/bin/redis-server"

const postgres = "/usr/lib/postgresql"

/** The programs of Debian's PostgreSQL, of whatever version. */
export const postgresFolder = (): string => join(postgres, readdirSync(postgres).at(-1) ?? "", "bin")

const requirements = [
  { path: chromium, debianPackage: "chromium" },
  { path: redisServer, debianPackage: "redis-server" },
  { path: postgres, debianPackage: "postgresql" },
  { path: "/usr/bin/curl", debianPackage: "curl" },
  { path: "/usr/bin/php", debianPackage: "php-cli" },
  { path: "/usr/bin/python3", debianPackage: "python3" }
]

/** Fails before the first test, and says what to install. */
export default function checkRequirements(): void {
  const missing = requirements.filter(({ path }) => !existsSync(path))
  if (missing.length === 0) return
  const paths = missing.map(({ path }) => path).join(" and ")
  const packages = missing.map(({ debianPackage }) => debianPackage).join(" ")
  throw new Error(`The system tests need ${paths}. On Debian: apt-get install ${packages}`)
}
