import { PushDevice, push } from '@balcao/contract/push.ts'
import { fireEvent } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const phone = sample(PushDevice, { id: 4, device: 'Chrome · Android', isThis: false })

async function preferences(answers: Parameters<typeof enter>[2] = {}) {
  const page = enter('/tickets', marina, answers)
  await page.press('Marina Duarte')
  await page.press('Preferencias')
  return page
}

/** What the browser allows. */
function browserThat(permission: NotificationPermission) {
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission })
  vi.stubGlobal('PushManager', class {})
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { addEventListener() {}, removeEventListener() {}, getRegistration: async () => undefined },
  })
}
beforeEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
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
