import { expect, test } from 'vitest'
import { keepTexts } from './row-cache.ts'

type Texts = ReturnType<typeof keepTexts>

/** What is notified of one row of a company, `text` where it has to be written. */
const notified = async (texts: Texts, [company, id]: [number, number], mark: string, text: string) =>
  (
    await texts.of(
      [{ id, mark }],
      one => `${company} ${one}`,
      async missing => missing.map(one => [one, text]),
    )
  )[0]

test('a text is found by its key and its mark; another mark is another text', async () => {
  const texts = keepTexts(1)
  expect(await notified(texts, [1, 7], 'a', 'first')).toBe('first')
  expect(await notified(texts, [1, 7], 'a', 'again')).toBe('first')
  expect(await notified(texts, [2, 7], 'a', 'another company')).toBe('another company')
  expect(await notified(texts, [1, 7], 'b', 'second')).toBe('second')
  expect(await notified(texts, [1, 7], 'b', 'again')).toBe('second')
  expect(await notified(texts, [1, 7], 'a', 'third')).toBe('third')
})

test('the texts of rows come in their order, only those are written that are not kept, and what is gone is left out', async () => {
  const texts = keepTexts(1)
  await notified(texts, [1, 2], 'a', 'kept')
  const asked: number[][] = []
  const rows = [3, 2, 1].map(id => ({ id, mark: 'a' }))
  const written = await texts.of(
    rows,
    id => `1 ${id}`,
    async missing => {
      asked.push(missing)
      return [[3, 'new']]
    },
  )
  expect(written).toEqual(['new', 'kept'])
  expect(asked).toEqual([[3, 1]])
})

test.each([
  ['Latin', 'é', [0, 2, 3, 4, 5]],
  ['other', '👍', [5]],
])('those used last are kept, as many as fit: %s letters', async (_what, letter, most) => {
  const texts = keepTexts(1)
  const long = letter.repeat(200_000)
  const put = (at: number) => notified(texts, [1, at], '', long)
  for (let at = 0; at < 6; at++) {
    await put(at)
    // reading without writing only counts as use
    await texts.of(
      [{ id: 0, mark: '' }],
      id => `1 ${id}`,
      async () => [],
    )
  }
  const kept: number[] = []
  for (let at = 0; at < 6; at++) {
    const found = await texts.of(
      [{ id: at, mark: '' }],
      id => `1 ${id}`,
      async () => [],
    )
    if (found.length > 0) kept.push(at)
  }
  expect(kept).toEqual(most)
})
