import { auth } from '@balcao/contract/auth.ts'
import { PushDevice, push } from '@balcao/contract/push.ts'
import { fireEvent } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { renewDevice } from './device.ts'

const phone = sample(PushDevice, { id: 4, device: 'Chrome · Android', isThis: false })

async function preferences(answers: Parameters<typeof enter>[2] = {}) {
  const page = enter('/tickets', marina, answers)
  await page.press('Marina Duarte')
  await page.press('Preferencias')
  return page
}

/** As the browser keeps it. */
const subscription = { endpoint: 'https://push.test/1', unsubscribe: vi.fn(async () => true) }
const shown = { close: vi.fn() }
const registration = {
  pushManager: {
    getSubscription: async () => subscription,
    subscribe: async () => ({
      toJSON: () => ({
        endpoint: subscription.endpoint,
        keys: { p256dh: 'B'.repeat(87), auth: 'B'.repeat(22) },
      }),
    }),
  },
  getNotifications: async () => [shown],
}
const tokenOf = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`

/** What the browser allows. */
function browserThat(permission: NotificationPermission, registered?: object) {
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission })
  vi.stubGlobal('PushManager', class {})
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      ...{ addEventListener() {}, removeEventListener() {}, register: async () => registered },
      ...{ getRegistration: async () => registered, ready: Promise.resolve(registered) },
    },
  })
}
beforeEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  subscription.unsubscribe.mockClear()
  shown.close.mockClear()
})

test('a browser that blocked notifications says how to allow them, one that has none says so', async () => {
  browserThat('denied')
  await (await preferences()).sees(/Bloqueadas neste navegador\. Para liberar/)
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  await (await preferences()).sees(/Este navegador não recebe notificações/)
})

test('what devices notify of is chosen at once, with quiet hours', async () => {
  browserThat('default')
  let now = { mine: true, queues: true, mentions: true, quietFrom: null, quietTo: null } as object
  const page = await preferences({
    answers: server =>
      server.serve(push.changeSettings, ({ body }) => {
        now = { ...now, ...(body as object) }
        return now
      }),
  })
  await page.sees('Desativadas neste aparelho.')
  await page.press('Aguardando nas minhas filas')
  await page.press('Horário de silêncio')
  const section = page.part('region', 'Notificações neste aparelho')
  fireEvent.change(await section.field(/^De\b/), { target: { value: '21:30' } })
  await page.press('Salvar horário')
  await expect
    .poll(() => page.server.asked(push.changeSettings).map(({ body }) => body))
    .toEqual([
      { queues: false },
      { quietFrom: '20:00', quietTo: '08:00' },
      { quietFrom: '21:30', quietTo: '08:00' },
    ])
})

test('each device is named, tried out and removed', async () => {
  browserThat('granted')
  const page = await preferences({
    answers: server =>
      server
        .on(push.devices, { subscriptions: [phone] })
        .on(push.test, { devices: 1 })
        .on(push.removeDevice, {}),
  })
  await page.sees(/Chrome · Android/)
  await page.press('Enviar um teste')
  await page.sees('Teste enviado a 1 aparelho')
  await page.press('Remover Chrome · Android')
  await expect.poll(() => page.server.asked(push.removeDevice)[0]?.params).toEqual({ subscriptionId: 4 })
})

test('this device stays removed, whether its user removed it here or elsewhere', async () => {
  browserThat('granted', registration)
  const page = await preferences({
    answers: server =>
      server.on(push.devices, { subscriptions: [{ ...phone, isThis: true }] }).on(push.removeDevice, {}),
  })
  localStorage.setItem('pushFor', String(marina.id))
  await page.press('Remover Chrome · Android')
  await expect.poll(() => page.server.asked(push.removeDevice)).toHaveLength(1)
  expect([subscription.unsubscribe.mock.calls.length, localStorage.getItem('pushFor')]).toEqual([1, null])

  const token = tokenOf({ sub: String(marina.id), company: 2, sid: 'a' })
  localStorage.setItem('token', token)
  localStorage.setItem('pushFor', String(marina.id))
  localStorage.setItem('pushAs', `a ${subscription.endpoint}`)
  vi.stubGlobal('fetch', async () => Response.json({ subscriptions: [] }))
  await renewDevice(marina.id)
  expect([subscription.unsubscribe.mock.calls.length, localStorage.getItem('pushFor')]).toEqual([2, null])
})

test('a browser that subscribed anew ends its earlier address', async () => {
  browserThat('granted', registration)
  const page = await preferences({
    answers: server =>
      server
        .on(push.devices, { subscriptions: [] })
        .on(push.key, { publicKey: 'B' })
        .on(push.subscribe, phone)
        .on(push.unsubscribe, {}),
  })
  localStorage.setItem('token', tokenOf({ sub: String(marina.id), company: 2, sid: 'a' }))
  localStorage.setItem('pushAs', 'a https://push.test/earlier')
  await page.press('Ativar neste aparelho')
  await expect
    .poll(() => page.server.asked(push.unsubscribe).map(({ body }) => body))
    .toEqual([{ endpoint: 'https://push.test/earlier' }])
  expect(localStorage.getItem('pushAs')).toBe(`a ${subscription.endpoint}`)
})

test('after a logout that the server does not learn of, the browser notifies nobody, and shows nothing', async () => {
  browserThat('granted', registration)
  const page = enter('/tickets', marina, {
    answers: server => server.serve(auth.logout, () => Promise.reject(new TypeError('Failed to fetch'))),
  })
  await page.press('Marina Duarte')
  await page.press('Logout')
  await expect.poll(() => subscription.unsubscribe.mock.calls.length).toBe(1)
  expect(shown.close).toHaveBeenCalled()
})
