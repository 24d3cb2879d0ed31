import { expect, test } from 'vitest'
import { traced, traceNow } from '../observe/trace.ts'
import { batching } from './group-commit.ts'

test('what is asked for meanwhile is done with the next, in one piece and in order', async () => {
  const pieces: number[][] = []
  const double = batching(async (numbers: number[]) => {
    pieces.push(numbers)
    await new Promise(setImmediate)
    return numbers.map(number => number * 2)
  })
  const first = [double(1), double(2)]
  await new Promise(setImmediate)
  const later = [double(3), double(4), double(5)]
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10])
  expect(pieces).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('a shared piece carries the traces of all who asked, and one alone its own', async () => {
  const seen: (string | undefined)[] = []
  const work = batching(async (asked: string[]) => {
    seen.push(traceNow())
    if (asked.length > 1) throw new Error('each by itself')
    return asked
  })
  await Promise.all(['a', 'b'].map(trace => traced(trace, () => work(trace))))
  await work('nobody')
  expect(seen).toEqual(['a b', 'a', 'b', undefined])
})

test('one that fails does not spoil the others, and the next piece is done', async () => {
  const work = batching(async (numbers: number[]) => {
    if (numbers.includes(13)) throw new Error('unlucky')
    return numbers
  })
  const settled = await Promise.allSettled([work(12), work(13), work(14)])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await work(15)).toBe(15)
})

test('a piece whose connection was lost is not done again: it may be stored', async () => {
  const pieces: string[] = []
  const work = batching(
    async (asked: string[]) => {
      pieces.push(asked.join())
      throw Object.assign(new Error('the answer to the commit was lost'), { code: 'ECONNRESET' })
    },
    { apart: item => item },
  )
  const settled = await Promise.allSettled([work('a'), work('b')])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(pieces).toEqual(['a,b'])
})

test('what fails is tried by itself, the items of one key in their order, and holds up no other key, nor what comes later', async () => {
  const held = Promise.withResolvers<void>()
  const tried: string[] = []
  const work = batching(
    async (asked: string[], isAlone) => {
      tried.push(`${asked.join()}${isAlone ? ' alone' : ''}`)
      if (isAlone && asked[0] === 'a1') await held.promise
      if (!isAlone && asked.includes('a1')) throw new Error('in a piece')
      return asked
    },
    { apart: item => item[0] },
  )
  const [first, other] = [work('a1'), work('b1')]
  expect(await other).toBe('b1')
  const second = work('a2')
  expect(await work('c1')).toBe('c1')
  expect(tried).toEqual(['a1,b1', 'a1 alone', 'b1 alone', 'c1'])
  held.resolve()
  expect(await Promise.all([first, second])).toEqual(['a1', 'a2'])
  expect(tried.at(-1)).toBe('a2 alone')
})
