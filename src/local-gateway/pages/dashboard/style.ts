/**
 * The style of the dashboard beside the palette of all pages: light and dark, from a phone's width up.
 */

import { sequenceStyle } from "../../../html/SequenceDiagram.js"

export const dashboardStyle: string = `${sequenceStyle}:root {
  --raised: light-dark(#f8f9fd, #1e2232); --none: light-dark(#555d76, #aeb5cd); --none-soft: light-dark(#eceef5, #262b3c);
  --info: light-dark(#1f4fa3, #a5c5ff); --info-soft: light-dark(#e5eefd, #172845);
  --hold: light-dark(#6a2c91, #dfb4f7); --hold-soft: light-dark(#f4e8fb, #311a40);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body {
  margin: 0; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: .875rem/1.45 system-ui, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums;
}
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1rem; letter-spacing: -.01em; }
h2 { font-size: 1.0625rem; letter-spacing: -.01em; }
h3 { font-size: .875rem; margin: 1.25rem 0 .5rem; }
.block { font-size: .75rem; color: var(--muted); font-weight: 600; margin-top: .5rem; }
a { color: var(--accent); text-underline-offset: .15em; }
code, pre, .id, .path { font-family: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; font-size: .8125rem; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.quiet { color: var(--muted); }
.number, .amount { white-space: nowrap; }
.problem { color: var(--bad); font-weight: 600; }
.hint { padding: 3rem 1rem; text-align: center; }

.banner { padding: .4rem 1rem; background: #ffcf3f; color: #2e2300; text-align: center; font-weight: 600; }
.skip { position: fixed; left: .5rem; top: -4rem; z-index: 4; padding: .5rem .8rem; border-radius: .45rem; background: var(--card); }
.skip:focus { top: .5rem; }
#head { display: flex; flex: none; gap: .9rem; align-items: center; height: 3rem; padding: 0 1rem; background: var(--card); border-bottom: 1px solid var(--line); white-space: nowrap; }
#head h1, #url, #ahead { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
#url { flex: 0 100 auto; color: var(--muted); }
#time { min-width: 0; display: flex; gap: .5rem; align-items: center; margin-left: auto; }
.menu-button::after { content: "▾"; color: var(--muted); }
.menu { position: fixed; inset: auto; position-area: bottom span-right; position-try-fallbacks: flip-inline; margin: .4rem 0; width: 30rem; max-width: calc(100vw - 1.5rem); max-height: calc(100% - .8rem); padding: .75rem; overflow: auto; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); color: var(--ink); box-shadow: 0 .5rem 1.5rem #0003; white-space: normal; }
#status { display: inline-flex; align-items: center; gap: .4rem; color: var(--muted); }
#status[data-status="not responding"] { color: var(--bad); font-weight: 600; }
.line { flex: none; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; padding: .35rem 1rem; background: var(--accent-soft); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.line > span, .exchange > div { min-width: 0; }
.line.bad { background: var(--bad-soft); color: var(--bad); }
.line.bad button { color: inherit; }
.line.lost { background: var(--bad-soft); color: var(--bad); font-weight: 600; border-bottom-color: currentColor; }
#app { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.stack, .menu:popover-open, #gateway, #faults, #keys { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; align-content: start; }
#no-payments .panel { margin-top: 1rem; width: 100%; }
main.stale { opacity: .6; }
nav { flex: none; display: flex; align-items: center; gap: .5rem; padding-right: .75rem; background: var(--card); border-bottom: 1px solid var(--line); }
nav > .button { flex: none; min-height: 1.75rem; padding: .1rem .6rem; white-space: nowrap; }
nav > div {
  flex: 1; min-width: 0; display: flex; overflow-x: auto; padding: 0 .5rem;
  /* A shadow where there is more to scroll to. */
  background: linear-gradient(90deg, var(--card) .75rem, transparent) 0 0 / 2rem 100% no-repeat local,
    linear-gradient(270deg, var(--card) .75rem, transparent) 100% 0 / 2rem 100% no-repeat local,
    linear-gradient(90deg, #0004, transparent) 0 0 / .75rem 100% no-repeat,
    linear-gradient(270deg, #0004, transparent) 100% 0 / .75rem 100% no-repeat;
}
nav div a { padding: .55rem .7rem; color: var(--muted); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; }
nav div a:hover { color: var(--ink); }
nav div a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.count { color: var(--muted); font-weight: 400; font-size: .8125rem; }
.count.bad { padding: .05rem .4rem; border-radius: 1rem; background: var(--bad-soft); color: var(--bad); font-weight: 600; }
main:focus { outline: 0; }
main { flex: 1; min-height: 0; display: flex; }
main > * { flex: 1; min-width: 0; overflow: auto; padding: 1rem; }
#toast { position: fixed; right: 1rem; bottom: 1rem; z-index: 3; display: flex; gap: .75rem; align-items: start; max-width: min(30rem, calc(100vw - 2rem)); padding: .6rem .9rem; border-radius: .6rem; background: var(--ink); color: var(--card); box-shadow: 0 .25rem 1rem #0004; }
#toast:has(#said:empty) { padding: 0; box-shadow: none; }
#toast button { flex: none; color: var(--ink); background: var(--card); }

button, .button, select, input, textarea {
  min-height: 2rem; padding: .25rem .6rem; border: 1px solid var(--field); border-radius: .45rem; background: var(--card); color: inherit; font: inherit;
}
button, .button { display: inline-flex; align-items: center; gap: .4rem; cursor: pointer; font-weight: 500; text-decoration: none; border-color: var(--line); background: var(--raised); }
button:hover, .button:hover, .pill:hover { border-color: var(--accent); }
button:disabled, button[aria-disabled], form[aria-busy] button:not([type]) { opacity: .55; cursor: default; }
textarea { width: 100%; font: .8125rem/1.45 ui-monospace, Consolas, monospace; resize: vertical; }
button.primary, .button.primary { background: var(--accent); color: var(--accent-ink); border-color: var(--accent); }
button.danger { color: var(--bad); border-color: currentColor; background: none; }
button.small { min-height: 1.65rem; padding: .1rem .5rem; font-size: .8125rem; }
select { max-width: 100%; }
input[aria-invalid="true"] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input[type="file"] { border: 0; padding: 0; background: none; max-width: 100%; }
::file-selector-button { min-height: 2rem; margin-right: .6rem; padding: .25rem .6rem; border: 1px solid var(--line); border-radius: .45rem; background: var(--raised); color: inherit; font: inherit; font-weight: 500; cursor: pointer; }
.stack > button { justify-self: start; }
.group > * { min-width: 0; max-width: 100%; }
.group { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
.group:has(> .field) { align-items: end; }
.tag:empty, .count:empty, .back { display: none; }
.tag { padding: .05rem .45rem; border-radius: 1rem; background: var(--warn-soft); color: var(--warn); font-size: .75rem; font-weight: 600; white-space: nowrap; }

.chip, .status { display: inline-block; padding: .05rem .45rem; border-radius: .35rem; background: var(--chip-soft, var(--none-soft)); color: var(--chip, var(--none)); font-size: .75rem; font-weight: 600; white-space: nowrap; }
[data-state="CREATED"], [data-state="PAYMENT_METHOD_CHOSEN"], [data-state="REQUESTED"], [data-state="ACCEPTED"], [data-state="PENDING"] { --chip: var(--info); --chip-soft: var(--info-soft); }
[data-state="PAID"], [data-state="STARTED"], [data-state="FINISHED"], [data-state="SUCCESS"], [data-state="CAPTURED"], .status[data-class="2"] { --chip: var(--good); --chip-soft: var(--good-soft); }
[data-state="AUTHORIZED"] { --chip: var(--hold); --chip-soft: var(--hold-soft); }
[data-state="CANCELED"], [data-state="FAILED"] { --chip: var(--bad); --chip-soft: var(--bad-soft); }
[data-state="PARTIALLY_REFUNDED"], [data-state="REFUNDED"], .status[data-class="3"], .status[data-class="4"] { --chip: var(--warn); --chip-soft: var(--warn-soft); }
.status { min-width: 2.4rem; text-align: center; --chip: var(--bad); --chip-soft: var(--bad-soft); }

#payments { display: grid; grid-template-columns: minmax(20rem, 26rem) minmax(0, 1fr); padding: 0; overflow: hidden; }
#payment-side { overflow: auto; border-right: 1px solid var(--line); background: var(--card); }
.filter { position: sticky; top: 0; z-index: 1; padding: .75rem; background: var(--card); border-bottom: 1px solid var(--line); }
.filter .toolbar > * { flex: 1 1 100%; min-width: 0; }
.pills { display: flex; flex-wrap: wrap; gap: .3rem; align-items: center; }
.pill { position: relative; display: inline-flex; gap: .3rem; align-items: center; min-height: 1.6rem; padding: .05rem .5rem; border: 1px solid var(--field); border-radius: 1rem; font-size: .75rem; font-weight: 500; background: none; color: var(--muted); cursor: pointer; }
.pill:has(:checked) { border-color: currentColor; background: var(--chip-soft, var(--accent-soft)); color: var(--chip, var(--accent)); box-shadow: inset 0 0 0 1px currentColor; }
.pill:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 2px; }
.pill input { position: absolute; inset: 0; min-height: 0; margin: 0; opacity: 0; cursor: pointer; }
.pill :checked ~ .count { color: inherit; }
.summary { font-size: .8125rem; }
#payments.empty { grid-template-columns: minmax(0, 1fr); }
#payments.empty #payment-side { border: 0; }
#payments.empty:not(.opened) #payment-detail { display: none; }
#no-payments { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; display: grid; gap: .75rem; justify-items: start; overflow-wrap: anywhere; }
.list > button { margin: .75rem; }
.payment { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .1rem .75rem; align-items: center; padding: .5rem .75rem; color: inherit; text-decoration: none; border-bottom: 1px solid var(--line); border-left: 3px solid transparent; }
.payment:hover { background: var(--raised); }
nav div a:focus-visible, .payment:focus-visible { outline-offset: -2px; }
.payment[aria-current] { background: var(--accent-soft); border-left-color: var(--accent); }
.payment .order { grid-column: 1 / 3; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.payment .amount { font-weight: 600; text-align: right; }
.payment .under { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .1rem .5rem; align-items: center; font-size: .8125rem; }
.payment .under time { margin-left: auto; }
#payment-detail { overflow: auto; padding: 1rem 1.25rem 2rem; }
#payment-detail > * { max-width: 64rem; }
.title { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; }
.title > div { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; min-width: 0; }
.title h2 { font-size: 1.375rem; overflow-wrap: anywhere; }
.big { font-size: 1.375rem; font-weight: 650; white-space: nowrap; }
.links { display: flex; flex-wrap: wrap; gap: 1rem; margin: .25rem 0 .75rem; }
.actions { margin-bottom: .75rem; }
.contradictions { margin-bottom: .75rem; padding: .6rem .9rem; border-left: .25rem solid var(--warn); border-radius: .5rem; background: var(--warn-soft); color: var(--warn); overflow-wrap: anywhere; }
.actions select { flex: 0 1 auto; min-width: 0; max-width: 22rem; }
.next { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: .75rem 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 45%), 1fr)); gap: .5rem 1.25rem; margin: .75rem 0; }
.facts dt { color: var(--muted); font-size: .75rem; }
.facts dd { overflow-wrap: anywhere; }
.ids { display: inline-flex; flex-wrap: wrap; gap: .15rem .6rem; }
#status::before { content: ""; }
.dot, #status::before { display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; background: var(--field); }
.dot[data-notified="delivered"], #status[data-status="connected"]::before { background: #1c9c57; }
.dot[data-notified="waiting"] { background: none; border: 2px solid var(--info); }
.dot[data-notified="failing"], #status[data-status="not responding"]::before { background: var(--bad); border-radius: .1rem; }
.dot[data-notified="noAddress"] { background: none; border: 2px dotted var(--field); }
.entries, .deliveries { border: 1px solid var(--line); border-radius: .6rem; background: var(--card); overflow: hidden; }
.entries { display: grid; grid-template-columns: auto auto minmax(0, 1fr) auto; }
.entries:empty, .deliveries:empty { display: none; }
.entry { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; gap: .25rem .75rem; align-items: baseline; padding: .4rem .75rem; }
.entry + .entry, .delivery + .delivery, .setting + .setting, .key + .key { border-top: 1px solid var(--line); }
.entry > time, .entry > .type { color: var(--muted); font-size: .8125rem; white-space: nowrap; }
.content { display: flex; flex-wrap: wrap; gap: .2rem .5rem; align-items: baseline; min-width: 0; overflow-wrap: anywhere; }
.content > details { flex: 1; min-width: 0; }
.exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 0 1rem; margin-bottom: .5rem; }
.editor { flex-basis: 100%; background: var(--raised); }
.warning { color: var(--warn); font-weight: 600; }
.entry[data-type="warning"] { background: var(--warn-soft); }
.delivery { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem 1rem; align-items: start; padding: .5rem .75rem; }
.delivery .chip { min-width: 4.5rem; text-align: center; }
.delivery:has(details[open]) { grid-template-columns: minmax(0, 1fr); }
.countdown { color: var(--info); font-weight: 600; }
.live .title { margin-bottom: .5rem; }
.live h3:first-of-type { margin-top: 0; }
.what, .setting label { font-weight: 600; }
.path { color: var(--muted); overflow-wrap: anywhere; }
summary { position: relative; cursor: pointer; display: flex; flex-wrap: wrap; gap: .2rem .5rem; align-items: baseline; padding-right: 1.25rem; }
summary::after { content: "▸"; position: absolute; right: 0; top: 0; color: var(--muted); }
details[open] > summary::after { content: "▾"; }
pre { margin-top: .2rem; padding: .6rem .75rem; border-radius: .45rem; background: var(--raised); border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto; }
.raw { margin-top: 1.25rem; }
.raw > summary, .custom > summary { display: inline-flex; margin-bottom: .5rem; font-weight: 600; }
table { width: 100%; border-collapse: collapse; background: var(--card); }
caption { padding: 1.25rem 0 .5rem; background: var(--ground); text-align: left; font-weight: 600; }
.picture { margin-top: 1.25rem; } .picture .sequence { margin-top: .5rem; }
.failing { margin: .75rem 0; border: 0; border-radius: .7rem; }
.panel caption { padding-top: 0; background: none; }
th, td { padding: .4rem .75rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-size: .75rem; font-weight: 600; white-space: nowrap; }
.wide { overflow-x: auto; }
.toolbar { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin-bottom: .5rem; }
.field { display: grid; gap: .15rem; }
.field > span { color: var(--muted); font-size: .75rem; }
.toolbar:not(:has(.field)) { align-items: center; }
#log .entries { margin: .5rem 0; }
.panel { padding: 1rem; border: 1px solid var(--line); border-radius: .7rem; background: var(--card); }
.columns { columns: 26rem; column-gap: 1rem; }
.columns .panel { break-inside: avoid; margin-bottom: 1rem; }
.setting { padding: .6rem 0; }
.value { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .2rem 0; }
#gateway > *, #keys > * { max-width: 56rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .75rem; max-width: 76rem; }
#faults > .field { max-width: 20rem; }
.cards .panel { display: grid; grid-template-rows: auto 1fr auto auto; gap: .4rem; justify-items: start; }
.panel h3 { margin: 0; }
.form { max-width: 44rem; }
.form input, .form select { width: 100%; }
.form:has([name="recurrence"] option[value=""]:checked) .field:has([name="until"]) { display: none; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 100%), 1fr)); gap: .75rem; }
.keys > .key { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .3rem 0; }
.keys dt { flex: 0 0 7rem; color: var(--muted); }
.keys dd { display: flex; flex: 1; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between; overflow-wrap: anywhere; }
.check { display: inline-flex; gap: .4rem; align-items: center; }
.check input { min-height: 0; }
@media (max-width: 68rem) { #url { display: none; } }
@media (max-width: 56rem) {
  #payments { grid-template-columns: minmax(0, 1fr); }
  #payments:not(.opened) #payment-detail, #payments.opened #payment-side { display: none; }
  .back { display: inline-block; margin-bottom: .5rem; }
  .entries { display: block; }
  .entry { grid-template-columns: auto minmax(0, 1fr) auto; }
  .entry .content { grid-column: 1 / -1; grid-row: 2; }
  .delivery { grid-template-columns: minmax(0, 1fr); }
  .toolbar .field, .toolbar .field > * { flex: 1 1 8rem; min-width: 0; }
}
@media (max-width: 40rem) {
  /* As wide as the page, with the same margin on both sides. */
  .menu { position-area: bottom span-all; justify-self: stretch; width: auto; max-width: none; margin: .4rem .75rem; }
  /* Said by a sign where there is no room for the word. */
  #ahead:not(:empty)::before { content: "+"; }
  #ahead > span { display: none; }
  #head { gap: .5rem; padding: 0 .5rem; } #head h1 { flex: none; }
  #url, #clock { display: none; }
  #status { font-size: 0; gap: 0; }
  #status[data-status="not responding"] { font-size: .875rem; gap: .4rem; }
  main > *, #payment-detail { padding: .75rem; }
  #payments { padding: 0; }
  .actions .group > * { flex: 1 1 auto; justify-content: center; max-width: 100%; }
  .actions .group > select { flex-basis: 10rem; }
}
@media (max-width: 24rem) {
  #head { gap: .35rem; }
  #head h1 { font-size: .8125rem; flex: none; }
  #time { gap: .3rem; }
  #ahead { padding: .05rem .25rem; font-size: .6875rem; }
  #head .menu-button { padding: .25rem .35rem; gap: .2rem; font-size: .8125rem; }
}
`
