/**
 * Problems and notes of statements in the language of the page. English names the options of the command line.
 */
import type { StatementErrorReason, StatementNote } from "../statement/index.js"
import { englishNote, englishProblem, type OptionWords } from "../statement/EnglishProblems.js"
import type { NoteFacts, UnwordedNote } from "../statement/ParsedStatement.js"
import { type StatementProblem, wordedBy } from "../statement/StatementProblem.js"
import { czechNotes, czechProblems } from "./StatementCzech.js"
import type { Language } from "./Language.js"

const commandOptions: OptionWords = {
  option: (name) => `--${name}`,
  given: (name, value) => `--${name} ${value}`,
  pass: (name) => `use --${name}`,
  anotherCsv: "Describe the columns of another CSV: --columns date=Datum,type=Typ,amount=Částka.",
  // The command has no option for these.
  raiseLimit: "",
  describeType: ""
}

/** What is wrong in particular, behind what the failure is called. Empty where that says all. */
export const detailText = (reason: StatementErrorReason, language: Language): string => {
  if (!("problem" in reason)) return ""
  const line = "line" in reason ? reason.line : 1
  return language === "cs"
    ? wordedBy<StatementProblem["_tag"], []>(czechProblems, reason.problem, line)
    : englishProblem(reason.problem, line, commandOptions)
}

const czechNote = <Tag extends keyof NoteFacts>(note: UnwordedNote<Tag>): string => czechNotes[note._tag](note)

export const noteText = (note: StatementNote, language: Language): string =>
  language === "cs" ? czechNote(note) : englishNote(note, commandOptions)
