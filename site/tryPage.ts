/**
 * Writes `/try`: a page in English and one in Czech, and the scripts of its workers.
 */
import { build } from "esbuild"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Html, html } from "../src/html/Html.js"
import { sequenceStyle } from "../src/html/SequenceDiagram.js"
import { chapters, type Language, pageWords } from "./try/Texts.js"

const sources = fileURLToPath(new URL("try", import.meta.url))

/** A page. `root` leads to the folder of `/try`, and `site` to that of the site. */
const page = (language: Language, root: string, site: string): Html => {
  const words = pageWords[language]
  const [first] = chapters
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${words.lead}" />
        <title>${words.title} | effect-gopay</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${root}style.css" />
        ${new Html(`<style>${sequenceStyle}</style>`)}
        <script type="module" src="${root}page.js"></script>
      </head>
      <body data-site="${site}">
        <header>
          <a href="${site}${language === "cs" ? "cs/" : ""}">effect-gopay</a>
          <a
            href="${root}${language === "cs" ? "" : "cs/"}"
            lang="${language === "cs" ? "en" : "cs"}"
            hreflang="${language === "cs" ? "en" : "cs"}"
            >${words.other}</a
          >
        </header>
        <main>
          <h1>${words.title}</h1>
          <p class="quiet">${words.lead}</p>
          <noscript><p>${words.noScript}</p></noscript>
          <section id="missing" hidden>
            <p role="alert">${words.missing}</p>
            <img src="${site}images/pay-page-steps.webp" alt="${words.strip}" loading="lazy" />
          </section>
          <div id="app">
            <nav aria-label="${words.chapters}">
              <ul>
                ${chapters.map(({ id, words }) => html`<li id="${id}"><a href="#${id}">${words[language].title}</a></li>`)}
              </ul>
            </nav>
            <h2 id="chapter">${first?.words[language].title}</h2>
            <p id="intro"></p>
            <p id="status" role="status">${words.starting}</p>
            <div class="panes">
              <section class="pane" aria-labelledby="code-title">
                <h2 id="code-title">${words.code}</h2>
                <div class="editor">
                  <pre id="colours" aria-hidden="true"></pre>
                  <textarea
                    id="code"
                    aria-labelledby="code-title"
                    aria-describedby="given"
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                  ></textarea>
                </div>
                <p id="given" class="quiet">${words.given}</p>
                <div class="buttons">
                  <button id="run" type="button" disabled>${words.run}</button>
                  <button id="stop" type="button" disabled>${words.stop}</button>
                  <button id="again" type="button" disabled>${words.again}</button>
                  <button id="link" type="button" disabled>${words.link}</button>
                </div>
                <h2 id="output-title">${words.output}</h2>
                <pre id="output" role="log" aria-labelledby="output-title" tabindex="0"></pre>
              </section>
              <section class="pane" aria-labelledby="payer-title">
                <h2 id="payer-title">${words.payer}</h2>
                <p id="no-payer" class="quiet">${words.noPayer}</p>
                <iframe id="payer" title="${words.payer}" hidden></iframe>
              </section>
              <section class="pane" aria-labelledby="log-title">
                <h2 id="log-title">${words.log}</h2>
                <p id="nothing" class="quiet">${words.noLog}</p>
                <ol id="log" aria-labelledby="log-title" tabindex="0"></ol>
              </section>
            </div>
            <section id="seen" aria-labelledby="seen-title" aria-live="polite" hidden>
              <h2 id="seen-title">${words.seen}</h2>
              <p id="seen-text"></p>
              <div id="picture"></div>
              <p><a id="next" class="next" href="${site}"></a> <a id="guide" href="${site}"></a></p>
            </section>
          </div>
        </main>
      </body>
    </html> `
}

/** Writes the pages and the scripts into a folder, which becomes `/try` of the site. */
export const writeTry = async (folder: string): Promise<void> => {
  mkdirSync(join(folder, "cs"), { recursive: true })
  writeFileSync(join(folder, "index.html"), page("en", "./", "../").text)
  writeFileSync(join(folder, "cs/index.html"), page("cs", "../", "../../").text)
  copyFileSync(fileURLToPath(import.meta.resolve("sql.js/dist/sql-wasm.wasm")), join(folder, "sql-wasm.wasm"))
  await build({
    bundle: true,
    charset: "utf8",
    conditions: ["browser"],
    // The site is not a shop in production, so the gateway need not warn.
    define: { "process.env.NODE_ENV": '"development"' },
    entryPoints: ["page.ts", "gatewayWorker.ts", "shopWorker.ts", "shopLedger.ts", "serviceWorker.ts", "style.css"].map(
      (name) => join(sources, name)
    ),
    format: "esm",
    logOverride: { "ignored-bare-import": "silent" },
    minify: true,
    outdir: folder,
    platform: "browser",
    target: "es2022"
  })
}
