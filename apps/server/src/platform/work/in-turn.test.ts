import { expect, test } from 'vitest'
import { openInTurn } from './in-turn.ts'

const settled = () => new Promise(setImmediate)

/** Pieces that go on until they are ended, in the order in which they began. */
function openPieces(bounds: { all: number; ofOne: number }) {
  const inTurn = openInTurn(bounds)
  const begun: { company: number; end(): void }[] = []
  const ask = (company: number) =>
    inTurn(company, () => new Promise<void>(end => void begun.push({ company, end })))
  return { begun, ask, companies: () => begun.map(({ company }) => company) }
}

test('a flood of one company keeps no other from its first piece, which begins before any of the flood ends', async () => {
  const { begun, ask, companies } = openPieces({ all: 8, ofOne: 4 })
  const flood = Array.from({ length: 25 }, () => ask(1))
  await settled()
  expect(companies()).toEqual([1, 1, 1, 1])
  const other = ask(2)
  await settled()
  expect(companies()).toEqual([1, 1, 1, 1, 2])
  begun.at(-1)!.end()
  await other
  while (begun.length > 0) {
    for (const { end } of begun.splice(0)) end()
    await settled()
  }
  await Promise.all(flood)
})

test('where all places are busy the next is of the company with the fewest under way, and a failed piece gives its place back', async () => {
  const { begun, ask, companies } = openPieces({ all: 2, ofOne: 2 })
  const first = ask(1)
  const second = ask(2)
  const [third, other] = [ask(1), ask(3)]
  await settled()
  expect(companies()).toEqual([1, 2])
  begun[0]!.end()
  await first
  await settled()
  expect(companies()).toEqual([1, 2, 3])
  for (const { end } of begun) end()
  await Promise.all([second, other])
  await settled()
  begun.at(-1)!.end()
  await third
  const inTurn = openInTurn({ all: 1, ofOne: 1 })
  await expect(inTurn(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn(2, async () => 'yes')).toBe('yes')
})
