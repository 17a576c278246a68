/**
 * The style of the pay page and of its 404: light and dark, from a phone's width up.
 */

/** The colours of all pages. */
export const palette = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f2f3fa, #0f111a); --card: light-dark(#ffffff, #1a1d2c); --line: light-dark(#d5d9ea, #343a54);
  --ink: light-dark(#191d33, #eef0fb); --muted: light-dark(#555c77, #a9b0cb); --field: light-dark(#858ca8, #7b83a3);
  --accent: light-dark(#3f37c9, #aab1ff); --accent-ink: light-dark(#ffffff, #14162a); --accent-soft: light-dark(#ecebfd, #282c4a);
  --good: light-dark(#10683a, #84dba6); --good-soft: light-dark(#e5f6ec, #14301f);
  --bad: light-dark(#a8241d, #ffb4ab); --bad-soft: light-dark(#fdeceb, #3b1b1a);
  --warn: light-dark(#7a5200, #f1cf85); --warn-soft: light-dark(#fdf1d4, #33290f);
  --focus: light-dark(#0b57d0, #a8c7fa);
}
`

/** The style sheet. */
export const pageStyle = `${palette}
:root { --lab: light-dark(#fffaeb, #26210f); --lab-line: light-dark(#b98a0a, #a3842b); --lab-ink: light-dark(#5b4300, #f3dc9c); }
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
[data-page] { min-height: 100vh; display: flex; flex-direction: column; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, dl, dd, fieldset { margin: 0; padding: 0; }
fieldset { border: 0; min-width: 0; }
ul { list-style: none; }
bdi { unicode-bidi: isolate; }
.banner {
  position: sticky; top: 0; z-index: 2; display: flex; gap: .75rem; align-items: center; justify-content: center;
  padding: .5rem 1rem; background: #ffcf3f; color: #2e2300; font-size: .875rem; line-height: 1.35;
}
.banner strong { flex: none; padding: .1rem .5rem; border-radius: .3rem; background: #2e2300; color: #ffcf3f; letter-spacing: .08em; }
.banner .short { display: none; }
.framed .banner { padding-right: 4rem; }
.content { flex: 1; width: 100%; max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 1rem; }
.whole { flex-wrap: wrap; } .whole dd { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; }
.copied { white-space: nowrap; font-variant-numeric: tabular-nums; }
.copy { min-height: 2.25rem; padding: .25rem .75rem; } .copy[hidden] { display: none; }
.narrow { max-width: 34rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.card { padding: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); }
.stack > * + * { margin-top: 1rem; }
.shop { color: var(--muted); }
.shop bdi { color: var(--ink); font-weight: 600; }
h1 { font-size: clamp(1.25rem, 7vw, 2rem); overflow-wrap: break-word; line-height: 1.2; letter-spacing: -.02em; }
h2 { font-size: 1.125rem; }
h3, legend { padding: 0; font-size: .9375rem; font-weight: 600; }
.muted, small { color: var(--muted); font-size: .875rem; }
.facts > * { display: flex; justify-content: space-between; gap: 1rem; padding: .45rem 0; border-top: 1px solid var(--line); }
.facts > *:first-child { border-top: 0; }
.facts dt { flex: none; max-width: 45%; color: var(--muted); }
.facts dd, .facts a + span { text-align: right; }
.facts a { min-width: 5rem; color: var(--accent); }
.facts .price, .facts .total dd { flex: none; }
.facts .total { font-weight: 700; }
.facts .total dt { color: inherit; }
.order > * + * { margin-top: 1rem; }
.order > summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: 0; }
.order > summary::before { content: "▸"; } .order[open] > summary::before { content: "▾"; }
.brief { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.with-card { display: none; }
summary { padding: .5rem 0; cursor: pointer; font-weight: 600; }
.methods { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.75rem; padding: .5rem 1rem;
  border: 1px solid var(--field); border-radius: .65rem; background: var(--card); color: var(--ink); font: inherit;
  font-weight: 500; line-height: 1.3; text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { border-color: var(--accent); background: var(--accent-soft); }
button[aria-pressed="true"], .button[aria-current] {
  border-color: var(--accent); background: var(--accent-soft); box-shadow: inset 0 0 0 1px var(--accent);
}
.primary { width: 100%; min-height: 3.25rem; border-color: var(--accent); background: var(--accent); color: var(--accent-ink); font-size: 1.0625rem; font-weight: 600; }
.primary:hover { background: var(--accent); filter: brightness(1.12); }
.quiet { border-color: transparent; background: none; color: var(--muted); text-decoration: underline; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13.5rem, 100%), 1fr)); gap: .5rem; margin: .5rem 0 .25rem; }
.choices .button { width: 100%; flex-direction: column; gap: 0; font-variant-numeric: tabular-nums; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.wide { grid-column: 1 / -1; }
label { display: block; margin-bottom: .25rem; font-weight: 600; font-size: .9375rem; }
input {
  width: 100%; min-height: 2.9rem; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: .65rem;
  background: var(--card); color: inherit; font: inherit; font-size: 1.0625rem; font-variant-numeric: tabular-nums;
}
input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.error { color: var(--bad); font-size: .875rem; font-weight: 600; }
.notice { padding: .9rem 1rem; border-left: .3rem solid var(--bad); border-radius: .5rem; background: var(--bad-soft); }
.notice:focus { outline: none; }
.notice a { color: inherit; }
.notice h2 { color: var(--bad); }
.lab { padding: 1rem; border: 2px dashed var(--lab-line); border-radius: .9rem; background: var(--lab); color: var(--lab-ink); }
.lab .muted, .lab small, .lab legend { color: var(--lab-ink); }
.lab legend { float: left; width: 100%; font-size: 1rem; }
.lab legend + * { clear: both; }
.lab .group { margin-top: .75rem; }
.lab .group legend { float: none; font-size: .875rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
.group .buttons { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); }
.group button { justify-content: space-between; text-align: left; }
button small { flex: none; }
.codes { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center; }
.codes img { display: block; width: 13rem; max-width: 100%; height: auto; border-radius: .65rem; background: #fff; }
.codes figure { margin: 0; text-align: center; }
.outcome { text-align: center; }
.outcome .buttons { justify-content: center; }
.sign { display: grid; place-items: center; width: 4rem; height: 4rem; margin: 0 auto; border-radius: 50%; font-size: 2rem; line-height: 1; background: var(--accent-soft); color: var(--accent); }
.good { background: var(--good-soft); color: var(--good); }
.bad { background: var(--bad-soft); color: var(--bad); }
code { font-size: .875em; }
.foot { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; justify-content: center; padding: 1rem; color: var(--muted); font-size: .875rem; }
.foot a { color: inherit; padding: .5rem; }
.cancel { text-align: center; }
@media (forced-colors: active) {
  button[aria-pressed="true"], .button[aria-current] { outline: 3px solid Highlight; }
}
@media (max-width: 51.99rem) and (min-height: 24rem) {
  html { scroll-padding-bottom: 6rem; }
  [data-page]:has(.columns .primary) { padding-bottom: 4.75rem; }
  [data-page]:has(.columns .primary)::after {
    content: ""; position: fixed; inset: auto 0 0; z-index: 1; height: 4.75rem; border-top: 1px solid var(--line); background: var(--card);
  }
  .order { padding-block: .75rem; }
  .banner { font-size: .8125rem; gap: .5rem; padding-inline: .5rem; } .banner .full:has(+ .short) { display: none; } .banner .short { display: inline; }
  .methods button { flex: 1 1 100%; }
  .with-card:not(:has(span:empty)) { display: block; color: inherit; }
  .columns .primary { position: fixed; inset: auto .75rem .75rem; z-index: 2; flex-direction: column; gap: 0; width: auto; line-height: 1.2; margin: 0; padding-inline: .5rem; font-size: clamp(.9375rem, 4.6vw, 1.0625rem); white-space: nowrap; }
}
@media print {
  .lab, .cancel, .methods, .foot a, nav, button { display: none !important; }
  .banner { position: static; }
  [data-page]::after { display: none; }
  .order::details-content { display: block; content-visibility: visible; }
}
@media (min-width: 52rem) {
  .columns { grid-template: auto 1fr / minmax(16rem, 20rem) minmax(0, 1fr); align-items: start; }
  .columns > :nth-child(2) { grid-area: 1 / 2 / span 2; }
  .card { padding: 1.5rem; }
  .order::details-content { display: block; content-visibility: visible; }
  .order > summary { pointer-events: none; } .order > summary::before, .order .brief { display: none !important; }
}
`
