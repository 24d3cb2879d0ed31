import { expect, test } from 'vitest'
import { Memory, perProduct } from './memory.ts'

test('each running product has its own, made once when it is first needed', () => {
  let made = 0
  const countsOf = perProduct(() => ({ id: ++made, count: 0 }))
  const namesOf = perProduct(() => ['other'])
  const [one, another] = [{ memory: new Memory() }, { memory: new Memory() }]
  countsOf(one).count += 2
  countsOf(another).count += 5
  expect([countsOf(one), countsOf(another)]).toEqual([
    { id: 1, count: 2 },
    { id: 2, count: 5 },
  ])
  expect(namesOf(one)).toEqual(['other'])
})

test('what it is made from is given with the first call', () => {
  const sumOf = perProduct(({ part }: { memory: Memory; part: number }) => part * 2)
  const memory = new Memory()
  expect([sumOf({ memory, part: 3 }), sumOf({ memory, part: 4 })]).toEqual([6, 6])
})
