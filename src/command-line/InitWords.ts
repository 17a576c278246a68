/**
 * What `effect-gopay init` says.
 */
import { documents } from "../package/Documents.js"
import { type Choice, didYouMean } from "./Choice.js"

export const initWords = (t: Choice) => ({
  noRecipe: t("The recipe is missing", "Chybí recept"),
  unknownRecipe: (recipe: string, meant: string | undefined): string =>
    `${t("There is no recipe", "Neexistuje recept")} ${recipe}${didYouMean(t, meant)}`,
  noManifest: (why: string): string => t(`package.json cannot be read: ${why}`, `package.json nelze přečíst: ${why}`),
  needsNode: (name: string, recipe: string, wanted: string, own: string): string =>
    t(
      `${name}, which the recipe ${recipe} uses, needs Node.js ${wanted} or newer, and this is ${own}.\nNothing was written.`,
      `${name}, který recept ${recipe} používá, potřebuje Node.js ${wanted} nebo novější, a tento je ${own}.\nNic se nezapsalo.`
    ),
  written: t("written ", "zapsáno  "),
  added: t("added to", "doplněno "),
  yours: t("yours    ", "vaše     "),
  recipeHas: t("; the recipe has:", "; recept má:"),
  notWritten: (path: string): string =>
    t(`; the recipe's ${path}was not written`, `; soubor ${path}z receptu se nezapsal`),
  itHas: t("it has:", "má:"),
  testsRunBy: t(
    "Your package.json keeps its own scripts. This runs the recipe's tests:",
    "package.json si nechává vlastní skripty. Testy receptu spustí:"
  ),
  overwrite: t("To overwrite what is yours:", "Přepsat vaše soubory:"),
  libsql: (version: string): string =>
    t(
      `libsql is for the recipe's SQLite file and its tests: Node.js ${version} has no SQLite of its own.`,
      `libsql je pro soubor SQLite receptu a jeho testy: Node.js ${version} nemá vlastní SQLite.`
    ),
  otherClient: (name: string, page: string): string =>
    t(
      `The recipe's ledger is in a SQLite file. For one over ${name}: ${documents}/${page}`,
      `Ledger receptu je v souboru SQLite. Nad ${name}: ${documents}/${page}`
    ),
  next: t("Next:", "Dále:"),
  commonJs: t("and name your own CommonJS files .cjs", "a své soubory CommonJS pojmenujte .cjs")
})
