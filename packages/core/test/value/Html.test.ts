import { describe, expect, it } from "vitest"
import { type Html, html, scriptData, tightScript, verbatim } from "../../src/value/Html.ts"

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

  it("leaves its own indents out, and no blank of a text that it takes in", () => {
    const given = "a\n   b\n  > c"
    expect(
      String(html`<p
        title="${given}"
        ><b>${given}</b
      ></p>
      <i>1 &gt;  2</i>`)
    ).toBe(`<p\ntitle="a\n   b\n  &gt; c"><b>a\n   b\n  &gt; c</b></p>\n<i>1 &gt;  2</i>`)
  })

  it("refuses an attribute without quotes, which no escaping could protect", () => {
    expect(() => html`<a href=${"x"}>`).toThrow("quotes")
    expect(() => html`<a title="y" href=${"x"}>`).toThrow("quotes")
    expect(String(html`<a href="?lang=${"x"}">`)).toBe('<a href="?lang=x">')
  })
})

describe("data of a script", () => {
  it("is the same to the script, and ends neither it nor one of its texts", () => {
    const data = { kk: ['</script><!--<script>"\\"; alert(1)//', "Төлем\u2028\n"], en: [] }
    const text = String(scriptData(data))
    expect(text).not.toContain("<")
    expect(new Function(`return ${text}`)()).toEqual(data)
  })
})

describe("a tight script", () => {
  it("means what it did, with its texts as they were", () => {
    const script = tightScript(verbatim`const add = (a, b = 2) => {
      // A comment, with "a quote.
      const words = { one: "a = b, c", two: [a - b, a > b ? "x" : " y "] }
      return words.one + words.two
    }
    add(1)`)
    expect(String(script)).toBe(
      `const add=(a,b=2)=>{
const words={one:"a = b, c",two:[a-b,a>b?"x":" y "]}
return words.one+words.two
}
add(1)`
    )
  })
})
