import { SHORT_NUMBER } from '@balcao/contract/campaignShapes.ts'
import { digitsOf, phoneKey } from '@balcao/contract/contacts.rules.ts'
import {
  asRead,
  bothReadings,
  type CountryCode,
  numberFault,
  numberFaults,
  readNumber,
} from '@balcao/contract/numbers.rules.ts'
import { inWords } from '../../platform/forms.text.ts'

export interface Pasted {
  /** Written, and not yet applied. */
  text: string
  people: { number: string; name_opcional?: string }[]
  /** Lines that are too short for a number. */
  short: string[]
  /** Other lines without one number, with the reason. */
  wrong: string[]
  /** Lines whose number could be one at home or one abroad, with both. */
  unclear: string[]
  doubled: number
}

export const nothingPasted: Pasted = { text: '', people: [], short: [], wrong: [], unclear: [], doubled: 0 }

/**
 * Numbers of a text, one per line, name after a semicolon or tab; duplicates in any notation and short ones
 * are dropped (CAMP-018, 019).
 */
export function pastedInto(before: Pasted, text: string, home: CountryCode): Pasted {
  const known = new Set(before.people.map(({ number }) => phoneKey(number)))
  const after: Pasted = { ...nothingPasted, people: [...before.people], short: [], wrong: [], unclear: [] }
  for (const line of text.split('\n')) {
    const [written = '', name = ''] = line.split(/[;\t]/, 2)
    const digits = digitsOf(written)
    if (line.trim() === '') continue
    const meaning = readNumber(written, home)
    const number = asRead(written, meaning)
    const key = phoneKey(number)
    const fault = numberFault(written, meaning)
    if (fault && fault !== 'short') after.wrong.push(`${line.trim()}: ${inWords(numberFaults[fault])}`)
    else if (digits.length <= SHORT_NUMBER) after.short.push(line.trim())
    else if (meaning.kind === 'two') after.unclear.push(`${line.trim()}: ${bothReadings(meaning)}`)
    else if (known.has(key)) after.doubled++
    else {
      known.add(key)
      after.people.push({ number, ...(name.trim() && { name_opcional: name.trim() }) })
    }
  }
  return after
}
