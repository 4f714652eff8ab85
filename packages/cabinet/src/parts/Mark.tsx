/** The mark of Tölem. The name stands beside it, so that screen readers skip it. */
import { cabinetPath } from "../browser/Place.ts"

/** The mark, in the size of a line of text and a half. */
export const Mark = ({ size = 32 }: { readonly size?: number }) => (
  <img src={`${cabinetPath}icon.svg`} width={size} height={size} alt="" />
)
