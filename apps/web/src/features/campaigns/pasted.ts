import { SHORT_NUMBER } from '@balcao/contract/campaignShapes.ts'

export interface Pasted {
  people: { number: string; name_opcional?: string }[]
  /** Lines that are too short for a number. */
  short: string[]
  doubled: number
}

export const nothingPasted: Pasted = { people: [], short: [], doubled: 0 }

/** Numbers of a text, one a line, a name behind a semicolon or tab; each once, the short ones left out (CAMP-018, 019). */
export function pastedInto(before: Pasted, text: string): Pasted {
  const known = new Set(before.people.map(({ number }) => number))
  const after: Pasted = { people: [...before.people], short: [], doubled: 0 }
  for (const line of text.split('\n')) {
    const [written = '', name = ''] = line.split(/[;\t]/, 2)
    const number = written.replace(/\D/g, '')
    if (line.trim() === '') continue
    if (number.length <= SHORT_NUMBER) after.short.push(line.trim())
    else if (known.has(number)) after.doubled++
    else {
      known.add(number)
      after.people.push({ number, ...(name.trim() && { name_opcional: name.trim() }) })
    }
  }
  return after
}
