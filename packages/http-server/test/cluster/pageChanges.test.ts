/** An open page at one server learns of what is committed at another. How soon is measured: `bench -- pages`. */
import { describe, expect, it } from "vitest"
import { times } from "./support/cluster.ts"
import { hinted } from "./support/hinted.ts"

describe("an open page", () => {
  it("is told of a payment by the word of the server that has committed it, in its one held request", async () => {
    const { there, create, pay, heard } = await hinted()
    for (const _ of times(5)) {
      const id = await create()
      const { body } = await fetch(`${there.url}/pay/${id}/changes`)
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader.read()).value).toContain('"status":"pending"')
      const told = reader.read()
      await pay(id)
      expect((await heard(told)).value).toContain('"status":"paid"')
    }
  })
})
