/** The sound of a payment, made by the browser itself: two short notes, the second higher. */

let context: AudioContext | null = null

/** Readies the sound. Browsers let a page be heard only after a press: call it in the handler of one. */
export const readySound = (): void => {
  try {
    context ??= new AudioContext()
    void context.resume().catch(() => undefined)
  } catch {
    // A device without sound is silent.
  }
}

const notes = [
  [880, 0],
  [1318.5, 0.13]
] as const

/** Plays it at once, and lets a phone tremble. */
export const playPaid = (): void => {
  try {
    navigator.vibrate?.([80, 60, 160])
    if (context === null || context.state !== "running") return
    for (const [pitch, after] of notes) {
      const at = context.currentTime + after
      const volume = context.createGain()
      volume.gain.setValueAtTime(0.0001, at)
      volume.gain.exponentialRampToValueAtTime(0.35, at + 0.02)
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.45)
      const tone = context.createOscillator()
      tone.frequency.value = pitch
      tone.connect(volume).connect(context.destination)
      tone.start(at)
      tone.stop(at + 0.5)
    }
  } catch {
    // As above.
  }
}
