/**
 * The style of the reference.
 */
export const referenceStyle = `
:root { color-scheme: light dark; --ground: #fff; --text: #1a1f36; --faint: #545b6b; --line: #d9dde5; --field: #f5f6f9; --link: #1a56a8; --get: #1a56a8; --post: #17663f; --delete: #a3231b; --mark: #7a4b00; --focus: #b25e00; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171f; --text: #e8eaf0; --faint: #a9b0c0; --line: #343a48; --field: #1d212c; --link: #8ab8ff; --get: #8ab8ff; --post: #7fd6a5; --delete: #ffa39b; --mark: #f0c070; --focus: #ffcf3f; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
code, pre { font: .9em/1.5 ui-monospace, "SF Mono", Consolas, monospace; }
code { overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--ground); z-index: 1; }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.columns { display: grid; grid-template-columns: 18.5rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
.side { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem 1.25rem; border-right: 1px solid var(--line); font-size: .9rem; }
.side h2 { margin: 1rem 0 .25rem; font-size: .8rem; color: var(--faint); }
.side ul { margin: 0; padding: 0; list-style: none; }
.side a { display: block; padding: .15rem 0; text-decoration: none; }
.side summary { margin-top: 1rem; font-weight: 600; }
main { min-width: 0; overflow-wrap: anywhere; padding: 1rem 1.75rem 4rem; }
main:focus { outline: none; }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { font-size: 1.3rem; }
h3 { margin: 0 0 .5rem; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: .95rem; }
p { margin: .5rem 0; max-width: 46rem; }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }
.group > h2 { margin-top: 2.5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
.operation, .schema { margin: 2rem 0 3rem; }
.schema { margin: 1.5rem 0 2rem; }
.address { font-size: 1.05rem; }
.method { font: 700 .75rem/1.5 ui-monospace, Consolas, monospace; }
.side .method { display: inline-block; width: 3.2rem; font-size: .7rem; }
.GET { color: var(--get); } .POST, .PUT, .PATCH { color: var(--post); } .DELETE { color: var(--delete); }
.members { margin: 0; }
.members dt { margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.members dd { margin: .1rem 0 0; max-width: 46rem; color: var(--text); }
.members dd p { margin: .15rem 0; }
.members ul { margin: .25rem 0; padding-left: 1.25rem; }
.type, .limits { color: var(--faint); font-size: .9rem; }
.required { font-size: .8rem; color: var(--delete); }
.evidence { padding: 0 .35rem; border: 1px solid currentColor; border-radius: .25rem; font-size: .75rem; font-weight: 400; color: var(--mark); }
summary { cursor: pointer; padding: .25rem 0; }
pre { margin: .25rem 0 .75rem; padding: .75rem; overflow-x: auto; background: var(--field); border-radius: .4rem; }
pre code { overflow-wrap: normal; font-size: 1em; }
@media (max-width: 56rem) {
  .columns { display: block; }
  .side { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem 1rem 3rem; }
}
@media print { .side, .skip { display: none; } .columns { display: block; } }
`
