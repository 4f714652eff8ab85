/** Port: draws pictures. */
import { Context, type Effect } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Picture, PictureForm } from "./Picture.ts"

/** It is no PNG, JPEG or WebP within the bounds of `Picture.ts`, or is damaged. Nothing was kept. */
export class InvalidPicture extends refusal("InvalidPicture", "invalid_picture") {}

/** Nothing here draws pictures: there is no `PictureMaker`, or its library cannot be loaded. Nothing was kept. */
export class PicturesUnavailable extends refusal("PicturesUnavailable", "pictures_unavailable") {}

/** A picture that lies on a drawing, as it is; or, with `fill`, cut to what fills a place of that size. */
export interface Overlay {
  readonly bytes: Uint8Array
  readonly left: number
  readonly top: number
  readonly fill?: { readonly width: number; readonly height: number }
}

/** A drawing of our own. */
export interface Drawing {
  /** SVG that takes in nothing from outside, neither fonts nor images; it has a width and a height. */
  readonly svg: string
  /** What is laid over it, as a picture that was drawn anew; none: null. */
  readonly overlay: Overlay | null
}

/** Draws pictures. Without one in the context none are taken from people, and there are no previews with a picture. */
export class PictureMaker extends Context.Service<
  PictureMaker,
  {
    /**
     * Decodes a file and draws it anew, upright, without what else was in the file (places, comments, profiles). The
     * same file gives the same bytes. Bounded in memory and time, also for files that were made to have none: where
     * too many wait already, it fails at once as a storage that is away does.
     */
    readonly remake: (
      file: Uint8Array,
      form: PictureForm
    ) => Effect.Effect<Picture, InvalidPicture | PicturesUnavailable | StorageError>
    /** Whether it draws at all: false where its library cannot be loaded. Pages name no image then. */
    readonly canDraw: Effect.Effect<boolean>
    /** A drawing of our own as PNG. It waits, or fails, as others do. */
    readonly draw: (drawing: Drawing) => Effect.Effect<Uint8Array, PicturesUnavailable | StorageError>
  }
>()("@tolem/core/PictureMaker") {}
