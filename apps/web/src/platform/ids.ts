/** A random UUID (version 4). `crypto.randomUUID` exists on https and localhost only; this works on any address. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The largest possible id; no row has it so far. */
const NO_ROW = 2_147_483_647

/** The id of the row in an address. An invalid one becomes an id without a row, and is answered as such. */
export const rowId = (named: string): number =>
  /^[1-9]\d*$/.test(named) ? Math.min(Number(named), NO_ROW) : NO_ROW
