/** A red picture, 4 by 4 pixels, as PNG. */
export const PNG: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWO4wC" +
    "QNRwzEcQCMsw7RgbZLnwAAAABJRU5ErkJggg==",
  "base64"
)
