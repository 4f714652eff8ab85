/** Phones of Kazakhstan as people type and read them. Pure. */

/** The ten digits after +7 in what was typed or pasted: with +7 or 8 in front, with spaces and brackets, or without. */
export const phoneDigits = (typed: string): string => {
  const digits = typed.replace(/\D/g, "")
  const isWhole = digits.length > 10 && /^[78]/.test(digits)
  return (isWhole ? digits.slice(1) : digits).slice(0, 10)
}

/** `701 123 45 67`, as far as there are digits. */
export const phoneText = (digits: string): string =>
  [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 8), digits.slice(8, 10)]
    .filter((part) => part !== "")
    .join(" ")

/** `+7 700 ••• •• 67`, of a phone as the server masks it: `7700*****67`. One that is whole is shown whole. */
export const maskedText = (masked: string): string => {
  if (/^7\d{10}$/.test(masked)) return `+7 ${phoneText(masked.slice(1))}`
  return /^7\d{3}\*{5}\d{2}$/.test(masked) ? `+7 ${masked.slice(1, 4)} ••• •• ${masked.slice(-2)}` : masked
}

/** `0:59`, or `22:05:10`: how long until `at`; null once it is past. */
export const countdown = (at: number, now: number): string | null => {
  const seconds = Math.ceil((at - now) / 1000)
  if (seconds <= 0) return null
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (number: number) => String(number).padStart(2, "0")
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
