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
  await expect(page.getByRole('heading', { name: 'Notificações neste aparelho' })).toBeVisible()
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

test('a click on a notification leads to its ticket in the open tab', async ({ people, phone }) => {
  const { marina } = await inTouch(people, phone, 'Lia', WITH_WORKER)
  await controlled(marina)
  const path = new URL(marina.url()).pathname
  await marina.goto('/contacts')
  await controlled(marina)
  // the headless shell of Chromium shows none to be clicked on: it is reported to the worker as the system does
  const notification = `{ data: { path: '${path}' }, close() {} }`
  const click = `Object.assign(new ExtendableEvent('notificationclick'), { notification: ${notification} })`
  await marina.context().serviceWorkers()[0]!.evaluate(`void dispatchEvent(${click})`)
  await expect(marina).toHaveURL(new RegExp(`${path}$`))
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
