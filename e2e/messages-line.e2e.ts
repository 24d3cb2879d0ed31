import { bubbles, compose, inTouch, say, sentBy, texts } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { picture } from './samples.ts'
import { expect, test } from './world.ts'

test('a day with a bad line: what is written while it is cut waits, survives a reload, and leaves in order, once [LIVE-011]', async ({
  people,
  phone,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  const address = marina.url()
  await say(marina, 'antes')
  await expect.poll(() => sentBy(phone, number)).toEqual(['antes'])
  await marina.clock.install()
  await marina.context().setOffline(true)
  await expect(marina.getByText('Sem conexão. Você pode continuar escrevendo.')).toBeVisible()
  for (const text of ['primeira', 'segunda', 'terceira']) await say(marina, text)
  await marina.locator('[data-attach]').setInputFiles([picture('nota.png')])
  await say(marina, 'com foto')
  await compose(marina).fill('ainda escrevo')
  await phone.write(number, 'você está aí?')
  await marina.clock.fastForward(30_000)
  const waiting = bubbles(marina).filter({ hasText: 'terceira' })
  await expect(waiting.getByRole('img', { name: 'Enviando' })).toBeVisible()
  await expect(marina.getByText('Não enviada')).toHaveCount(0)
  await expectAccessible(marina)

  // the page is closed while disconnected; one that is only left may send once more
  const context = marina.context()
  await marina.close()
  await context.setOffline(false)
  const again = await context.newPage()
  // when the server is back it refuses requests at first
  await again.route('**/messages/*/*', (route, request) =>
    request.method() === 'POST' ? route.abort() : route.fallback(),
  )
  await again.goto(address)
  await expect(again.getByRole('region', { name: `Conversa com ${name}` })).toBeVisible()
  await expect(bubbles(again).filter({ hasText: 'com foto' })).toBeVisible()
  const last = async (many: number) => (await texts(again)).slice(-many)
  const waits = ['primeira', 'segunda', 'terceira', 'com foto']
  await expect.poll(() => last(5)).toEqual(['você está aí?', ...waits])
  await expect(bubbles(again).filter({ hasText: 'com foto' }).locator('img')).toBeVisible()
  await expect(compose(again)).toHaveValue('ainda escrevo')
  expect(await sentBy(phone, number)).toEqual(['antes'])
  await again.unroute('**/messages/*/*')
  await expect.poll(() => sentBy(phone, number), { timeout: 60_000 }).toEqual(['antes', ...waits])
  await expect(bubbles(again).locator('[data-ack="2"]')).toHaveCount(5)
  await again.reload()
  await expect(bubbles(again).filter({ hasText: 'com foto' })).toBeVisible()
  await expect.poll(() => last(6)).toEqual(['antes', 'você está aí?', ...waits])
  expect((await sentBy(phone, number)).length).toBe(5)
})

test('two tabs of one person: what waits in both leaves once and in order, whichever is closed', async ({
  people,
  phone,
}) => {
  const { marina, number } = await inTouch(people, phone)
  const there = await marina.context().newPage()
  await there.goto(marina.url())
  await expect(bubbles(there).filter({ hasText: 'Olá!' })).toBeVisible()
  await marina
    .context()
    .route('**/messages/*/*', (route, request) =>
      request.method() === 'POST' ? route.abort() : route.fallback(),
    )
  await say(marina, 'desta aba')
  await expect(bubbles(marina).filter({ hasText: 'desta aba' })).toBeVisible()
  await say(there, 'daquela aba')
  await expect(bubbles(there).filter({ hasText: 'daquela aba' })).toBeVisible()
  await marina.close()
  await there.context().unroute('**/messages/*/*')
  await expect.poll(() => sentBy(phone, number), { timeout: 60_000 }).toEqual(['desta aba', 'daquela aba'])
  await expect(bubbles(there).locator('[data-ack="2"]')).toHaveCount(2)
})

test('what one person wrote and could not send is neither seen nor sent by the next one at this screen', async ({
  people,
  phone,
  shop,
}) => {
  const { marina, number, name } = await inTouch(people, phone)
  const address = marina.url()
  await marina.route('**/messages/*/*', (route, request) =>
    request.method() === 'POST' ? route.abort() : route.fallback(),
  )
  await say(marina, 'só da Marina')
  await compose(marina).fill('rascunho da Marina')
  await expect(bubbles(marina).filter({ hasText: 'só da Marina' })).toBeVisible()
  await marina.getByRole('button', { name: /Marina Duarte/ }).click()
  await marina.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(marina).toHaveURL(/\/login$/)
  expect(
    await marina.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('draft'))),
  ).toEqual([])
  await marina.unroute('**/messages/*/*')
  const enter = async (email: string) => {
    await marina.getByLabel('E-mail').fill(email)
    await marina.getByLabel('Senha', { exact: true }).fill('balcao-demo')
    await marina.getByRole('button', { name: 'Acessar' }).click()
    // the address changes before the screen has come
    await expect(marina).toHaveURL(/\/tickets/)
    await expect(marina.locator('main h1')).toBeAttached()
    await marina.goto(address)
    await expect(marina.getByRole('region', { name: `Conversa com ${name}` })).toBeVisible()
  }
  await enter(shop.admin)
  await expect(bubbles(marina).filter({ hasText: 'Olá!' })).toBeVisible()
  await expect(bubbles(marina).filter({ hasText: 'só da Marina' })).toHaveCount(0)
  await expect(compose(marina)).toHaveValue('')
  expect(await sentBy(phone, number)).toEqual([])
  await marina.getByRole('button', { name: /Helena/ }).click()
  await marina.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(marina).toHaveURL(/\/login$/)
  await enter(shop.attendant)
  await expect.poll(() => sentBy(phone, number)).toEqual(['só da Marina'])
})
