/** Text of machines as it is: in a field that cannot be changed, so that a keyboard reaches all of it. */
import styles from "./CodeText.module.css"

const maxRows = 14

/** The text. */
export const CodeText = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <textarea
    className={styles["code"]}
    aria-label={name}
    value={text}
    rows={Math.min(text.split("\n").length, maxRows)}
    wrap="off"
    spellCheck={false}
    readOnly
  />
)
