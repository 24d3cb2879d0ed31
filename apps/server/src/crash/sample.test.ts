import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const points = ['um', 'dois', 'três', 'quatro', 'cinco']
const program = `
  const { sample } = await import(${JSON.stringify(new URL('../../testing/sample.ts', import.meta.url).href)})
  console.log(JSON.stringify(sample(${JSON.stringify(points)}, 2)))`
/** What a run draws that has these variables. */
function drawnBy(env: Record<string, string>): string[] {
  const args = ['--input-type=module', '--eval', program]
  const { PATH } = process.env
  return JSON.parse(execFileSync(process.execPath, args, { env: { PATH, ...env }, encoding: 'utf8' }))
}

test('a seed draws the same points again, another one others, and the soak takes all', () => {
  const seeds = ['1', '2', '3', '4', '5', '6', '7', '8']
  const drawn = seeds.map(seed => drawnBy({ SAMPLE_SEED: seed }))
  expect(drawnBy({ SAMPLE_SEED: '3' })).toEqual(drawn[2])
  for (const some of drawn) expect(some).toEqual(points.filter(point => some.includes(point)))
  expect(drawn.every(some => some.length === 2)).toBe(true)
  expect(new Set(drawn.flat())).toEqual(new Set(points))
  expect(drawnBy({ SAMPLE_SEED: '3', EVERY_POINT: '1' })).toEqual(points)
})
