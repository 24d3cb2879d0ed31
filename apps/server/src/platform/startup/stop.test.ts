import { expect, test } from 'vitest'
import { stopOnce } from './stop.ts'

test('signals that arrive together are one stop, and another one seconds later ends it at once', () => {
  const done: string[] = []
  let clock = 100
  const onSignal = stopOnce({
    stop: async signal => void done.push(signal),
    abort: () => void done.push('abort'),
    now: () => clock,
  })
  const after = (ms: number) => {
    clock += ms
    onSignal('SIGTERM')
    return done.join()
  }
  expect([after(0), after(3), after(325), after(4_600)]).toEqual(['SIGTERM', 'SIGTERM', 'SIGTERM', 'SIGTERM'])
  expect(after(200)).toBe('SIGTERM,abort')
})
