import { SHORT_NUMBER } from '@balcao/contract/campaignShapes.ts'
import { digitsOf, phoneKey } from '@balcao/contract/contacts.rules.ts'
import { keptDigits } from '../contacts/phone.ts'

export interface Pasted {
  people: { number: string; name_opcional?: string }[]
  /** Lines that are too short for a number. */
  short: string[]
  doubled: number
}

export const nothingPasted: Pasted = { people: [], short: [], doubled: 0 }

/**
 * Numbers of a text, one a line, a name behind a semicolon or tab; each once however it is written, the short ones left
 * out (CAMP-018, 019).
 */
export function pastedInto(before: Pasted, text: string): Pasted {
  const known = new Set(before.people.map(({ number }) => keyOf(number)))
  const after: Pasted = { people: [...before.people], short: [], doubled: 0 }
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
