import { createHash } from 'node:crypto'

/** The id that follows from a cause, a UUID: what is written under it a second time is known as the same. */
export function idFrom(cause: string): string {
  const hex = createHash('sha256').update(cause).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
