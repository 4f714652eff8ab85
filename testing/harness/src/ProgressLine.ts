/** A line on standard error that the next one takes the place of, for programs that work for long. */
import { stderr } from "node:process"

/** Shows the line; an empty one leaves nothing. Nothing is shown where standard error is no terminal. */
export const showLine = (line: string): void => {
  if (!stderr.isTTY) return
  const shown = Array.from(line).slice(0, (stderr.columns || 80) - 1)
  stderr.write(`\r\u001b[2K${shown.join("")}`)
}

/** Shows the line while the work goes on. */
export const during = async <A>(line: string, work: () => Promise<A>): Promise<A> => {
  showLine(line)
  try {
    return await work()
  } finally {
    showLine("")
  }
}
