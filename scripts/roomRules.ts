/**
 * The linter's rules that keep imports between rooms going one way.
 */
import { posix } from "node:path"
import { rooms, type Room } from "./rooms.js"

/** A block of the linter's configuration. A later block replaces the rules of an earlier one, so each is complete. */
interface Override {
  readonly files: ReadonlyArray<string>
  readonly rules: Readonly<Record<"no-restricted-imports", unknown>>
}

const isModule = (path: string): boolean => path.endsWith(".ts")

const folderOf = (path: string): string => (isModule(path) ? posix.dirname(path) : path)

/** The pattern of the imports, from a folder, of a room's modules. */
const modulesOf = (room: string, folder: string, ending: string): string => {
  const pattern = posix.relative(folder, isModule(room) ? room.replace(/\.ts$/, ".js") : `${room}/*${ending}`)
  return pattern.startsWith(".") ? pattern : `./${pattern}`
}

const block = (files: ReadonlyArray<string>, allowed: ReadonlyArray<string>, message: string): Override => ({
  files,
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: [{ group: ["**", ...allowed.map((pattern) => `!${pattern}`)], message }] }
    ]
  }
})

const rule = (files: ReadonlyArray<string>, { packages, path, rooms: others }: Room): Override => {
  const allowed = isModule(path) ? others : [path, ...others]
  return block(
    files,
    [...allowed.map((room) => modulesOf(room, folderOf(path), ".js")), ...packages],
    `${path} may import only ${[...allowed, ...packages].join(", ")} (order of rooms: scripts/rooms.ts).`
  )
}

const plainRule = ({ path, rooms: others }: Room): Override =>
  block(
    [`${path}/*.plain.ts`],
    [path, ...others].map((room) => modulesOf(room, path, ".plain.js")),
    `A .plain module may import only .plain modules of ${[path, ...others].join(", ")}, and no package: it is in the declarations of the entries for promises.`
  )

const roomRule = (room: Room): ReadonlyArray<Override> =>
  isModule(room.path)
    ? [rule([room.path], room)]
    : [rule([`${room.path}/*.ts`, `${room.path}/*.js`], room), plainRule(room)]

/** The text of `.oxlintrc.rooms.json`, which `.oxlintrc.json` extends. */
export const roomRules = (): string => {
  const overrides = rooms.flatMap(roomRule)
  return `{\n  "overrides": [\n${overrides.map((override) => `    ${JSON.stringify(override)}`).join(",\n")}\n  ]\n}\n`
}
