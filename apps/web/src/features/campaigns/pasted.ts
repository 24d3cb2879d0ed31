import { SHORT_NUMBER } from '@balcao/contract/campaignShapes.ts'
import { digitsOf, phoneKey } from '@balcao/contract/contacts.rules.ts'
import { keptDigits } from '../contacts/phone.ts'

export interface Pasted {
  /** Written, and not yet applied. */
  text: string
  people: { number: string; name_opcional?: string }[]
  /** Lines that are too short for a number. */
  short: string[]
  doubled: number
}

export const nothingPasted: Pasted = { text: '', people: [], short: [], doubled: 0 }

/**
 * Numbers of a text, one per line, name after a semicolon or tab; duplicates in any notation and short ones
 * are dropped (CAMP-018, 019).
 */
export function pastedInto(before: Pasted, text: string): Pasted {
  const known = new Set(before.people.map(({ number }) => keyOf(number)))
  const after: Pasted = { text: '', people: [...before.people], short: [], doubled: 0 }
  for (const line of text.split('\n')) {
    const [written = '', name = ''] = line.split(/[;\t]/, 2)
    const digits = digitsOf(written)
    const key = keyOf(written)
    if (line.trim() === '') continue
    if (digits.length <= SHORT_NUMBER) after.short.push(line.trim())
    else if (known.has(key)) after.doubled++
    else {
      known.add(key)
      // a country that was named stays named
      const number = written.trim().startsWith('+') ? `+${digits}` : digits
      after.people.push({ number, ...(name.trim() && { name_opcional: name.trim() }) })
    }
  }
  return after
}

const keyOf = (number: string) => phoneKey(keptDigits(number))
