/** Pictures that people send to be shown: logos, and pictures of payment links. Pure. */

/** A picture as it is kept and shown. It was drawn anew: nothing of the file that was sent is in it. */
export interface Picture {
  readonly contentType: PictureType
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** A kept picture as what shows it knows it: its name, see `PictureName.ts`, and its size. */
export interface NamedPicture {
  readonly name: string
  readonly width: number
  readonly height: number
}

/** What kept pictures can be. */
export type PictureType = "image/png" | "image/jpeg"

/** What becomes of a picture: at most this large, and never larger than it was. */
export interface PictureForm {
  /** `png` keeps what is transparent, in few colours; `jpeg` puts it on white. */
  readonly format: "png" | "jpeg"
  readonly width: number
  readonly height: number
}

/** A merchant's logo: shown small, on light and on dark pages. */
export const logoForm: PictureForm = { format: "png", width: 256, height: 256 }

/** The picture of a payment link: as wide as a card that is shown on a sharp screen, and as previews want it. */
export const linkForm: PictureForm = { format: "jpeg", width: 1200, height: 1200 }

/** The most bytes of a file that is sent. */
export const maxPictureBytes = 256 * 1024

/** The most pixels in one direction. A small file can tell of many more than any memory holds. */
export const maxPictureSide = 4096

/** The formats that files may have. */
export type FileFormat = "png" | "jpeg" | "webp"

/**
 * The format that a file begins as; null: none of those that are taken. A name or a media type says nothing of what is
 * in a file. SVG is none of them: it is a program and a page.
 */
export const fileFormatOf = (file: Uint8Array): FileFormat | null => {
  const has = (at: number, bytes: ReadonlyArray<number>) => bytes.every((byte, index) => file[at + index] === byte)
  if (has(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "png"
  if (has(0, [0xff, 0xd8, 0xff])) return "jpeg"
  return has(0, riff) && has(8, webp) ? "webp" : null
}

const riff = [0x52, 0x49, 0x46, 0x46]
const webp = [0x57, 0x45, 0x42, 0x50]
