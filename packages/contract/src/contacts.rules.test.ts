import { expect, test } from 'vitest'
import { nameOr, phoneKey } from './contacts.rules.ts'

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
