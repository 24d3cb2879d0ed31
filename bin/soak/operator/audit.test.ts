import { expect, test } from 'vitest'
import { compare, type Row } from './audit.ts'

const company = (place: number) => ({ id: 10 + place, place, number: { id: `n${place}` } })
const [one, two] = [company(1), company(2)]
const talk = {
  company: one,
  customer: { number: '5511' },
  wrote: [{ text: 'cliente 1.01 número 1' }],
  answered: [{ text: 'empresa 1.01 número 1' }],
}
const other = { company: two, customer: { number: '5522' }, wrote: [], answered: [] }
const row = (company_id: number, from_me: boolean, body: string): Row => ({
  ...{ id: '', ticket_id: 1 },
  ...{ company_id, from_me, body },
})
const inside = row(11, false, 'cliente 1.01 número 1')
const answer = row(11, true, 'empresa 1.01 número 1')
const outside = { from: 'n1', to: '5511', text: 'empresa 1.01 número 1' }
const found = (rows: Row[], accepted: (typeof outside)[]) => {
  const { lost, doubled, strange } = compare([talk, other], rows, accepted)
  return [lost.length, doubled.length, strange.length]
}

test.each([
  ['everything is there once', [inside, answer], [outside], [0, 0, 0]],
  ['other texts do not count', [inside, answer, row(12, false, 'Bom dia')], [outside], [0, 0, 0]],
  ['a text of a customer is missing', [answer], [outside], [1, 0, 0]],
  ['a text of a customer is there twice', [inside, inside, answer], [outside], [0, 1, 0]],
  ['an acknowledged answer did not arrive', [inside, answer], [], [1, 0, 0]],
  ['an answer arrived twice', [inside, answer], [outside, outside], [0, 1, 0]],
  [
    'an answer reached the customer of another number',
    [inside, answer],
    [{ ...outside, to: '5522' }],
    [1, 0, 0],
  ],
  ['another company has a text', [inside, answer, { ...inside, company_id: 12 }], [outside], [0, 0, 1]],
  ['it left by another company', [inside, answer], [outside, { ...outside, from: 'n2' }], [0, 0, 1]],
])('the audit of a month: %s', (_, rows, accepted, figures) => {
  expect(found(rows, accepted)).toEqual(figures)
})
