/** Country codes of one and two digits (ITU-T E.164); all others have three. */
const COUNTRY = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/

/**
 * +55 71 99134-0872: a number with its country as people read it, the same on every screen; what is none stays as it is. Also for
 * names: who has no other is called by the number.
 */
export function phoneText(written: string): string {
  const number = written.replace(/^\+/, '')
  if (!/^\d{8,15}$/.test(number)) return written
  const [, area, first, last] = /^55(\d\d)(\d{4,5})(\d{4})$/.exec(number) ?? []
  if (area) return `+55 ${area} ${first}-${last}`
  const [, country, rest] = COUNTRY.exec(number)!
  return `+${country} ${rest!.replace(/\d{3}(?=\d{2})/g, '$& ').replace(/ (\d)$/, '$1')}`
}
