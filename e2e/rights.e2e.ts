import { auth, type Session } from '@balcao/contract/auth.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { users } from '@balcao/contract/users.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { newNumber, say, sentBy } from './conversation.ts'
import { PASSWORD } from './people.ts'
import { expect, test } from './world.ts'

test('what a group takes away is not on the screen: greeting, signature, the way into a waiting ticket; given back, it is there at once', async ({
  people,
  phone,
  world,
}) => {
  const { call, user: helena } = await callsOf(world.url)
  const number = newNumber()
  const name = `Ester ${number.slice(-5)}`
  const group = { name: `Restritos ${number}`, disableGreeting: true, disableSignature: true }
  const { id: authorizationId } = await call(permissions.create, {
    body: { ...group, allowViewPendingTickets: false },
  })
  const email = `rute${number}@balcao.test`
  await call(users.create, {
    body: {
      ...{ name: 'Rute Reis', email, password: PASSWORD, profile: 'user' },
      ...{ queueIds: helena.queueIds, whatsappId: phone.whatsappId, userAuthorizationId: authorizationId },
    },
  })
  await phone.write(number, 'Alguém aí?', name)

  const rute = await people.loggedIn(email)
  const place = rute.getByRole('listitem').filter({ hasText: name })
  const switchOf = (label: string) => rute.getByRole('switch', { name: label })
  await rute.getByRole('tab', { name: /Aguardando/ }).click()
  await expect(place).toBeVisible()
  await expect(place.getByRole('link')).toHaveCount(0)
  await rute.goto('/kanban')
  const closed = rute.getByRole('article').filter({ hasNot: rute.getByRole('link') })
  await closed.first().locator('[data-ticket]').focus()
  for (const key of ['ArrowDown', 'ArrowUp', 'Space']) await rute.keyboard.press(key)
  await expect(rute.getByRole('dialog', { name: /^Mover / })).toBeVisible()
  await rute.goto('/tickets')
  await rute.getByRole('tab', { name: /Aguardando/ }).click()
  await place.click()
  await place.getByRole('button', { name: 'Aceitar' }).click()
  await rute.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await rute.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  await say(rute, 'Estou aqui')
  await expect.poll(() => sentBy(phone, number)).toEqual(['Estou aqui'])
  await expect(switchOf('Saudação')).toHaveCount(0)
  await expect(switchOf('Assinar')).toHaveCount(0)
  // the entry of the menu stands for the lists and for what is opened of them
  await expect(rute).toHaveURL(/tickets\/\d+$/)
  await expect(rute.getByRole('link', { name: 'Atendimentos' })).toHaveAttribute('aria-current', 'page')

  await call(permissions.change, {
    params: { authorizationId },
    body: { ...group, disableGreeting: false, disableSignature: false, allowViewPendingTickets: true },
  })
  await expect(switchOf('Saudação')).toBeVisible()
  await expect(switchOf('Assinar')).toBeVisible()
  await switchOf('Assinar').click()
  await expect(switchOf('Assinar')).toBeChecked()
  await rute.reload()
  await expect(switchOf('Assinar')).toBeChecked()
  await say(rute, 'Com meu nome')
  await expect.poll(async () => (await sentBy(phone, number)).at(-1)).toContain('Rute Reis')
  await rute.getByRole('tab', { name: /Aguardando/ }).click()
  await rute.getByRole('listitem').getByRole('link').first().click()
  await expect(rute.getByRole('region', { name: /^Conversa com / })).not.toHaveAccessibleName(
    `Conversa com ${name}`,
  )
})

test('the menu offers what one may open: five entries to everybody, the administration to admins (MENU-001, MENU-007, MENU-008)', async ({
  people,
}) => {
  const offered = (page: Page) =>
    page
      .getByRole('navigation', { name: 'Menu principal' })
      .getByRole('link')
      .evaluateAll(links => links.map(link => link.getAttribute('href')))
  const everybody = ['/tickets', '/contacts', '/schedules', '/quickAnswers', '/connections']
  const marina = await people.attendant()
  await expect.poll(() => offered(marina)).toEqual(everybody)
  await expect(marina.getByRole('button', { name: 'Administração' })).toHaveCount(0)
  const helena = await people.admin()
  await helena.getByRole('button', { name: 'Administração', exact: true }).click()
  const chosen = helena.getByRole('menuitem')
  for (const name of ['Usuários', 'Etiquetas', 'Filas', 'Localizações', 'Bots', 'Fluxos', 'Configurações'])
    await expect(chosen.filter({ hasText: name }).first()).toBeVisible()
})

test('what the plan lacks stands in the menu and cannot be chosen: flows, the AI integration (MENU-009, MENU-010)', async ({
  people,
}) => {
  const helena = await people.admin()
  const entries = { Fluxos: 'enableFlows', 'Integração IA': 'iaIntegrationEnabled' } as const
  for (const lacks of Object.values(entries)) {
    // another plan is shown as if the server had just told it
    await helena.route(`**${auth.refresh.path}`, async route => {
      const response = await route.fetch()
      const session = (await response.json()) as Session
      const plan = session.user.company.plan.map(one => ({ ...one, [lacks]: false }))
      const company = { ...session.user.company, plan }
      await route.fulfill({ response, json: { ...session, user: { ...session.user, company } } })
    })
    await helena.reload()
    await helena.getByRole('button', { name: 'Administração', exact: true }).click()
    for (const [name, flag] of Object.entries(entries)) {
      const entry = helena.getByRole('menuitem', { name, exact: true })
      if (flag === lacks) await expect(entry).toBeDisabled()
      else await expect(entry).toBeEnabled()
    }
    await helena.unroute(`**${auth.refresh.path}`)
  }
  await helena.getByRole('menuitem', { name: 'Fluxos', exact: true }).click()
  await expect(helena).toHaveURL(/flowlist$/i)
})

test('what stands with a conversation follows its group: all of the customer, what oneself attended, this ticket alone; and so does a second ticket (OP-67, OP-69)', async ({
  people,
  phone,
  world,
}) => {
  const { call, user: helena } = await callsOf(world.url)
  const number = newNumber()
  const name = `Lívia ${number.slice(-5)}`
  const group = {
    name: `Modos ${number}`,
    viewMessagesByTicket: 0 as 0 | 1 | 2,
    allowMultipleTickets: 0 as 0 | 1,
  }
  const { id: authorizationId } = await call(permissions.create, { body: group })
  const email = `ana${number}@balcao.test`
  await call(users.create, {
    body: {
      ...{ name: 'Ana Reis', email, password: PASSWORD, profile: 'user' },
      ...{ queueIds: helena.queueIds, whatsappId: phone.whatsappId, userAuthorizationId: authorizationId },
    },
  })
  const attended = async (page: Page, words: string) => {
    await phone.write(number, words, name)
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await page.locator('[data-ticket]').filter({ hasText: name }).click()
    const pane = page.getByRole('region', { name: `Conversa com ${name}` })
    await pane.getByRole('button', { name: 'Aceitar' }).first().click()
    await page.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
    await page.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
    await expect(page.getByLabel('Escreva uma mensagem')).toBeVisible()
  }
  const resolve = async (page: Page) => {
    const pane = page.getByRole('region', { name: `Conversa com ${name}` })
    await pane.getByRole('button', { name: 'Resolver' }).click()
    await expect(page).toHaveURL('/tickets')
  }
  const marina = await people.attendant()
  await attended(marina, 'Dito à Marina')
  await resolve(marina)
  const ana = await people.loggedIn(email)
  await attended(ana, 'Dito à Ana antes')
  await resolve(ana)
  await attended(ana, 'Dito à Ana agora')

  const shown = ['Dito à Marina', 'Dito à Ana antes', 'Dito à Ana agora']
  const log = ana.getByRole('log')
  for (const mode of [0, 1, 2] as const) {
    await call(permissions.change, {
      params: { authorizationId },
      body: { ...group, viewMessagesByTicket: mode },
    })
    await ana.reload()
    await expect(log.getByText(shown[2]!)).toBeVisible()
    for (const [at, words] of shown.entries())
      await expect(log.getByText(words)).toHaveCount(at < mode ? 0 : 1)
  }

  const second = async () => {
    await ana.getByRole('button', { name: 'Novo atendimento' }).click()
    const dialog = ana.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Contato' }).fill(name)
    await dialog.getByRole('option', { name }).first().click()
    await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
    await dialog.getByRole('button', { name: 'Iniciar' }).click()
  }
  const first = ana.url()
  await second()
  await expect(ana.getByText('Você já tem um ticket aberto para este contato')).toBeVisible()
  await expect(ana).toHaveURL(first)
  await call(permissions.change, { params: { authorizationId }, body: { ...group, allowMultipleTickets: 1 } })
  await ana.reload()
  await second()
  await expect(ana).not.toHaveURL(first)
  await expect(ana).toHaveURL(/tickets\/\d+$/)
})
