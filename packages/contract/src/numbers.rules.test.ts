import { describe, expect, test } from 'vitest'
import {
  asRead,
  bothReadings,
  type CountryCode,
  numberFault,
  readNumber,
  wholeNumber,
} from './numbers.rules.ts'

const read = (written: string, home: CountryCode = 'BR', only?: CountryCode) => {
  const meaning = readNumber(written, home, only)
  return meaning.kind === 'two' ? bothReadings(meaning) : `${meaning.kind} ${meaning.digits}`
}

describe('at home in Brazil', () => {
  test.each([
    ['(11) 98765-4321', '5511987654321'],
    ['11 98765 4321', '5511987654321'],
    ['11955550006', '5511955550006'],
    ['011987654321', '5511987654321'],
    ['0 21 11 98765-4321', '5511987654321'],
    ['0xx11 98765-4321', '5511987654321'],
    ['5511987654321', '5511987654321'],
    ['+55 11 98765-4321', '5511987654321'],
    ['+55 (0) 11 98765-4321', '5511987654321'],
    ['0055 11 98765-4321', '5511987654321'],
    ['(11) 3000-1000', '551130001000'],
    ['55 99123-4567', '5555991234567'],
  ])('%s is +%s', (written, digits) => {
    expect(read(written)).toBe(`one ${digits}`)
  })

  test.each([
    '1187654321',
    '(11) 8765-4321',
    '011 8765-4321',
    '0xx11 8765-4321',
    '551187654321',
    '+55 11 8765-4321',
  ])('%s keeps its eight digits: no ninth is invented', written => {
    expect(read(written)).toBe('one 551187654321')
  })
})

test('a number that could be abroad as well is two, unless it is written as one of them or its country is known', () => {
  expect(read('51987654321')).toBe('+5551987654321 (BR), +51987654321 (PE)')
  expect(read('(51) 98765-4321')).toBe('one 5551987654321')
  expect(read('051 98765-4321')).toBe('one 5551987654321')
  for (const stated of ['+51 987 654 321', '(+51) 987 654 321', ' ( +51) 987 654 321', '0051987654321'])
    expect(read(stated)).toBe('one 51987654321')
  expect(read('51987654321', 'BR', 'BR')).toBe('one 5551987654321')
  expect(read('51987654321', 'BR', 'PE')).toBe('one 51987654321')
})

test('a number with its country code is abroad where it is none at home', () => {
  expect(read('351912345678')).toBe('one 351912345678')
  expect(read('14155550100')).toBe('one 14155550100')
  expect(read('912345678', 'PT')).toBe('one 351912345678')
  expect(read('5511987654321', 'PT')).toBe('one 5511987654321')
  expect(read('912 345 678', 'BR', 'PT')).toBe('one 351912345678')
})

test('what no numbering plan knows is kept as it is written', () => {
  expect(read('98765-4321', 'PT')).toBe('unknown 987654321')
  expect(read('98765-4321')).toBe('local 987654321')
  expect(read('+999 12345678')).toBe('unknown 99912345678')
})

test.each([
  ['5511987654321.0', '5511987654321'],
  ['11987654321,00', '5511987654321'],
  ['+5511987654321.0', '5511987654321'],
  ['(11) 3876-5432 ramal 12', '551138765432'],
  ['(11) 3876-5432 r. 12', '551138765432'],
  ['11 3876-5432 ext 1234', '551138765432'],
  ['1138765432x12', '551138765432'],
  ['+34 912 34 56 78 Ext. 5', '34912345678'],
  ['0xx11 98765-4321', '5511987654321'],
])('%s is +%s: what a spreadsheet or an office adds is no part of it', (written, digits) => {
  expect(read(written)).toBe(`one ${digits}`)
})

test.each([
  ['5,51199E+12', 'scientific'],
  ['00000000', 'zeros'],
  ['1234567', 'short'],
  ['98765-4321', 'area'],
  ['3876 5432', 'area'],
  ['8765.4321', 'area'],
  ['11 98765-4321 / 11 3876-5432', 'several'],
  ['11 98765-4321 ou 98765-1234', 'several'],
  ['11987654321;11987651234', 'several'],
  ['1198765432111987651234', 'long'],
  ['1234567890123456', 'long'],
  ['(11) 98765-4321 / recado', null],
  ['0 21 11 98765-4321', null],
  ['+999 123456789012', null],
])('what is wrong with %s: %s', (written, fault) => {
  expect(numberFault(written, readNumber(written, 'BR'))).toBe(fault)
})

test.each([
  ['0051987654321', '+51987654321'],
  ['(+51) 987 654 321', '+51987654321'],
  ['(51) 98765-4321', '+5551987654321'],
  ['11 98765 4321', '+5511987654321'],
  ['51987654321', '51987654321'],
  ['+999 12345678', '+99912345678'],
  ['00999 12345678', '+99912345678'],
  ['98765-4321', '987654321'],
])('%s is sent as %s, which means the same', (written, sent) => {
  const meaning = readNumber(written, 'BR')
  expect(asRead(written, meaning)).toBe(sent)
  expect(readNumber(sent, 'BR')).toEqual(meaning)
})

test('one’s own number is read in full, or it is none', () => {
  const read = (written: string) => wholeNumber(written, 'BR')
  expect(['(11) 98888-7777', '+55 11 98888-7777', '011 98888 7777'].map(read)).toEqual([
    '5511988887777',
    '5511988887777',
    '5511988887777',
  ])
  expect([read('+51 987 650 006'), read('51987650006')]).toEqual(['51987650006', '5551987650006'])
  for (const none of [
    '98888-7777',
    '11988887777 e 11977776666',
    '5.5E+12',
    '00000000',
    '123',
    '1234567890123456',
  ])
    expect([none, read(none)]).toEqual([none, null])
})
