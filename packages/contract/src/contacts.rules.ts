import { cut } from './cut.rules.ts'

/**
 * The key under which a phone number is matched. Brazilian mobiles may come with or without the ninth digit,
 * depending on when the account was made (55 + area + 9 + eight digits against 55 + area + eight digits):
 * both give one key. Landlines (first digit 2–5) never had one. Other countries are matched as they are.
 */
export function phoneKey(number: string): string {
  const digits = number.replace(/\D/g, '')
  const mobile = /^55([1-9]\d)9([6-9]\d{7})$/.exec(digits)
  return mobile ? `55${mobile[1]}${mobile[2]}` : digits
}

/** Display name of a contact without one. */
export const nameOr = (name: string | undefined, fallback: string) => cut(name?.trim() ?? '', 50) || fallback

/** The digits of a number as people write it. A country code never begins with 0: two of them dial out of one's own. */
export const digitsOf = (given: string) => given.replace(/\D/g, '').replace(/^00(?=[1-9])/, '')

/**
 * A number without what is not part of it: an extension, and the `.0` of a spreadsheet that calculated with it. What remains
 * has at least eight digits.
 */
export function plainNumber(written: string): string {
  const number = written.replace(/[.,]0{1,2}\s*$/, '')
  if (/^\s*\+?\d{8,}$/.test(number)) return number
  const main = written.replace(EXTENSION, '')
  return main.replace(/\D/g, '').length >= 8 ? main : written
}

const EXTENSION = /(?:\b(?:ramal|extension|ext|interno|int|anexo|r)\b[.:]?|[x#])\s?\d{1,6}\s*$/i

/** Two numbers in one field, such as `11 98765-4321 / 11 3876-5432`: either could be meant. */
export const isSeveralNumbers = (written: string) =>
  written.split(/[/;,|\n]|\s(?:e|ou|y|o|and|or)\s/i).filter(part => part.replace(/\D/g, '').length >= 8)
    .length > 1

/** Whether the text holds one number, and no other digits that would be read as part of it. */
export const isOneNumber = (given: string) => /^(\+|0xx)?[\d(][\d\s()./\u2010-\u2015-]*$/.test(given)

/** A number as a spreadsheet shortens it (5,51199E+12): its last digits are lost. */
export const isScientific = (given: string) => /^\s*\d+([.,]\d+)?e\+?\d+\s*$/i.test(given)

/** Whether a search is for a number alone, in any spelling such as (71) 9402, +55 71 or 0xx71. */
export const isNumberSearch = (search: string) =>
  /^(0xx)?[\d\s()./+\u2010-\u2015-]+$/i.test(search.trim()) && /\d/.test(search)

/**
 * The digits that a stored number may hold where somebody searches for this one, or for its beginning: without what one dials
 * to leave the country or to choose an operator, and a Brazilian mobile with and without its ninth digit.
 */
export function spellingsOf(search: string): string[] {
  const digits = digitsOf(search.trim().replace(/^0xx/i, '0')).replace(
    /^0(?:\d\d(?=[1-9]\d9?[6-9]\d{7}$))?/,
    '',
  )
  const spellings = new Set(digits ? [digits] : [])
  for (const code of ['55', '']) {
    const [, area, rest] = /^([1-9]\d)9?([6-9]\d{1,7})$/.exec(digits.slice(code.length)) ?? []
    if (!area || !digits.startsWith(code)) continue
    for (const nine of ['', '9']) spellings.add(`${code}${area}${nine}${rest}`)
  }
  // without its area code
  if (/^9[6-9]\d{7}$/.test(digits)) spellings.add(digits.slice(1))
  return [...spellings]
}
