/** Shapes in place of what is still on its way, as large as it will be. */
import styles from "./Skeleton.module.css"

/** Lines in place of text and rows. */
export const Skeleton = ({ lines = 3, tall = false }: { readonly lines?: number; readonly tall?: boolean }) => (
  <div className={styles["skeleton"]} aria-hidden="true" data-tall={tall || undefined}>
    {Array.from({ length: lines }, (_, index) => (
      // biome: the lines are all alike, and stay in their order.
      <span key={`line-${String(index)}`} />
    ))}
  </div>
)

/** In place of a whole screen. */
export const Waiting = () => (
  <div className={styles["screen"]} aria-busy="true">
    <Skeleton lines={1} />
    <Skeleton lines={4} tall />
  </div>
)
