import { expect, test } from 'vitest'
import { Memory } from '../memory.ts'
import { pageKeysOf } from './page-keys.ts'

test('each list of a product remembers its own pages, and each product those it served', () => {
  const [tickets, contacts] = [pageKeysOf<number>(), pageKeysOf<string>()]
  const [product, other] = [{ memory: new Memory() }, { memory: new Memory() }]
  tickets(product).remember('1 Ana', 2, 20)
  expect(tickets(product).start('1 Ana', 2)).toBe(20)
  expect(contacts(product).start('1 Ana', 2)).toBeUndefined()
  expect(tickets(other).start('1 Ana', 2)).toBeUndefined()
})
