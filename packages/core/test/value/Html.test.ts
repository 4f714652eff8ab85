import { describe, expect, it } from "vitest"
import { type Html, html, verbatim } from "../../src/value/Html.ts"

describe("a template", () => {
  it("takes every text as text, in content and in quoted attributes", () => {
    const hostile = `</script><img src=x onerror="alert('1')">&amp;`
    const escaped = "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;"
    expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  it("takes numbers, nothing, and what other templates made, without escaping that twice", () => {
    const part = html`<b>${"<"}</b>`
    expect(String(html`${1.5}|${null}|${part}|${[part, part]}`)).toBe("1.5||<b>&lt;</b>|<b>&lt;</b><b>&lt;</b>")
  })

  it("does not take an object for markup because it looks like it", () => {
    const lookalikes: ReadonlyArray<Html> = JSON.parse('[{"text":"<b>","markup":"<b>"},["<b>"],"<b>"]')
    expect(String(html`${lookalikes}`)).not.toContain("<b>")
    for (const lookalike of lookalikes) expect(String(html`${lookalike}`)).not.toContain("<b>")
    expect(String(html`${verbatim`<b>`}`)).toBe("<b>")
  })

  it("refuses an attribute without quotes, which no escaping could protect", () => {
    expect(() => html`<a href=${"x"}>`).toThrow("quotes")
    expect(() => html`<a title="y" href=${"x"}>`).toThrow("quotes")
    expect(String(html`<a href="?lang=${"x"}">`)).toBe('<a href="?lang=x">')
  })
})
