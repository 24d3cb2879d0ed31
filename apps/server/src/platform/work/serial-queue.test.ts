import { expect, test } from 'vitest'
import { traced, traceNow } from '../observe/trace.ts'
import { openQueue } from './serial-queue.ts'

test('work is done one after the other, in order, each with its own answer', async () => {
  const queue = openQueue()
  const steps: string[] = []
  const work = (name: string) => async () => {
    steps.push(`${name} begins`)
    await new Promise(setImmediate)
    steps.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([queue(work('a')), queue(work('b')), queue(() => 'c')])).toEqual(['a', 'b', 'c'])
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('one that fails says so to its caller and holds up nobody', async () => {
  const queue = openQueue()
  const failed = queue(() => Promise.reject(new Error('unlucky')))
  const next = queue(() => 'next')
  await expect(failed).rejects.toThrow('unlucky')
  expect(await next).toBe('next')
})

test('work has the trace of who asked for it, not of who was before', async () => {
  const queue = openQueue()
  const seen = ['a', 'b'].map(trace => traced(trace, () => queue(async () => traceNow())))
  expect(await Promise.all(seen)).toEqual(['a', 'b'])
})
