import { Choices, MAX_ROW } from './choices.ts'
import { cut } from './cut.rules.ts'

interface Poll {
  options: string[]
  isMultiple: boolean
}

/**
 * A poll as choices to tap, for networks without polls: up to three short options as buttons, up to ten as a list; `open` is
 * the label of the list. Null where it does not fit.
 */
export function pollChoices({ options, isMultiple }: Poll, open: string): Choices | null {
  if (isMultiple) return null
  const rows = options.map(option =>
    option.length <= MAX_ROW.title
      ? { title: option }
      : { title: shortened(option, MAX_ROW.title), description: cut(option, MAX_ROW.description) },
  )
  for (const given of [
    { kind: 'buttons', buttons: options },
    { kind: 'list', button: open, sections: [{ rows }] },
  ]) {
    const fits = Choices.safeParse(given)
    if (fits.success) return fits.data
  }
  return null
}

const shortened = (text: string, most: number) => `${cut(text, most - 1).trimEnd()}…`

/** A poll as a text, for what does not fit. */
export const writtenPoll = (question: string, options: string[]): string =>
  [question, options.map((option, at) => `*${at + 1}* - ${option}`).join('\n')].join('\n\n')
