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

/** Whether the text holds one number, and no other digits that would be read as part of it. */
export const isOneNumber = (given: string) => /^(\+|0xx)?[\d(][\d\s()./\u2010-\u2015-]*$/.test(given)

/** A number as a spreadsheet shortens it (5,51199E+12): its last digits are lost. */
export const isScientific = (given: string) => /^\s*\d+([.,]\d+)?e\+?\d+\s*$/i.test(given)
