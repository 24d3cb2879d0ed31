/** Characters that turn the direction of what follows, so that a name or a link reads as another. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g

/** The text with these characters written out, such as `[U+202E]`. */
export const turnsNamed = (text: string): string => text.replace(TURNING, named)

const named = (sign: string) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase()}]`
