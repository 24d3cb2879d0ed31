import { beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
vi.stubGlobal('document', { documentElement: {} })
const { notify } = await import('./notify.tsx')
const { ApiError } = await import('./call.ts')
const { errorText } = await import('./errors.text.ts')
const { notices, shownOf } = await import('./notices.ts')

beforeEach(notices.clear)

/** How long the last of them is there (ms); null: until it is closed. */
const lasts = () => notices.all.read().at(-1)?.lastsMs
const shown = () => shownOf(notices.all.read()).map(({ text }) => text)

test('what is said goes by itself after 3 seconds (CONST-006, ROUTE-004) [ROUTE-004, CONST-006, OP-06]', () => {
  for (const show of [notify.done, notify.info, notify.warn, notify.handedOver]) {
    show('Salvo com sucesso')
    expect(lasts()).toBe(3_000)
  }
  notify.failed(new ApiError(409, { error: 'ERR_NAME_EXISTS' }))
  expect(lasts()).toBe(3_000)
})

test('a fault of the server is said in the documents’ words and stays until it is closed (ERR-006) [ERR-006]', () => {
  const fault = new ApiError(500, { error: 'ERR_INTERNAL' })
  expect(errorText(fault)).toBe('Algo de errado, verifique com o administrador do sistema')
  notify.failed(fault)
  expect(lasts()).toBe(null)
})

test('nothing waits behind notices that stay: what was refused and what can be undone stand at once, two at most', () => {
  vi.useFakeTimers()
  for (const name of ['Ana', 'Bia', 'Caio'])
    notify.handedOver(`${name} transferiu`, { seconds: 'stays', action: { label: 'Ver', act() {} } })
  expect(shown()).toEqual(['Bia transferiu', 'Caio transferiu'])
  notify.done('Resolvido', { seconds: 6, action: { label: 'Desfazer', act() {} } })
  notify.info('Copiado')
  expect(shown()).toEqual(['Resolvido', 'Copiado'])
  notify.failed(new ApiError(409, { error: 'ERR_NAME_EXISTS' }))
  expect(notices.all.read().at(-1)?.tone).toBe('error')
  expect(shownOf(notices.all.read()).map(({ tone }) => tone)).toEqual(['success', 'error'])
  vi.advanceTimersByTime(3_000)
  expect(shown()).toEqual(['Caio transferiu', 'Resolvido'])
  vi.advanceTimersByTime(3_000)
  expect(shown()).toEqual(['Bia transferiu', 'Caio transferiu'])
  vi.useRealTimers()
})
