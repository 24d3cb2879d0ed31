import { notifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
vi.stubGlobal('document', { documentElement: {} })
const { notify } = await import('./notify.tsx')
const { ApiError } = await import('./call.ts')
const { errorText } = await import('./errors.text.ts')

beforeEach(() => notifications.clean())

/** How long the last of them stays on the screen (ms); false: until it is closed. */
const lasts = () =>
  notificationsStore.getState().queue.concat(notificationsStore.getState().notifications).at(-1)?.autoClose

test('what is said goes by itself after 3 seconds (CONST-006, ROUTE-004)', () => {
  for (const say of [notify.done, notify.info, notify.warn, notify.handedOver]) {
    say('Salvo com sucesso')
    expect(lasts()).toBe(3_000)
  }
  notify.failed(new ApiError(409, { error: 'ERR_NAME_EXISTS' }))
  expect(lasts()).toBe(3_000)
})

test('a fault of the server is said in the documents’ words and stays until it is closed (ERR-006)', () => {
  const fault = new ApiError(500, { error: 'ERR_INTERNAL' })
  expect(errorText(fault)).toBe('Algo de errado, verifique com o administrador do sistema')
  notify.failed(fault)
  expect(lasts()).toBe(false)
})
