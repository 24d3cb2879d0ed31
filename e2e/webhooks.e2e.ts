import { simulator } from '@balcao/contract/simulator.ts'
import { type Receiver, startReceiver } from '../apps/server/testing/receiver.ts'
import { callsOf } from './call.ts'
import { dialogOf, press, rowWith, secondLine } from './campaigning.ts'
import { newNumber } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test as shared, startWorld } from './world.ts'

/** A world whose other systems stand beside it. */
const test = shared.extend<object, { receiver: Receiver }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
    async ({}, use) => {
      const world = await startWorld({ OUTBOUND_ALLOW: '127.0.0.1' })
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  receiver: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const receiver = await startReceiver()
      await use(receiver)
      receiver.close()
    },
    { scope: 'worker' },
  ],
})

test('an admin adds a webhook, tests it, reads what another system was told of a customer, signed, and sends it again', async ({
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
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog.getByText('Este endereço é de uma rede privada e não pode ser chamado')).toBeVisible()
  await dialog.getByLabel('Endereço').fill(receiver.url('/aviso'))
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

  receiver.answer('/aviso', 500)
  const number = newNumber()
  await phone.write(number, 'Vocês entregam hoje?', 'Rita')
  const received = dialog.getByRole('row').filter({ hasText: 'Mensagem recebida' })
  // what happened to the ticket before goes first, again and again
  await expect(dialog.getByRole('row').filter({ hasText: 'Atendimento alterado' })).toContainText(
    'Respondeu 500',
  )
  await expect(received).toContainText('Aguardando')
  receiver.answer('/aviso', 204)
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
  await dialog.getByText('Falhou', { exact: true }).click()
  await expect(dialog.getByText('Nenhuma entrega')).toBeVisible()

  await dialog.getByRole('button', { name: 'Renovar o segredo' }).click()
  await helena
    .getByRole('dialog', { name: 'Renovar o segredo?' })
    .getByRole('button', { name: 'Renovar' })
    .click()
  await expect(helena.getByText('Segredo renovado')).toBeVisible()
  await expect(dialog.getByLabel('Segredo da assinatura', { exact: true })).not.toHaveValue(secret)
})

test('who receives says that it is gone: an admin sees why it is off, switches it on, and deletes it', async ({
  people,
  receiver,
}) => {
  const helena = await people.admin()
  const dialog = helena.getByRole('dialog')
  receiver.answer('/foi', 410)
  await helena.goto('/webhooks/new')
  await dialog.getByLabel('Nome').fill('Sistema antigo')
  await dialog.getByLabel('Endereço').fill(receiver.url('/foi'))
  await dialog.getByLabel('Mensagem recebida').uncheck()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const row = helena.getByRole('row').filter({ hasText: 'Sistema antigo' })
  await expect(row).not.toContainText('Mensagem recebida')
  await row.getByRole('button', { name: 'Entregas de Sistema antigo' }).click()
  await dialog.getByRole('button', { name: 'Enviar um teste' }).click()
  await expect(dialog.getByRole('row').filter({ hasText: 'Teste' })).toContainText('Respondeu 410')
  await helena.keyboard.press('Escape')
  await expect(row).toContainText('Desligado: o endereço disse que não existe mais (410)')
  await inTheDark(helena)
  await helena.reload()
  await expect(row).toContainText('Última falha')
  await expectAccessible(helena)
  await row.getByRole('button', { name: /Editar/ }).click()
  await dialog.getByRole('switch', { name: 'Ativo' }).check()
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(row).toContainText('Ativo')
  await row.getByRole('button', { name: /Excluir/ }).click()
  await dialog.getByRole('button', { name: 'Excluir' }).click()
  await expect(row).toBeHidden()
})

test('another company sees none of them, an attendant is not offered them, and on a phone nothing is cut off', async ({
  people,
  receiver,
}) => {
  const helena = await people.admin()
  const dialog = helena.getByRole('dialog')
  await helena.setViewportSize({ width: 390, height: 844 })
  await helena.goto('/apisendmessage')
  await helena.getByRole('link', { name: 'Webhooks' }).click()
  await helena.getByRole('button', { name: 'Adicionar webhook' }).click()
  await dialog.getByLabel('Nome').fill('No celular')
  await dialog.getByLabel('Endereço').fill(receiver.url(`/${'muito-longo-'.repeat(12)}`))
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  const row = helena.getByRole('row').filter({ hasText: 'No celular' })
  const isWider = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  await expect(row).toBeVisible()
  expect(await helena.evaluate(isWider)).toBe(false)
  await row.getByRole('button', { name: 'Entregas de No celular' }).click()
  await dialog.getByRole('button', { name: 'Enviar um teste' }).click()
  await expect(dialog.getByRole('row').filter({ hasText: 'Teste' })).toContainText('Entregue')
  expect(await helena.evaluate(isWider)).toBe(false)

  const stranger = await people.stranger({ at: '/webhooks' })
  await expect(stranger.getByText('Ainda não há webhooks')).toBeVisible()
  const marina = await people.attendant({ at: '/api' })
  await expect(marina.getByRole('link', { name: 'Tokens da API' })).toBeVisible()
  await expect(marina.getByRole('link', { name: 'Webhooks' })).toBeHidden()
})

test('a campaign goes from a spreadsheet to its people; another system is told how it ended, signed with the setup’s secret', async ({
  people,
  receiver,
  world,
}) => {
  const line = await secondLine(world, 'Linha da planilha')
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
  await expectAccessible(helena)
  await helena.keyboard.press('Escape')

  const [ana, bia] = [newNumber(), newNumber()]
  const sheet = ['number,name_opcional,email_opcional', `${ana},Ana,`, `${bia},Bia,`, 'abc,Ninguém,'].join(
    '\n',
  )
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
  await expect(helena.getByText('clientes.csv: 2 com número válido, 0 repetidos, 1 recusados')).toBeVisible()
  await press(helena, 'Salvar')
  // it starts as soon as it stands, as its setup says
  await expect(helena).toHaveURL(/\/CampaignsManager\/\d+$/)
  const campaignId = Number(new URL(helena.url()).pathname.split('/').at(-1))
  await expect(helena.getByText('Finalizada', { exact: true })).toBeVisible({ timeout: 60_000 })
  const { call } = await callsOf(world.url)
  for (const [number, name] of [
    [ana, 'Ana'],
    [bia, 'Bia'],
  ] as const) {
    const chat = await call(simulator.chat, { params: { whatsappId: line, number } })
    expect(chat.map(({ body }) => body)).toEqual([`Oi ${name}!`, 'Chegaram novidades'])
  }
  const told = () => receiver.told.filter(({ path }) => path === '/fim')
  await expect.poll(() => told().length, { timeout: 30_000 }).toBe(1)
  const [end] = told()
  expect(end!.isSignedWith(secret)).toBe(true)
  const sent = (number: string, name: string) => ({ number, name, status: 'sent' })
  expect(JSON.parse(end!.body)).toMatchObject({
    ...{ campaignId, campaingnName: 'Da planilha' },
    campaignDispatchs: [sent(ana, 'Ana'), sent(bia, 'Bia')],
  })
})
