import { html } from './markup.ts';

/** How pages look: one column, from the narrowest telephone to a wide screen, light, dark and on paper. */
export const pageStyle = html`
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --wash: #f6f8fa; --link: #0a56b8;
  --red: #b3171f; --red-wash: #fff0ee; --green: #116329; --green-wash: #e9f9ee; --amber: #7d4e00; --amber-wash: #fff6dc;
  --c0: #bcd7f5; --c1: #c6e6cf; --c2: #f3dcb0; --c3: #dccff2; --c4: #bfe4e6; --c5: #f4cdd6; --rest: #dfe4e9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0e1116; --ink: #e6eaef; --soft: #9aa4af; --line: #2f363d; --wash: #171b21; --link: #7bb5ff;
    --red: #ff938a; --red-wash: #331417; --green: #6fd48b; --green-wash: #10291a; --amber: #e5b85c; --amber-wash: #2d220b;
    --c0: #1f426b; --c1: #1f4d30; --c2: #5b4315; --c3: #42326b; --c4: #1a4a4e; --c5: #63293a; --rest: #333b44;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem) 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -99rem; background: var(--paper); padding: .5rem 1rem; }
.skip:focus { left: 1rem; top: 1rem; }
header { padding: clamp(1.5rem, 5vw, 3.5rem) 0 1.25rem; }
.kind { margin: 0; color: var(--soft); font-weight: 600; }
h1 { margin: .1rem 0 0; font-size: clamp(1.7rem, 5vw, 2.6rem); line-height: 1.15; letter-spacing: -.015em; }
h1 .version { font-weight: 400; color: var(--soft); }
.lead { margin: .6rem 0 0; font-size: 1.125rem; max-width: 46rem; }
h2 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1.05rem; }
section { padding: 1.75rem 0; border-top: 1px solid var(--line); }
section.alert h2 { color: var(--red); }
p { margin: .5rem 0; max-width: 46rem; }
.note, .dim { color: var(--soft); }
code { font: .875em/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
pre { margin: .5rem 0; padding: .75rem 1rem; overflow-x: auto; background: var(--wash); border: 1px solid var(--line); border-radius: 6px; overflow-wrap: normal; }
nav ul { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 1.5rem; padding: 0; list-style: none; }
nav a { display: block; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: 99rem; background: var(--wash); color: var(--ink);
  font-size: .9rem; text-decoration: none; }
nav a:hover { border-color: var(--link); }
nav .alert a { border-color: var(--red); color: var(--red); background: var(--red-wash); }
.amount { color: var(--soft); font-variant-numeric: tabular-nums; }
nav .alert .amount { color: inherit; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .9rem 2rem; margin: 1.25rem 0 0; }
.facts dt { color: var(--soft); font-size: .875rem; }
.facts dd { margin: 0; }
.facts ul, .chain ul { margin: 0; padding: 0; list-style: none; }
.facts.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); margin-top: 0; }
.facts div:has(code) { grid-column: 1 / -1; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9375rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .45rem 1.25rem .45rem 0; text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--soft); font-size: .875rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
tbody tr { border-bottom: 1px solid var(--line); }
tbody tr:last-child { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.alert th, tr.alert td { background: var(--red-wash); }
tr.alert th:first-child { box-shadow: inset 4px 0 var(--red); padding-left: 1rem; }
tr.added th:first-child { box-shadow: inset 4px 0 var(--green); padding-left: 1rem; }
tr.removed th:first-child { box-shadow: inset 4px 0 var(--red); padding-left: 1rem; }
.bad, del { color: var(--red); }
.good, ins { color: var(--green); }
del, ins { text-decoration: none; padding: 0 .2em; border-radius: 3px; }
del { background: var(--red-wash); }
ins { background: var(--green-wash); }
.mark { display: inline-block; white-space: nowrap; padding: 0 .5em; border-radius: 4px; font-size: .875rem; font-weight: 600; background: var(--wash); color: var(--soft); }
.mark.bad { background: var(--red-wash); color: var(--red); }
.mark.good { background: var(--green-wash); color: var(--green); }
.mark.fair { background: var(--amber-wash); color: var(--amber); }
ul, ol { margin: .5rem 0; padding-left: 1.2rem; }
td ul, th ul { margin: 0; padding: 0; list-style: none; }
details { border-bottom: 1px solid var(--line); padding: .5rem 0; }
details:last-of-type { border-bottom: 0; }
summary { cursor: pointer; padding: .15rem 0; }
summary .dim { margin-left: .4em; }
details > ul, details > dl, details > table { margin: .4rem 0 .8rem 1.1rem; width: auto; }
.chain { list-style: none; margin: 1rem 0; padding: 0; }
.chain > li { position: relative; padding: 0 0 1.1rem 1.75rem; max-width: 52rem; }
.chain > li::before { content: ""; position: absolute; left: .2rem; top: .45rem; width: .7rem; height: .7rem; border: 2px solid var(--link); border-radius: 50%; background: var(--paper); z-index: 1; }
.chain > li::after { content: ""; position: absolute; left: .58rem; top: .6rem; bottom: -.4rem; border-left: 2px solid var(--line); }
.chain > li:last-child::after { display: none; }
.chain strong { display: block; }
.change { border-bottom: 1px solid var(--line); padding: .6rem 0; }
.change p { margin: 0; max-width: none; }
.change ul { margin: .25rem 0 0 1.1rem; padding: 0; list-style: none; }
.line { display: block; width: 100%; height: 2.5rem; }
.line line { stroke: var(--line); stroke-width: 2; }
.line circle { fill: var(--red); stroke: var(--paper); stroke-width: 2; } .line .ready { fill: var(--green); } .line .applying { fill: var(--amber); }
figure { margin: 1rem 0; }
figcaption { margin-top: .5rem; color: var(--soft); font-size: .9rem; }
.map { display: block; width: 100%; height: clamp(15rem, 36vw, 28rem); border: 1px solid var(--line); border-radius: 4px; }
.map rect { stroke: var(--paper); stroke-width: .75; stroke-opacity: .7; }
.map .edge { fill: none; stroke-width: 4; stroke-opacity: 1; }
.map text { fill: var(--ink); font-size: 14px; font-weight: 600; }
.map .size { font-weight: 400; font-size: 13px; }
.map .c0 > rect { fill: var(--c0); } .map .c1 > rect { fill: var(--c1); } .map .c2 > rect { fill: var(--c2); }
.map .c3 > rect { fill: var(--c3); } .map .c4 > rect { fill: var(--c4); } .map .c5 > rect { fill: var(--c5); }
.map .rest > rect { fill: var(--rest); } .map .shared > rect { fill: url(#hatch); }
.map svg > rect.edge { fill: none; }
#hatch rect { fill: var(--rest); stroke: none; } #hatch path { stroke: var(--soft); stroke-width: 1; stroke-opacity: .45; }
.bar { display: block; width: 100%; height: 1.5rem; border-radius: 4px; }
.bar .shared { fill: var(--rest); } .bar .new { fill: var(--green); } .bar .gone { fill: var(--red); }
.search { margin: .75rem 0; }
.search label { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
input { flex: 1 1 14rem; max-width: 26rem; padding: .45rem .7rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 6px; }
[hidden] { display: none !important; }
footer { padding-top: 1.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
@media (max-width: 44rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tr { padding: .6rem 0; }
  tbody th, tbody td { padding: .1rem 0; }
  tbody th { font-weight: 600; }
  td.number { text-align: left; }
  td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-size: .875rem; margin-right: .35em; }
  td ul { display: inline; } td li { display: inline; margin-right: .6em; }
  td:empty { display: none; }
  tr.alert { background: var(--red-wash); box-shadow: inset 4px 0 var(--red); padding-left: 1rem; }
  tr.alert th:first-child { box-shadow: none; padding-left: 0; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: .8rem 1.25rem; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip, .search { display: none !important; }
  details::details-content { content-visibility: visible; block-size: auto; }
  section { break-inside: auto; padding: 1rem 0; } h2, h3, summary { break-after: avoid; } tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  rect, .mark, tr.alert th, tr.alert td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
`;
