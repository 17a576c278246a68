/** The changelog with its unreleased section turned into that of a version, with a date (`yyyy-mm-dd`). */
export const releaseChangelog = (changelog: string, version: string, day: string): string => {
  const section = /^## (\[Unreleased\]|\[\S+\] - unreleased)\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog)
  if (section === null) throw new Error("CHANGELOG.md has no section that is unreleased.")
  const [text, , changes = ""] = section
  if (changes.trim() === "") throw new Error("CHANGELOG.md has no changes to release.")
  return changelog.replace(text, () => `## [${version}] - ${day}\n${changes}`)
}
