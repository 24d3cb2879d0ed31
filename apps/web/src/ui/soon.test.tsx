import { act, cleanup, render } from '@testing-library/react'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Boundary } from './boundary.tsx'
import { soon } from './soon.tsx'

const load = async () => ({ default: ({ name }: { name: string }) => <b>{name}</b> })

test('until its code has come, what was given stands instead, or nothing', () => {
  const Shown = soon(load, { instead: <i>loading</i> })
  const Silent = soon(load)
  expect(renderToStaticMarkup(<Shown name="Ana" />)).toBe('<i>loading</i>')
  expect(renderToStaticMarkup(<Silent name="Ana" />)).toBe('')
})

test('what could not be had says so and comes by itself when the browser is online; what never comes throws', async () => {
  vi.useFakeTimers()
  let away = true
  const asked = vi.fn(() => (away ? Promise.reject(new Error('offline')) : load()))
  const Shown = soon(asked, { instead: <i>loading</i>, away: <i>no connection</i> })
  vi.stubGlobal('navigator', { onLine: false })
  render(<Shown name="Ana" />)
  expect(document.body.textContent).toBe('loading')
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(document.body.textContent).toBe('no connection')
  away = false
  await act(async () => void dispatchEvent(new Event('online')))
  expect(document.body.textContent).toBe('Ana')
  cleanup()

  vi.stubGlobal('navigator', { onLine: true })
  const Lost = soon(async (): Promise<{ default: ComponentType }> => {
    throw new Error('another version')
  })
  render(
    <Boundary instead={<i>not shown</i>}>
      <Lost />
    </Boundary>,
  )
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(document.body.textContent).toBe('not shown')
  vi.unstubAllGlobals()
})
