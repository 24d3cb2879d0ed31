import { fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { typedAhead } from './typed-ahead.ts'

/** A field that has the focus, and the keys that reach it. */
function composer() {
  const field = document.createElement('textarea')
  document.body.append(field)
  onTestFinished(() => {
    typedAhead.take()
    field.remove()
  })
  const reached: string[] = []
  field.addEventListener('keydown', ({ key }) => reached.push(key))
  const strike = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(field, { key })
  }
  return { strike, reached }
}

test('no key of the awaited field reaches the one that has the focus; Enter is handed over where it was last', () => {
  const { strike, reached } = composer()
  typedAhead.begin()
  strike('n', 'x', 'Backspace', 'o', 'ArrowUp', 'Tab', 'Enter')
  expect(typedAhead.take()).toEqual({ struck: 'no', isEntered: true })
  expect(reached).toEqual([])
  typedAhead.begin()
  strike('n', 'Enter', 'o')
  expect(typedAhead.take()).toEqual({ struck: 'no', isEntered: false })
  strike('Enter')
  expect(reached).toEqual(['Enter'])
})

test('the field is shown where its script comes soon, and keys are their own again where it does not', async () => {
  vi.useFakeTimers()
  const { strike, reached } = composer()
  expect(await typedAhead.during(Promise.resolve())).toBe(true)
  expect(await typedAhead.during(Promise.reject(new Error('offline')))).toBe(false)
  strike('a')
  const slow = Promise.withResolvers<void>()
  const late = typedAhead.during(slow.promise)
  strike('b')
  await vi.advanceTimersByTimeAsync(2_000)
  strike('c')
  slow.resolve()
  expect(await late).toBe(false)
  const script = Promise.withResolvers<void>()
  const left = typedAhead.during(script.promise)
  strike('d', 'Escape')
  script.resolve()
  expect(await left).toBe(false)
  strike('e')
  expect(reached).toEqual(['a', 'c', 'Escape', 'e'])
})
