/** Drawings of the pages. They repeat what words say, so screen readers skip them. */
import { type Html, html, verbatim } from "@tolem/core/value/Html"

const icon = (drawing: Html): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${drawing}</svg>`

/** Done. */
export const check: Html = icon(verbatim`<path d="m5 12.5 4.5 4.5L19 7.5"/>`)
/** Did not work. */
export const cross: Html = icon(verbatim`<path d="M7 7l10 10M17 7 7 17"/>`)
/** Time. */
export const clock: Html = icon(verbatim`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`)
/** Money that goes back. */
export const backwards: Html = icon(verbatim`<path d="M9 6 4.5 10.5 9 15"/><path d="M5 10.5h8.5a5 5 0 0 1 0 10H10"/>`)
/** A phone. */
export const phone: Html = icon(verbatim`<rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18h2"/>`)
/** Closed. */
export const closed: Html = icon(verbatim`<circle cx="12" cy="12" r="8.5"/><path d="M8.5 12h7"/>`)
/** Something to look for. */
export const search: Html = icon(verbatim`<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>`)
/** Something to read. */
export const receipt: Html = icon(
  verbatim`<path d="M6 3.5v17l2-1.5 2 1.5 2-1.5 2 1.5 2-1.5 2 1.5v-17z"/><path d="M9.5 8.5h5M9.5 12.5h5"/>`
)
