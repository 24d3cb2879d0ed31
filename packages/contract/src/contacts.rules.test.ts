import { expect, test } from 'vitest'
import { isNumberSearch, nameOr, phoneKey, spellingsOf } from './contacts.rules.ts'

test('a Brazilian mobile has one key with and without the ninth digit, however it is written', () => {
  const spellings = ['5511987654321', '551187654321', '+55 (11) 98765-4321', '55 11 8765-4321']
  expect(new Set(spellings.map(phoneKey))).toEqual(new Set(['551187654321']))
})

test('two people stay two: landlines, other areas and other countries keep every digit', () => {
  expect(phoneKey('551130001000')).toBe('551130001000')
  expect(phoneKey('5511930001000')).toBe('5511930001000')
  expect(phoneKey('5521987654321')).not.toBe(phoneKey('5511987654321'))
  expect(phoneKey('351912345678')).toBe('351912345678')
  expect(phoneKey('5491187654321')).toBe('5491187654321')
})

test('a key is its own key', () => {
  for (const number of ['5511987654321', '551130001000', '14155550100'])
    expect(phoneKey(phoneKey(number))).toBe(phoneKey(number))
})

test('somebody without a name is shown by what is known, and a long name is cut', () => {
  expect(nameOr(undefined, '+55')).toBe('+55')
  expect(nameOr('   ', '+55')).toBe('+55')
  expect(nameOr(' Rita ', '+55')).toBe('Rita')
  expect(nameOr('x'.repeat(80), '+55')).toHaveLength(50)
})

const stored = ['5511987654321', '551187654321']
const ways = [
  ...[
    '5511987654321',
    '551187654321',
    '+55 (11) 98765-4321',
    '+55 11 8765-4321',
    '(11) 98765-4321',
    '11 8765-4321',
  ],
  ...[
    '011 98765-4321',
    '0xx11 8765-4321',
    '0 21 11 98765-4321',
    '0055 11 98765-4321',
    '98765-4321',
    '8765.4321',
  ],
  ...['11 98765', '55 11 98765', '(11) 8765'],
]
test.each(ways)('a search for %s finds the number as it is stored, with and without its ninth digit', way => {
  expect(isNumberSearch(way)).toBe(true)
  expect(stored.filter(number => spellingsOf(way).some(digits => number.includes(digits)))).toEqual(stored)
})

test('a search for a landline, another area or another country finds no mobile', () => {
  for (const way of [
    '11 3876-5432',
    '(21) 98765-4321',
    '+351 912 345 678',
    '0049 1512 3456789',
    '11 98765-4322',
  ])
    expect(stored.filter(number => spellingsOf(way).some(digits => number.includes(digits)))).toEqual([])
  for (const words of ['Maria 2', 'rua25.test', '@ana', '%', '--']) expect(isNumberSearch(words)).toBe(false)
})
