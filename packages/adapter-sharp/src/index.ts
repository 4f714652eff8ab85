/** Pictures with sharp. */
export * as SharpPictures from "./SharpPictures.ts"
