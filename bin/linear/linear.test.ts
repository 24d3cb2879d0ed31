import { expect, test, vi } from 'vitest'
import { driverReaders } from './drivers.ts'
import { inputReaders } from './inputs.ts'
import { type Reader, ruleReaders } from './readers.ts'
import { FAMILIES, growth, textOf } from './texts.ts'

// what is measured is the processor's time; how long it takes beside other work says nothing
vi.setConfig({ testTimeout: 600_000 })

const found = (readers: Reader[]) =>
  readers.flatMap(({ name, letters, read }) =>
    FAMILIES.flatMap(family => {
      const fault = growth(read, family, letters)
      return fault ? [`${name}: ${fault}`] : []
    }),
  )

test('no text in any field of any call costs more than its length', async () => {
  expect(found(await inputReaders())).toEqual([])
})

test('no text that a rule of the product reads costs more than its length', async () => {
  expect(found(await ruleReaders())).toEqual([])
})

test('no text in what phones, Meta and pages send costs more than its length', () => {
  expect(found(driverReaders)).toEqual([])
})

test('a reader that costs the square of a text is found, one that takes long is not', () => {
  const family = FAMILIES.find(({ pump }) => pump === ' ')!
  // so long that a fast processor needs more than what is looked at, too
  const square = growth(text => /\s+$/.test(text), family, 16_384)
  expect(square).toMatch(/ms for 4096, 8192, 16384 letters of " "/)
  const long = (text: string) => Array.from({ length: 40 }, () => JSON.stringify(text))
  expect(growth(long, family, 32_768)).toBeNull()
  expect(textOf({ prefix: 'a', pump: 'bc', suffix: 'd' }, 4)).toBe('abcbcd')
})
