/** A pay page that is open, as far as its held request goes. */

/** Opens it, and answers once it has been told how things stand. */
export const listen = async (url: string, id: string) => {
  const { body } = await fetch(`${url}/pay/${id}/changes`)
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  /** Waits until it is told of a status; answers when that was, by `performance.now()`. */
  const toldAt = async (status: string): Promise<number> => {
    while (!text.includes(`"status":"${status}"`)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`${id}: never told that it is ${status}`)
      text += value
    }
    return performance.now()
  }
  await toldAt("pending")
  return { toldAt }
}
