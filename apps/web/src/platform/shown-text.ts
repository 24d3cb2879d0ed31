import { turnsNamed } from '@balcao/contract/turning.rules.ts'

/** The same with each sign written out that turns the direction of a text. */
export function withoutTurns<Value>(value: Value): Value {
  if (typeof value === 'string') return turnsNamed(value) as Value
  if (Array.isArray(value)) return value.map(withoutTurns) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutTurns(inner)]),
  ) as Value
}

/** Checked on the text of an answer, before it is parsed: most contain none. */
export const readAnswer = (text: string): unknown => JSON.parse(turnsNamed(text))
