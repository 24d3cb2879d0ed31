import type { PushPayload } from '@balcao/contract/push.ts'
import type { CDPSession, Page } from '@playwright/test'
import { lookedAt, standard } from './axe.ts'
import { bubbles, compose, inTouch, texts } from './conversation.ts'
import { picture } from './samples.ts'
import { expect, test } from './world.ts'

const WITH_WORKER = { serviceWorkers: 'allow' as const, permissions: ['notifications'] }

/** The worker answers for the page, and has what it starts with. */
const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null)

const devtoolsOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page)

test('the app can be installed: its manifest has no errors, names its icons, shortcuts and what it is shared', async ({
  people,
}) => {
  const page = await people.attendant(WITH_WORKER)
  await controlled(page)
  const devtools = await devtoolsOf(page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data!)).toMatchObject({ display: 'standalone', share_target: { action: '/share' } })
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // a context of tests is incognito, which not every build of Chromium says
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  await page.getByRole('button', { name: /Marina Duarte/ }).click()
  await page.getByRole('menuitem', { name: 'Preferencias' }).click()
  const here = page.getByRole('button', { name: 'Ativar neste aparelho' })
  await expect(here.or(page.getByText('bloqueou'))).toBeVisible()
  expect(await lookedAt(page, standard, '[role=dialog]')).toEqual([])
})

test('without a connection the app opens with its lists and the last conversation, and forgets both at a logout', async ({
  people,
  phone,
}) => {
  const { marina, name } = await inTouch(people, phone, 'Rute', WITH_WORKER)
  await controlled(marina)
  const address = marina.url()
  // from here on the worker sees what is read
  await marina.reload()
  await expect(bubbles(marina).filter({ hasText: 'Olá!' })).toBeVisible()
  await expect.poll(() => keptOf(marina)).toContainEqual(expect.stringMatching(/^\/messages\/\d+/))
  const context = marina.context()
  await context.setOffline(true)
  await marina.goto('/tickets')
  await expect(marina.getByText('Sem conexão.').first()).toBeVisible()
  await expect(marina.getByRole('link', { name: new RegExp(name) }).first()).toBeVisible()
  await marina.goto(address)
  await expect(bubbles(marina).filter({ hasText: 'Olá!' })).toBeVisible()
  await compose(marina).fill('Assim que voltar')
  await compose(marina).press('Enter')
  await expect.poll(() => texts(marina)).toContain('Assim que voltar')
  await context.setOffline(false)
  await expect(marina.getByText('Sem conexão.')).toHaveCount(0)
  await marina.getByRole('button', { name: /Marina Duarte/ }).click()
  await marina.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(marina).toHaveURL(/\/login$/)
  await expect.poll(() => keptOf(marina)).toEqual([])
})

test('a push is a notification unless the app is in front, and a click on it leads to the ticket in the open tab', async ({
  people,
  phone,
}) => {
  const { marina } = await inTouch(people, phone, 'Lia', WITH_WORKER)
  const isShown = await marina.evaluate(() => Notification.permission === 'granted')
  test.skip(!isShown, 'the headless shell of Chromium shows no notification: see notifications.test.ts')
  await controlled(marina)
  const ticketId = Number(marina.url().split('/').at(-1))
  const deliver = await deliveryTo(marina)
  await marina.goto('/contacts')
  await controlled(marina)
  await deliver({ ticketId, kind: 'test' })
  await expect
    .poll(() => shownOn(marina))
    .toEqual([{ title: 'Lia', body: 'Ainda tem?', tag: `ticket ${ticketId}` }])
  await marina.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    for (const one of await registration.getNotifications()) one.close()
  })
  await deliver({ ticketId: 1, kind: 'mine' })
  await deliver({ ticketId, kind: 'test' })
  await expect.poll(async () => (await shownOn(marina)).map(({ tag }) => tag)).toEqual([`ticket ${ticketId}`])
  await clickOn(marina)
  await expect(marina).toHaveURL(new RegExp(`/tickets/${ticketId}$`))
})

test('what another app shares is begun in the composer of the chosen conversation, and not sent', async ({
  people,
  phone,
}) => {
  const { marina, name } = await inTouch(people, phone, 'Ivo', WITH_WORKER)
  await controlled(marina)
  const address = marina.url()
  const { name: file, buffer } = { name: 'bolo.png', buffer: picture('bolo.png').buffer }
  await marina.goto('/contacts')
  await controlled(marina)
  await marina.evaluate(share, { file, bytes: [...buffer] })
  const dialog = marina.getByRole('dialog', { name: 'Enviar para' })
  await expect(dialog.getByText(file)).toBeVisible()
  expect(await lookedAt(marina, standard, '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: new RegExp(name) }).click()
  await dialog.getByRole('button', { name: 'Colocar na conversa' }).click()
  await expect(marina).toHaveURL(address)
  await expect(marina.locator('form').getByRole('img', { name: file })).toBeVisible()
  await expect(compose(marina)).toHaveValue('O bolo de ontem')
  await expect.poll(() => texts(marina)).not.toContain('O bolo de ontem')
})

/** Paths of the answers that are kept for reading. */
const keptOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter(one => one.startsWith('balcao-read-'))
    const kept = await Promise.all(names.map(async one => (await caches.open(one)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })

/** What the push service would deliver to the worker. */
async function deliveryTo(page: Page) {
  const devtools = await devtoolsOf(page)
  const registered = new Promise<string>(found =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (first) found(first.registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registered
  const { origin } = new URL(page.url())
  return ({ ticketId, kind }: Pick<PushPayload, 'ticketId' | 'kind'>) => {
    const payload: PushPayload = {
      ...{ kind, ticketId, ticketUuid: null, title: 'Lia', body: 'Ainda tem?' },
      ...{ tag: `ticket ${ticketId}`, badge: 1 },
    }
    return devtools.send('ServiceWorker.deliverPushMessage', {
      ...{ origin, registrationId },
      data: JSON.stringify(payload),
    })
  }
}

const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })

/** As the system reports a click to the worker. */
const clickOn = (page: Page) =>
  page
    .context()
    .serviceWorkers()[0]!
    .evaluate(`registration.getNotifications().then(([notification]) => {
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })`)

/** As the system shares with an installed app: a form that it sends. */
function share({ file, bytes }: { file: string; bytes: number[] }) {
  const form = document.createElement('form')
  Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data' })
  const field = (type: string, name: string) => {
    const input = Object.assign(document.createElement('input'), { type, name })
    form.append(input)
    return input
  }
  field('text', 'title').value = 'O bolo de ontem'
  const files = new DataTransfer()
  files.items.add(new File([new Uint8Array(bytes)], file, { type: 'image/png' }))
  field('file', 'files').files = files.files
  document.body.append(form)
  form.submit()
}
