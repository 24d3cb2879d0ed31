import { expect, test } from 'vitest'
import { phoneText } from './phone.ts'

test('a number is read in one form: with its country, in groups; what is no number stays as it is', () => {
  const read = {
    '5571991340872': '+55 71 99134-0872',
    '557133340872': '+55 71 3334-0872',
    '351912345678': '+351 912 345 678',
    '12133734253': '+1 213 373 4253',
    '34612345678': '+34 612 345 678',
    '4915123456789': '+49 151 234 567 89',
    '': '',
    // who has no name
    '+5571991340872': '+55 71 99134-0872',
    '123': '123',
    '+55 71 98888-1234': '+55 71 98888-1234',
    Balcão: 'Balcão',
  }
  expect(Object.fromEntries(Object.keys(read).map(number => [number, phoneText(number)]))).toEqual(read)
})
