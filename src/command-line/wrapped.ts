/** A text in lines of at most 80 columns, indented by so many blanks; a longer word stands alone in its line. */
export const wrapped = (text: string, indent = 0): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > 80) lines.push(" ".repeat(indent) + word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
