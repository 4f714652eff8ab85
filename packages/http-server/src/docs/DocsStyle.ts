/** The style of the documentation, with the colours of the pages. */
import { type Html, verbatim } from "@tolem/core/value/Html"

/** The style sheet, behind that of the colours. */
export const docsStyle: Html = verbatim`
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; color: var(--ink); background: var(--card); overflow-wrap: break-word;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .3rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 2; }
header {
  display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .7rem 1.25rem;
  border-bottom: 1px solid var(--line); background: var(--card);
}
.brand { display: flex; align-items: center; gap: .6rem; font-weight: 700; color: inherit; text-decoration: none; }
.brand b {
  display: grid; place-items: center; width: 2rem; height: 2rem; border-radius: .6rem; color: var(--on-accent);
  background: var(--accent);
}
.find { position: relative; flex: 1 1 14rem; max-width: 26rem; margin-left: auto; }
.find input {
  width: 100%; padding: .5rem .8rem; border: 1px solid var(--quiet); border-radius: .7rem; font: inherit;
  color: inherit; background: var(--card);
}
.found {
  position: absolute; inset: calc(100% + .3rem) 0 auto; max-height: 60vh; overflow: auto; margin: 0; padding: .3rem;
  list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: .7rem;
  box-shadow: var(--shadow); z-index: 1;
}
.found a { display: block; padding: .45rem .6rem; border-radius: .5rem; color: inherit; text-decoration: none; }
.found a:hover, .found a:focus { background: var(--accent-soft); }
.found small { display: block; color: var(--quiet); }
.languages { display: flex; gap: .25rem; }
.languages a { padding: .3rem .6rem; border-radius: .6rem; color: var(--quiet); text-decoration: none; }
.languages [aria-current] { color: var(--accent); font-weight: 600; background: var(--accent-soft); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 82rem; margin: 0 auto; }
.menu { padding: .6rem 1.25rem; border-bottom: 1px solid var(--line); }
.menu summary { font-weight: 600; cursor: pointer; padding: .4rem 0; }
.menu h2 { margin: 1.2rem 0 .3rem; font-size: .8rem; letter-spacing: .05em; text-transform: uppercase;
  color: var(--quiet); }
.menu ul, .contents ul { margin: 0; padding: 0; list-style: none; }
.menu a { display: block; padding: .25rem .6rem; border-radius: .5rem; color: inherit; text-decoration: none; }
.menu a:hover { background: var(--ground); }
.menu [aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 600; }
main { min-width: 0; padding: 1.5rem 1.25rem 4rem; }
h1 { margin: 0 0 1rem; font-size: clamp(1.7rem, 5vw, 2.3rem); line-height: 1.2; letter-spacing: -.02em; }
main h2 { margin: 2.5rem 0 .6rem; font-size: 1.35rem; line-height: 1.3; }
main h3 { margin: 1.8rem 0 .5rem; font-size: 1.1rem; }
p, ul, ol { margin: .8rem 0; }
li { margin: .25rem 0; }
code { padding: .1em .35em; border-radius: .35em; font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  background: var(--ground); }
.code { position: relative; margin: .8rem 0; }
pre { margin: 0; padding: 1rem; overflow: auto; border-radius: .8rem; background: var(--ground); tab-size: 2; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.copy {
  position: absolute; top: .5rem; right: .5rem; padding: .2rem .7rem; border: 1px solid var(--line);
  border-radius: .5rem; font: .8rem/1.5 inherit; color: var(--ink); background: var(--card); cursor: pointer;
}
@media (max-width: 55.99rem) { .code:has(.copy) pre { padding-top: 2.6rem; } }
.variant { margin: .3rem 0; }
.variant summary { padding: .25rem .2rem; font-weight: 600; font-size: .95rem; color: var(--accent); cursor: pointer; }
.variant .code { margin: .2rem 0; }
.table { overflow-x: auto; margin: .8rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
th, td { padding: .45rem .7rem .45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
td:first-child code { white-space: nowrap; }
blockquote { margin: 1rem 0; padding: .2rem 1rem; border-left: 4px solid var(--accent); background: var(--accent-soft);
  border-radius: 0 .6rem .6rem 0; }
.contents { padding: 1rem 1.25rem; font-size: .9rem; }
.contents h2 { margin: 0 0 .3rem; font-size: .8rem; letter-spacing: .05em; text-transform: uppercase;
  color: var(--quiet); }
.contents a { display: block; padding: .15rem 0; color: var(--quiet); text-decoration: none; }
.contents a:hover { color: var(--accent); }
.next { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .8rem; margin-top: 3rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
.chart { overflow-x: auto; margin: 1rem 0; }
.chart svg { display: block; max-width: none; height: auto; font: 13px ui-monospace, Menlo, Consolas, monospace; }
.chart rect { fill: var(--accent-soft); stroke: var(--accent); }
.chart text { fill: var(--ink); text-anchor: middle; }
.chart path { fill: none; stroke: var(--quiet); stroke-width: 1.4; }
.chart marker path { fill: var(--quiet); stroke: none; }
footer { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 1rem 1.25rem 2rem; line-height: 1.5rem;
  border-top: 1px solid var(--line); font-size: .9rem; color: var(--quiet); }
@media (min-width: 56rem) {
  .columns { grid-template-columns: 17rem minmax(0, 1fr); }
  .menu { border-bottom: 0; border-right: 1px solid var(--line); padding: 1rem 1rem 3rem; }
  .menu > details { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; }
  main { padding: 2rem 3rem 5rem; }
  .contents { grid-column: 2; grid-row: 1; padding: 2rem 3rem 0; display: none; }
}
@media (min-width: 76rem) {
  .columns { grid-template-columns: 17rem minmax(0, 1fr) 14rem; }
  .contents { display: block; grid-column: 3; grid-row: 1; padding: 2.4rem 1rem; }
  .contents nav { position: sticky; top: 2rem; }
}
@media (max-width: 75.99rem) { .contents { display: none; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print { header, .menu, .contents, .next, footer, .copy { display: none; } }
`
