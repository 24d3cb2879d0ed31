import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { accept, addConnection, codeOf, connect, expect, rowOf, test } from './whatsapp.ts'

test('a number is connected by its QR code; a customer’s encrypted message is answered and its receipts turn the marks', async ({
  people,
  whatsapp,
}) => {
  const helena = await people.admin()
  const shop = newNumber()
  const owner = await whatsapp.addPhone(shop, { name: 'Lume Pituba' })
  await addConnection(helena, 'Loja Pituba')
  const code = await codeOf(helena, 'Loja Pituba')
  await expectAccessible(helena)
  await owner.scan(code)
  await expect(helena.getByRole('dialog')).toBeHidden()
  await expect(rowOf(helena, 'Loja Pituba')).toContainText('Conectada')
  await expect(rowOf(helena, 'Loja Pituba')).toContainText(`+${shop}`)

  const marina = await people.attendant()
  const renata = await whatsapp.addPhone(newNumber(), { name: 'Renata Vasconcelos' })
  await renata.write(shop, 'Meu sofá chegou com a cor errada')
  await accept(marina, 'Renata Vasconcelos', 'Meu sofá chegou com a cor errada')
  await marina.getByLabel('Escreva uma mensagem').fill('Vamos trocar, Renata.')
  await marina.keyboard.press('Enter')
  const bubble = marina.locator('article', { hasText: 'Vamos trocar' })
  await expect.poll(() => renata.received().map(received => received.text)).toContain('Vamos trocar, Renata.')
  await expect(bubble.locator('[data-ack="3"]')).toBeVisible()
  await renata.read(...renata.received().map(received => received.id))
  await expect(bubble.locator('[data-ack="4"]')).toBeVisible()
  expect(whatsapp.unknown).toEqual([])
})

test('the dialog shows each new code as it comes: WhatsApp’s next one, and one that is asked for; the last is scanned (CONN-012)', async ({
  people,
  whatsapp,
}) => {
  const helena = await people.admin()
  const owner = await whatsapp.addPhone(newNumber(), { name: 'Lume Praia' })
  await addConnection(helena, 'Loja Praia')
  const first = await codeOf(helena, 'Loja Praia')
  const shown = () => helena.locator('[data-qr]').getAttribute('data-qr', { timeout: 1_000 })
  const another = async (...before: string[]) => {
    await expect.poll(async () => !before.includes((await shown().catch(() => null)) ?? first)).toBe(true)
    return (await shown())!
  }
  whatsapp.dropSockets()
  const second = await another(first)
  await helena.getByRole('dialog').getByRole('button', { name: 'Novo QR Code' }).click()
  await owner.scan(await another(first, second))
  await expect(helena.getByRole('dialog')).toBeHidden()
  await expect(rowOf(helena, 'Loja Praia')).toContainText('Conectada')
})

test('a number is connected by a code to type', async ({ people, whatsapp }) => {
  const helena = await people.admin()
  const number = newNumber()
  const owner = await whatsapp.addPhone(number, { name: 'Lume Corporativo' })
  await addConnection(helena, 'Corporativo')
  await rowOf(helena, 'Corporativo').getByRole('button', { name: 'Novo QR Code' }).click()
  await helena.getByRole('button', { name: 'Parear por número' }).click()
  await helena
    .getByLabel(/Número deste WhatsApp/)
    .fill(`+55 ${number.slice(2, 4)} ${number.slice(4, 9)}-${number.slice(9)}`)
  await helena.getByRole('button', { name: 'Gerar código' }).click()
  const code = helena.locator('[data-pairing-code]')
  await expect(code).toBeVisible()
  await owner.enterCode((await code.getAttribute('data-pairing-code'))!)
  await expect(rowOf(helena, 'Corporativo')).toContainText('Conectada')
})

test('a device removed on the phone is shown as disconnected, without a loop', async ({
  people,
  whatsapp,
}) => {
  const helena = await people.admin()
  const owner = await whatsapp.addPhone(newNumber(), { name: 'Lume Feirão' })
  await connect(helena, 'Feirão', owner)
  await owner.unlink()
  await expect(rowOf(helena, 'Feirão')).toContainText('Desconectada')
  await expect(rowOf(helena, 'Feirão').getByRole('button', { name: 'Novo QR Code' })).toBeVisible()
  await rowOf(helena, 'Feirão').getByRole('button', { name: 'Tentar novamente' }).click()
  await expect(rowOf(helena, 'Feirão')).not.toContainText('Desconectada')
})

test('what can be done with a session follows its state: one that pairs or timed out is ended, one that opens is cleaned', async ({
  people,
  product,
}) => {
  const helena = await people.admin()
  const { call } = await callsOf(product.url)
  const add = async (name: string) => {
    const params = { whatsappId: (await call(connections.create, { body: { name, lib: 'simulator' } })).id }
    await call(connections.start, { params })
    return params
  }
  await call(simulator.fault, { params: await add('Caída'), body: { kind: 'offline' } })
  for (const name of ['Pareando', 'Esgotada']) await add(name)
  // states that a session leaves by itself are shown as if the server had just said them
  const shown: Record<string, string> = { Pareando: 'PAIRING', Esgotada: 'TIMEOUT' }
  await helena.route('**/whatsapp', async route => {
    const answer = await route.fetch()
    const all = (await answer.json()) as { name: string; status: string }[]
    await route.fulfill({
      response: answer,
      json: all.map(one => ({ ...one, status: shown[one.name] ?? one.status })),
    })
  })
  await helena.goto('/connections')
  await expect(rowOf(helena, 'Caída')).toContainText('Conectando')
  await rowOf(helena, 'Caída').getByRole('button', { name: 'Limpar sessão' }).click()
  await expect(rowOf(helena, 'Caída')).toContainText('Desconectada')
  for (const name of ['Pareando', 'Esgotada']) {
    await expect(rowOf(helena, name)).toContainText(name === 'Pareando' ? 'Pareando' : 'Tempo esgotado')
    await rowOf(helena, name).getByRole('button', { name: 'Desconectar' }).click()
    await helena.getByRole('dialog').getByRole('button', { name: 'Desconectar' }).click()
    await expect(rowOf(helena, name)).toContainText('Desconectada')
  }
})

test('a form names what is missing; the notification centre is the master’s to switch', async ({
  people,
}) => {
  const ask = async (page: Page) => {
    await page.goto('/connections')
    await page.getByRole('button', { name: 'Adicionar conexão' }).click()
    return page.getByRole('dialog')
  }
  const helena = await ask(await people.admin())
  await helena.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Obrigatório')).toBeVisible()
  await expect(helena.getByText('Too Short!')).toBeHidden()
  await expect(helena.getByLabel('Central de notificações')).toBeHidden()

  const master = await people.master()
  const dialog = await ask(master)
  await dialog.getByLabel('Nome').fill('Cobrança')
  await dialog.getByLabel('Tipo de conexão').selectOption('baileys')
  await dialog.getByRole('switch', { name: 'Central de notificações' }).click()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await rowOf(master, 'Cobrança').getByRole('button', { name: 'Editar' }).click()
  await expect(dialog.getByRole('switch', { name: 'Central de notificações' })).toBeChecked()
})
