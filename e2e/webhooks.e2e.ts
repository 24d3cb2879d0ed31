import { simulator } from '@balcao/contract/simulator.ts'
import { type Receiver, startReceiver } from '../apps/server/testing/receiver.ts'
import { dialogOf, press, rowWith, secondConnection } from './campaigning.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible } from './people.ts'
import { test as base, expect } from './world.ts'

/** So long that no telephone shows it in one line. */
const NOTICE = `/aviso/${'muito-longo-'.repeat(12)}`

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
  receiver: async ({}, use) => {
    const receiver = await startReceiver()
    await use(receiver)
    receiver.close()
  },
})

test('an admin adds a webhook, tests it, reads what another system was told of a customer, signed, and sends it again, also on a phone', async ({
  people,
  phone,
  receiver,
}) => {
  const helena = await people.admin()
  const dialog = helena.getByRole('dialog')
  await helena.goto('/api')
  await helena.getByRole('link', { name: 'Webhooks' }).click()
  await expect(helena).toHaveURL('/webhooks')
  await expect(helena.getByText('Ainda não há webhooks')).toBeVisible()
  await helena.getByRole('button', { name: 'Adicionar webhook' }).click()
  await dialog.getByLabel('Nome').fill('Loja virtual')
  await dialog.getByLabel('Endereço').fill('http://10.0.0.1/aviso')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Este endereço é de uma rede privada e não pode ser chamado')).toBeVisible()
  await dialog.getByLabel('Endereço').fill(receiver.url(NOTICE))
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const row = helena.getByRole('row').filter({ hasText: 'Loja virtual' })
  await expect(row).toContainText('Ativo')

  await row.getByRole('button', { name: 'Entregas de Loja virtual' }).click()
  await expect(dialog.getByText('Nenhuma entrega')).toBeVisible()
  await dialog.getByRole('button', { name: 'Mostrar o segredo' }).click()
  const secret = await dialog.getByLabel('Segredo da assinatura', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Enviar um teste' }).click()
  const ping = dialog.getByRole('row').filter({ hasText: 'Teste' })
  await expect(ping).toContainText('Respondeu 204')
  await expectAccessible(helena)

  receiver.answer(NOTICE, 500)
  const number = newNumber()
  await phone.write(number, 'Vocês entregam hoje?', 'Rita')
  const received = dialog.getByRole('row').filter({ hasText: 'Mensagem recebida' })
  // what happened to the ticket before goes first, again and again
  await expect(dialog.getByRole('row').filter({ hasText: 'Atendimento alterado' })).toContainText(
    'Respondeu 500',
  )
  await expect(received).toContainText('Aguardando')
  receiver.answer(NOTICE, 204)
  await expect(received).toContainText('Entregue', { timeout: 20_000 })
  const told = () => receiver.told.filter(({ type }) => type === 'message.received')
  expect(told().at(-1)!.data).toMatchObject({ contactNumber: number, body: 'Vocês entregam hoje?' })
  expect(receiver.told.every(one => one.isSignedWith(secret))).toBe(true)
  await received.getByText('O que foi enviado').click()
  await expect(received).toContainText('Vocês entregam hoje?')
  const before = told().length
  await received.getByRole('button', { name: /Enviar de novo: Mensagem recebida/ }).click()
  await expect.poll(() => told().length).toBe(before + 1)
  expect(new Set(told().map(({ id }) => id)).size).toBe(1)

  const isWider = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  await helena.setViewportSize({ width: 390, height: 844 })
  await expect(received).toContainText('Entregue')
  expect(await helena.evaluate(isWider)).toBe(false)
  await helena.keyboard.press('Escape')
  await expect(row).toBeVisible()
  expect(await helena.evaluate(isWider)).toBe(false)
})

test('a campaign goes from a spreadsheet to its people; another system is told how it ended, signed with the setup’s secret [OP-95, CSETUP-018, CAMP-056 … CAMP-057]', async ({
  people,
  receiver,
  shop,
}) => {
  const line = await secondConnection(shop, 'Linha da planilha')
  const helena = await people.admin()
  const dialog = dialogOf(helena)
  await helena.goto('/Campaigns')
  await press(helena, 'Configurações')
  await press(helena, 'Adicionar configuração')
  await dialog.getByLabel('Nome', { exact: true }).fill('Ritmo da planilha')
  await dialog.getByRole('combobox', { name: 'Conexões' }).click()
  await helena.getByRole('option', { name: 'Linha da planilha' }).click()
  await helena.keyboard.press('Escape')
  await dialog.getByLabel('Tempo máximo').selectOption('10')
  await dialog.getByLabel('Tempo mínimo').selectOption('1')
  await dialog.getByLabel('Intervalo').selectOption('5')
  await dialog.getByLabel('Avisar este endereço ao concluir').fill(receiver.url('/fim'))
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await rowWith(helena, 'Ritmo da planilha').getByRole('button', { name: 'Editar Ritmo da planilha' }).click()
  await dialog.getByRole('button', { name: 'Mostrar o segredo' }).click()
  const secret = await dialog.getByLabel('Segredo da assinatura', { exact: true }).inputValue()
  await helena.keyboard.press('Escape')

  // one recipient: pauses between two are configured in its setup
  const ana = newNumber()
  const sheet = ['number,name_opcional,email_opcional', `${ana},Ana,`, 'abc,Ninguém,'].join('\n')
  await helena.goto('/CampaignsCreator')
  await helena.getByLabel('Nome', { exact: true }).fill('Da planilha')
  await helena.getByLabel('Configuração').selectOption({ label: 'Ritmo da planilha' })
  await helena.getByRole('textbox', { name: 'Saudação' }).fill('Oi {{nome|tudo bem}}!')
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram novidades')
  await helena.getByText('Planilha', { exact: true }).first().click()
  await helena
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  await expect(helena.getByText('clientes.csv: 1 com número válido, 0 repetidos, 1 recusados')).toBeVisible()
  await press(helena, 'Salvar')
  // it starts as soon as it is created, as configured in its setup
  await expect(helena).toHaveURL(/\/CampaignsManager\/\d+$/)
  const campaignId = Number(new URL(helena.url()).pathname.split('/').at(-1))
  await expect(helena.getByText('Finalizada', { exact: true })).toBeVisible({ timeout: 60_000 })
  const { call } = shop
  const chat = await call(simulator.chat, { params: { whatsappId: line, number: ana } })
  expect(chat.map(({ body }) => body)).toEqual(['Oi Ana!', 'Chegaram novidades'])
  const told = () => receiver.told.filter(({ path }) => path === '/fim')
  await expect.poll(() => told().length, { timeout: 30_000 }).toBe(1)
  const [end] = told()
  expect(end!.isSignedWith(secret)).toBe(true)
  expect(JSON.parse(end!.body)).toMatchObject({
    ...{ campaignId, campaingnName: 'Da planilha' },
    campaignDispatchs: [{ number: ana, name: 'Ana', status: 'sent' }],
  })
})
