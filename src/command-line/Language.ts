/**
 * The language in which a command speaks to its reader.
 */

const languages = ["en", "cs"] as const

export type Language = (typeof languages)[number]

/** A text in every language. */
export type Text = { readonly [In in Language]: string }

export const isLanguage = (text: string | undefined): text is Language => languages.some((one) => one === text)

/**
 * The language of `--lang` among a command's arguments, else that of the environment. It is found before they are
 * parsed, since wrong usage is explained in it, too.
 */
export const languageOf = (args: ReadonlyArray<string>): Language => {
  const given = args.flatMap((arg, index) =>
    arg === "--lang" ? (args[index + 1] ?? "") : arg.startsWith("--lang=") ? arg.slice("--lang=".length) : []
  )[0]
  if (isLanguage(given)) return given
  return /^cs/i.test(process.env["LC_ALL"] || process.env["LANG"] || "") ? "cs" : "en"
}
