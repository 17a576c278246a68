/**
 * The colours of the code in the page: each part of it by what it is.
 */

/** In this order, since what stands in a text or a comment is no code. */
const kinds = {
  comment: /\/\/.*|\/\*[^]*?\*\//,
  text: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/,
  word: /\b(?:async|await|break|catch|class|const|continue|else|export|finally|for|from|function|if|import|in|let|new|of|return|throw|try|typeof|while)\b/,
  number: /\b\d[\d_.]*\b|\b(?:true|false|null|undefined)\b/,
  call: /\b[A-Za-z_$][\w$]*(?=\()/
}

const parts = new RegExp(
  Object.entries(kinds)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join("|"),
  "g"
)

/** The code as text and spans, whose class says what they are. */
export const coloured = (code: string): ReadonlyArray<Node> => {
  const nodes: Array<Node> = []
  let end = 0
  for (const match of code.matchAll(parts)) {
    const [kind = ""] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? []
    const span = document.createElement("span")
    span.className = kind
    span.textContent = match[0]
    nodes.push(document.createTextNode(code.slice(end, match.index)), span)
    end = match.index + match[0].length
  }
  // An empty last line has a height as well.
  return [...nodes, document.createTextNode(`${code.slice(end)}\n`)]
}
