/** A machine that there is no library for. */

import { logoForm } from "@tolem/core/picture/Picture"
import { PictureMaker } from "@tolem/core/picture/PictureMaker"
import { Effect, Logger } from "effect"
import { expect, it, vi } from "vitest"
import * as SharpPictures from "../src/SharpPictures.ts"

vi.mock("sharp", () => {
  throw new Error("Could not load the sharp module using the linux-mips runtime")
})

it("says that it draws nothing, and refuses files and drawings with a code, each time", async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const [can, errors] = await Effect.runPromise(
    PictureMaker.use(({ remake, draw, canDraw }) =>
      Effect.all([
        canDraw,
        Effect.all([
          Effect.flip(remake(png, logoForm)),
          Effect.flip(draw({ svg: "<svg/>", overlay: null })),
          Effect.flip(remake(png, logoForm))
        ])
      ])
    ).pipe(Effect.provide(SharpPictures.layer), Effect.provide(Logger.layer([])))
  )
  expect(can).toBe(false)
  expect(errors.map(({ _tag }) => _tag)).toEqual(Array(3).fill("PicturesUnavailable"))
})
