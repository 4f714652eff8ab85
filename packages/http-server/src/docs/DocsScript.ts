/**
 * The script of the documentation: copies code, and searches an index that is loaded at the first search. Pages work
 * without it.
 */
import { type Html, verbatim } from "@tolem/core/value/Html"

/** The script, the same for all pages, so that its digest in the Content-Security-Policy is too. */
export const docsScript: Html = verbatim`(() => {
  "use strict"
  const words = document.body.dataset

  // A phone's menu is closed at first; a wide window shows it.
  const menu = document.querySelector(".menu details")
  const wide = matchMedia("(min-width: 56rem)")
  const fit = () => (menu.open = wide.matches)
  wide.addEventListener("change", fit)
  fit()

  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = words.copy
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code").textContent.trimEnd())
      button.textContent = words.copied
      setTimeout(() => (button.textContent = words.copy), 2000)
    })
    block.append(button)
  }

  const find = document.querySelector(".find")
  const input = find.querySelector("input")
  const list = find.querySelector(".found")
  find.hidden = false
  let index
  const load = () => (index ??= fetch(find.dataset.index).then((answer) => answer.json()))
  const rank = (entry, asked) => {
    let points = 0
    for (const word of asked) {
      const inTitle = entry.t.toLowerCase().includes(word)
      if (!inTitle && !entry.x.toLowerCase().includes(word)) return 0
      points += inTitle ? 5 : 1
    }
    return points
  }
  const search = async () => {
    const asked = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== "")
    if (asked.length === 0) return (list.hidden = true)
    const entries = await load()
    const best = entries
      .map((entry) => [rank(entry, asked), entry])
      .filter(([points]) => points > 0)
      .sort(([a], [b]) => b - a)
      .slice(0, 12)
    list.replaceChildren(
      ...best.map(([, entry]) => {
        const item = document.createElement("li")
        const link = document.createElement("a")
        const page = document.createElement("small")
        link.href = find.dataset.base + entry.u
        link.textContent = entry.t
        page.textContent = entry.p
        link.append(page)
        item.append(link)
        return item
      })
    )
    if (best.length === 0) {
      const none = document.createElement("li")
      none.textContent = words.none
      list.append(none)
    }
    list.hidden = false
  }
  input.addEventListener("focus", load)
  input.addEventListener("input", search)
  find.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.hidden = true
    if (event.key === "Enter") list.querySelector("a")?.click()
  })
  document.addEventListener("click", (event) => {
    if (!find.contains(event.target)) list.hidden = true
  })
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
})()`
