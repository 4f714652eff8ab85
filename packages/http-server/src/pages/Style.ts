/** The style of the pages, the same for all of them, so that its digest in the Content-Security-Policy is too. */
import { type Html, html, tightStyle, verbatim } from "@tolem/core/value/Html"

/** The colours, of pages and of the documentation alike. */
export const tokens: Html = verbatim`
:root {
  color-scheme: light dark;
  --ground: #e9f0f1; --glow: #d3e9ec; --card: #fff; --ink: #10262b; --quiet: #52676c; --line: #dbe6e8;
  --accent: #00737f; --button: var(--accent); --on-accent: #fff; --accent-soft: #e0f2f4;
  --good: #0a7447; --good-soft: #def4e8; --bad: #b0322b; --bad-soft: #fbe7e5; --warn: #855300; --warn-soft: #fff1cf;
  --stripe: #ffe6a8; --shadow: 0 1px 2px rgb(16 38 43 / .06), 0 12px 40px rgb(16 38 43 / .10);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #091215; --glow: #0f272c; --card: #111e22; --ink: #eaf2f3; --quiet: #9db1b6; --line: #23353a;
    --accent: #53cddd; --on-accent: #04242a; --accent-soft: #12333a;
    --good: #63d7a2; --good-soft: #10342a; --bad: #ff9b91; --bad-soft: #3b1d1c; --warn: #f4c668; --warn-soft: #362a10;
    --stripe: #43340f; --shadow: 0 1px 2px rgb(0 0 0 / .3), 0 12px 40px rgb(0 0 0 / .35);
  }
}
`

const rest: Html = verbatim`*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; color: var(--ink);
  background: radial-gradient(90rem 34rem at 50% -12rem, var(--glow), transparent) no-repeat var(--ground);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, p, dl, dd { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: .5rem; }
.sandbox {
  padding: .55rem 1rem; text-align: center; font-size: .9rem; color: var(--warn);
  background: repeating-linear-gradient(-45deg, var(--warn-soft) 0 14px, var(--stripe) 14px 28px);
}
.hint { padding: .75rem 1rem; border: 1px dashed var(--line); border-radius: 1rem; font-size: .85rem;
  color: var(--quiet); }
.panel { display: grid; gap: .75rem; }
.panel h2, .panel p { margin: 0; font-size: .9rem; }
.panel form { display: flex; flex-wrap: wrap; gap: .5rem; }
.chip { flex: 1 0 auto; min-height: 2.75rem; padding: .4rem .9rem; border: 1px solid var(--line); border-radius: .8rem;
  font: inherit; color: var(--ink); background: none; cursor: pointer; }
.bank { border-top: .5rem solid var(--accent); }
.hint code { display: block; color: var(--ink); }
.place { flex: 1; display: flex; flex-direction: column; justify-content: center; padding: 1rem; }
main {
  width: 100%; max-width: 26rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border-radius: 1.5rem;
  box-shadow: var(--shadow); display: grid; gap: 1.25rem;
}
.seller { display: flex; align-items: center; gap: .75rem; min-width: 0; font-weight: 600; line-height: 1.3; }
.mark {
  flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: .8rem;
  font-size: 1.15rem;
  color: var(--accent); background: var(--accent-soft);
}
.logo { object-fit: contain; background: #fff; }
.contact { display: flex; flex-wrap: wrap; gap: .15rem .9rem; font-size: .85rem; line-height: 1.5rem;
  font-style: normal; }
.contact a { color: inherit; }
.amount {
  font-size: clamp(2rem, 11vw, 2.75rem); font-weight: 700; line-height: 1.1; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.amount.long { font-size: clamp(1.4rem, 7vw, 2rem); }
.amount small { font-size: .6em; font-weight: 600; color: var(--quiet); }
.thanks { text-align: center; white-space: pre-line; }
.about { display: grid; gap: .35rem; }
.quiet, .facts dt, footer { color: var(--quiet); }
.facts { display: grid; gap: .5rem; font-size: .95rem; }
.facts > div, .timer p, .until { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; }
.facts dt { flex: none; }
.facts dd, .timer b, .until b { margin-left: auto; text-align: right; }
.state { display: grid; gap: .4rem; justify-items: center; text-align: center; }
h1 { font-size: 1.3rem; line-height: 1.25; letter-spacing: -.01em; }
.badge {
  display: grid; place-items: center; width: 4.5rem; height: 4.5rem; margin-bottom: .4rem; border-radius: 50%;
  color: var(--accent); background: var(--accent-soft);
}
.badge .icon { width: 2.25rem; height: 2.25rem; }
.good .badge { color: var(--good); background: var(--good-soft); }
.bad .badge { color: var(--bad); background: var(--bad-soft); }
.warn .badge { color: var(--warn); background: var(--warn-soft); }
.good .badge .icon { animation: arrive .45s cubic-bezier(.2, 1.6, .4, 1) both; }
@keyframes arrive { from { transform: scale(.3); opacity: 0; } }
.pay { display: grid; gap: 1rem; justify-items: center; }
.plate {
  width: 100%; max-width: 17.5rem; padding: .25rem; border-radius: 1.25rem; background: #fff;
  border: 1px solid var(--line);
  line-height: 0; transition: opacity .3s;
}
.qr { width: 100%; height: auto; border-radius: 1rem; }
.over .plate, .over .pay .button { opacity: .12; pointer-events: none; }
.more summary { min-height: 2rem; cursor: pointer; text-align: center; color: var(--accent); }
.more ul { margin: 0; padding-left: 1.2rem; font-size: .9rem; }
.more[open] summary { margin-bottom: 1rem; }
.caption { font-size: .95rem; text-align: center; }
.button {
  display: flex; align-items: center; justify-content: center; gap: .6rem; width: 100%; min-height: 3.25rem;
  padding: .75rem 1.25rem; border: 0; border-radius: 1rem; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; color: var(--on-accent); background: var(--button); cursor: pointer;
}
.button:hover { filter: brightness(1.08); }
.button.second { color: var(--accent); background: var(--accent-soft); }
.button .number { min-width: 1.6em; padding: 0 .35em; border-radius: 1em; background: rgb(127 127 127 / .28); }
.actions { display: grid; gap: .6rem; }
.plain { border: 0; padding: .4rem; font: inherit; color: var(--quiet); background: none; cursor: pointer;
  text-decoration: underline; text-underline-offset: .2em; justify-self: center; }
.wait { display: grid; gap: .6rem; }
.wait h1 { font-size: 1.15rem; }
.timer { width: 100%; display: grid; gap: .4rem; }
.timer > div { display: grid; gap: .35rem; }
.timer p, .until { font-size: .95rem; }
.timer b, .until b { font-variant-numeric: tabular-nums; }
.track { height: .4rem; border-radius: 1rem; overflow: hidden; background: var(--line); }
.track i { display: block; height: 100%; border-radius: inherit; background: var(--accent); transform-origin: left; }
.soon .timer b { color: var(--bad); }
.soon .track i { background: var(--bad); }
.live { font-size: .9rem; color: var(--quiet); }
.narrow .live { text-align: center; }
.live::before {
  content: ""; display: inline-block; width: .55rem; height: .55rem; margin-right: .6rem; border-radius: 50%;
  background: var(--accent);
  animation: breathe 1.6s ease-in-out infinite;
}
@keyframes breathe { 50% { opacity: .25; transform: scale(.75); } }
hr { width: 100%; margin: 0; border: 0; border-top: 1px dashed var(--line); }
footer { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1.25rem; padding: .25rem 1rem 1.25rem;
  font-size: .875rem; }
footer nav { display: flex; gap: .25rem; }
footer nav button { border: 0; font: inherit; background: none; cursor: pointer; }
footer nav :is(a, button) { padding: .35rem .6rem; border-radius: .6rem; color: inherit; text-decoration: none; }
footer nav :is(a, button):hover { text-decoration: underline; }
footer nav [aria-current] { color: var(--accent); font-weight: 600; background: var(--accent-soft); }
@media (min-width: 52rem) {
  main.wide {
    max-width: 52rem; padding: 2.5rem; grid-template: auto auto 1fr auto / 1fr 20rem;
    gap: 1.5rem 3rem; align-items: start;
  }
  .wide .pay { grid-column: 2; grid-row: 1 / span 4; }
  .wide .plate { max-width: none; }
  .wide .wait { align-self: end; }
  .amount { font-size: 2.75rem; }
  .amount.long { font-size: 2rem; }
}
@media (min-width: 52rem) and (hover: hover) and (pointer: fine) { .beside { display: none; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media print {
  :root { --ground: #fff; --card: #fff; --ink: #000; --quiet: #444; --line: #999; --good: #000; --good-soft: #fff; }
  body { background: none; }
  main { box-shadow: none; max-width: 36rem; padding: 1rem 0; }
  .place { padding: 0; justify-content: start; }
  .sandbox { color: #000; background: none; border: 1px solid #000; }
  footer, .actions, .badge, .panel { display: none; }
}
`

/** The style sheet of the pages. */
export const style: Html = tightStyle(html`${tokens}${rest}`)

/** The same of the fields of forms, behind it: pages without fields are smaller by that. */
export const fieldStyle: Html = tightStyle(verbatim`.fields { display: grid; gap: 1rem; }
.field { display: grid; gap: .25rem; }
.field label, .field legend { font-weight: 600; }
.field p { font-size: .9rem; }
.field input, .field textarea {
  width: 100%; min-height: 3rem; padding: .6rem .9rem; border: 1px solid var(--quiet); border-radius: .8rem;
  font: inherit; color: inherit; background: var(--card);
}
.field [aria-invalid] { border: 2px solid var(--bad); }
fieldset.field { margin: 0; padding: 0; border: 0; gap: .6rem; min-width: 0; }
.field legend { padding: 0; margin-bottom: .4rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .5rem; }
.choice { position: relative; display: grid; }
.choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; min-height: 0; opacity: 0;
  cursor: pointer; }
.choice span { display: grid; place-items: center; min-height: 2.75rem; padding: .4rem .6rem; border-radius: .8rem;
  border: 1px solid var(--quiet); text-align: center; font-weight: 600; }
.choice :checked + span { border: 2px solid var(--accent); color: var(--accent); background: var(--accent-soft); }
.choice :focus-visible + span { outline: 3px solid var(--accent); outline-offset: 3px; }
.presets:not(:has([value=""]:checked)):has(:checked) [data-field] { display: none; }
.fault { color: var(--bad); }
.picture { display: block; width: 100%; height: auto; max-height: 20rem; object-fit: contain; border-radius: 1rem; }
.problem { padding: .9rem 1rem; border-radius: 1rem; color: var(--bad); background: var(--bad-soft);
  font-size: .95rem; }
.problem p, .problem ul { margin: 0; }
.problem ul { padding-left: 1.2rem; }
.problem a { color: inherit; }
`)
