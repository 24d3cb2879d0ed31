import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { clients } from '@balcao/contract/clients.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { callsOf } from './call.ts'
import { campaignOf, dialogOf, main, press, rowWith } from './campaigning.ts'
import { expectToLast, stopClock } from './clock.ts'
import { newNumber } from './conversation.ts'
import { PASSWORD } from './people.ts'
import { picture } from './samples.ts'
import { expect, test, type World } from './world.ts'

const HOUR = 3_600_000

/** The admin of a company that has nothing but what is said. */
async function founded({ url }: World, switches: { enableCampaigns: boolean }): Promise<string> {
  const { call } = await callsOf(url, 'master@balcao.test')
  const stamp = newNumber()
  const email = `dona${stamp}@loja.test`
  const body = { name: `Loja ${stamp}`, email, userName: 'Dona', passwordDefault: PASSWORD, ...switches }
  await call(clients.create, { body })
  return email
}

test('a company without campaigns has no way to them; one without a second number is told so (CAMP-001, CSETUP-011)', async ({
  people,
  world,
}) => {
  const without = await people.loggedIn(await founded(world, { enableCampaigns: false }))
  await expect(without.getByRole('link', { name: 'Conexões' })).toBeVisible()
  await expect(without.getByRole('link', { name: 'Campanhas' })).toHaveCount(0)
  for (const path of ['/Campaigns', '/CampaignsCreator', '/CampaignSetups']) {
    await without.goto(path)
    await expect(without).toHaveURL('/tickets')
  }

  const alone = await people.loggedIn(await founded(world, { enableCampaigns: true }))
  await alone.getByRole('link', { name: 'Campanhas' }).click()
  await press(alone, 'Configurações')
  await press(alone, 'Adicionar configuração')
  await expect(dialogOf(alone).getByText(/^Não há conexão para campanhas/)).toBeVisible()
  await expect(dialogOf(alone).getByRole('combobox', { name: 'Conexões' })).toHaveCount(0)
})

test('the list of setups names what each is, and its form keeps every field (CSETUP-001 … CSETUP-019)', async ({
  people,
  world,
}) => {
  const stamp = newNumber()
  const { setup } = await campaignOf(world, `Da lista ${stamp}`, [newNumber()])
  const helena = await people.admin({ at: '/CampaignSetups' })
  const heads = ['Token', 'Nome', 'Fila', 'Conexões', 'Usuário', 'Início', 'Tempos (máx. | mín. | intervalo)']
  for (const name of heads) await expect(helena.getByRole('columnheader', { name })).toBeVisible()
  const row = rowWith(helena, setup.name)
  for (const words of [
    `${setup.id.slice(0, 8)}…`,
    `Linha Da lista ${stamp}`,
    'Helena',
    'Manual',
    '10 | 2 | 30',
  ])
    await expect(row).toContainText(words)

  await row.getByRole('button', { name: `Editar ${setup.name}` }).click()
  const dialog = dialogOf(helena)
  const minimum = dialog.getByLabel('Tempo mínimo')
  await expect(minimum).toHaveAttribute('title', /muito baixo pode fazer o WhatsApp banir o número/)
  await expect(dialog.getByText(/muito baixo pode fazer o WhatsApp banir o número/)).toBeVisible()
  await dialog.getByLabel('Nome', { exact: true }).fill(`Ritmo novo ${stamp}`)
  await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
  await dialog.getByLabel('Atendimento fica').selectOption('pending')
  await dialog.getByLabel('Tempo máximo').selectOption('60')
  await minimum.selectOption('9')
  await dialog.getByLabel('Intervalo').selectOption('50')
  await expect(dialog.getByLabel('Rodapé da mensagem').getByRole('option')).toHaveText(['Nada', 'Botões'])
  await dialog.getByLabel('Rodapé da mensagem').selectOption('buttons')
  await dialog.getByLabel('Pergunta').fill('Volta a comprar?')
  await dialog.getByRole('button', { name: 'Tirar o botão 3' }).click()
  await dialog.getByLabel('Botão 1', { exact: true }).fill('Volto')
  await dialog.getByLabel('Texto pequeno abaixo').fill('Lume Móveis')
  await dialog.getByLabel('Avisar este endereço ao concluir').fill('https://loja.test/fim')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByText('Configuração salva com sucesso')).toBeVisible()
  const changed = rowWith(helena, `Ritmo novo ${stamp}`)
  await expect(changed).toContainText('60 | 9 | 50')
  await expect(changed).toContainText('Vendas')

  const { call } = await callsOf(world.url)
  expect(await call(campaignSetups.show, { params: { setupId: setup.id } })).toMatchObject({
    ticketSetStatus: 'pending',
    messageFooterType: 'buttons',
    webhookUrlConcluded: 'https://loja.test/fim',
    jsonButtonOrList: {
      text: 'Volta a comprar?',
      footer: 'Lume Móveis',
      buttons: [
        { buttonId: 'id1', buttonText: { displayText: 'Volto' }, type: 1 },
        { buttonId: 'id2', buttonText: { displayText: 'Não' }, type: 1 },
      ],
    },
  })
})

test('a campaign of words and a file is made for a day within a month, found in the list, and changed (CAMP-003 … CAMP-006, CAMP-021, CAMP-025, CAMP-059)', async ({
  people,
  world,
}) => {
  const stamp = newNumber()
  const { setup } = await campaignOf(world, `Base ${stamp}`, [newNumber()])
  const { setup: lost } = await campaignOf(world, `Perdida ${stamp}`, [newNumber()])
  const helena = await people.admin({ at: '/Campaigns' })
  await press(helena, 'Adicionar campanha')
  const name = `Agosto ${stamp}`
  const file = picture()
  const nameField = helena.getByLabel('Nome', { exact: true })
  await nameField.fill(name)
  await helena.getByLabel('Configuração').selectOption({ label: lost.name })
  await helena.getByRole('textbox', { name: 'Saudação' }).fill('Oi!')
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram novidades')
  await press(helena, 'Adicionar mensagem')
  await helena.locator('input[type=file][accept*=".pdf"]').last().setInputFiles(file)
  await expect(helena.getByText(file.name)).toBeVisible()
  await helena.getByLabel('Números, um por linha').fill(newNumber())
  await press(helena, 'Adicionar números')

  await helena.getByRole('switch', { name: 'Agendar', exact: true }).click()
  await helena.getByLabel('Começa em').click()
  const calendar = helena.getByRole('dialog')
  await expect(calendar.getByRole('button', { name: 'Anterior' })).toBeDisabled()
  await calendar.getByRole('button', { name: 'Próximo' }).click()
  await expect(calendar.getByRole('button', { name: 'Próximo' })).toBeDisabled()
  await helena.keyboard.press('Escape')

  // the setup is gone before it is saved: what the server says is told, and nothing that was written is lost
  const { call } = await callsOf(world.url)
  await call(campaignSetups.remove, { params: { setupId: lost.id } })
  await press(helena, 'Salvar')
  await expect(helena.getByText('Esta configuração foi excluída: selecione outra').first()).toBeVisible()
  await expect(nameField).toHaveValue(name)
  await helena.getByLabel('Configuração').selectOption({ label: setup.name })
  await press(helena, 'Salvar')
  await expect(helena.getByRole('heading', { name })).toBeVisible()

  await helena.goto('/Campaigns')
  for (const head of ['Nome', 'Configuração', 'Status', 'Agendamento', 'Iniciada', 'Concluída'])
    await expect(helena.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  const row = rowWith(helena, name)
  await expect(row).toContainText(setup.name)
  await expect(row).toContainText('Agendada')
  await row.getByRole('button', { name: `Editar ${name}` }).click()
  await expect(helena).toHaveURL(/\/CampaignsCreator\/\d+$/)
  await expect(helena.getByText(file.name)).toBeVisible()
  await nameField.fill(`${name} B`)
  await helena.getByLabel('Mensagem 1', { exact: true }).fill('Chegaram mais novidades')
  await press(helena, 'Salvar')
  await expect(helena.getByRole('heading', { name: `${name} B` })).toBeVisible()
  await expect(helena.getByText('Chegaram mais novidades')).toBeVisible()
  await helena.goto('/Campaigns')
  await rowWith(helena, `${name} B`)
    .getByRole('button', { name: `Gerenciar ${name} B` })
    .click()
  await expect(helena).toHaveURL(/\/CampaignsManager\/\d+$/)
})

test('the manager shows how it is sent, what it says and each person, and leads to the conversation (CAMP-026 … CAMP-034, CAMP-042)', async ({
  people,
  world,
}) => {
  const stamp = newNumber()
  const number = newNumber()
  const { id, setup, line } = await campaignOf(world, `Painel ${stamp}`, [number])
  const { call } = await callsOf(world.url)
  const long = 'Chegaram as novidades de agosto, e são mais do que cabem aqui dentro'
  const schedule = new Date(Date.now() + HOUR).toISOString()
  await call(campaigns.change, {
    params: { campaignId: id },
    body: { schedule, messages: [{ greeting: 'Oi!', body: long }] },
  })
  const helena = await people.admin({ at: `/CampaignsManager/${id}` })
  await expect(helena.getByRole('heading', { level: 1, name: `Painel ${stamp}` })).toBeVisible()
  for (const name of ['START', 'Agendar', 'Concluir', 'DELETE'])
    await expect(main(helena).getByRole('button', { name, exact: true })).toBeVisible()
  const panel = (name: string) => helena.getByRole('region', { name, exact: true })
  await expect(panel('Andamento').getByText('Agendada', { exact: true })).toBeVisible()
  await expect(panel('Andamento')).toContainText(/Agendada para\d\d\/\d\d\/\d{4} \d\d:\d\d/)
  await expect(panel('Andamento')).toContainText('Mensagens enviadas 0 de 1')
  await expect(panel('Andamento')).toContainText('Falhas de envio 0 de 1')
  await expect(panel('Configuração')).toContainText(setup.name)
  await expect(panel('Configuração')).toContainText(`Linha Painel ${stamp}`)
  await expect(panel('Mensagens')).toContainText('Saudação: Oi!')
  await expect(panel('Mensagens').getByText(`${long.slice(0, 54)}...`, { exact: true })).toBeVisible()
  const heads = ['Nome', 'Número', 'Agendado', 'Status', 'Saudação enviada', 'Mensagem enviada', 'Hora']
  for (const name of [...heads, 'Atendimento'])
    await expect(helena.getByRole('columnheader', { name, exact: true })).toBeVisible()
  await expect(helena.getByRole('button', { name: /^Tirar .* da campanha$/ })).toBeVisible()

  await press(helena, 'Agendar')
  await dialogOf(helena).getByRole('switch', { name: 'Começar em um horário' }).click()
  await dialogOf(helena).getByRole('button', { name: 'Salvar' }).click()
  await expect(panel('Andamento')).toContainText('Sem agendamento')
  await stopClock(helena)
  await press(helena, 'START')
  await expectToLast(helena, helena.getByText('Você pode fechar esta página: os envios continuam.'), 15)
  await helena.clock.resume()
  await expect(panel('Andamento')).toContainText('Mensagens enviadas 1 de 1', { timeout: 30_000 })
  const row = helena.locator(`[data-dispatch="${number}"]`)
  await expect(row).toContainText('Enviada')
  await expect(row).toContainText(long)
  const [ticket] = await Promise.all([
    helena.waitForEvent('popup'),
    row.getByRole('button', { name: /^Abrir o atendimento/ }).click(),
  ])
  await expect(ticket).toHaveURL(/\/tickets\/\d+$/)
  await expect(ticket.getByText(long)).toBeVisible()
  expect(await call(simulator.chat, { params: { whatsappId: line, number } })).toHaveLength(2)
})

test('who may not change a campaign or a setup takes a copy, whole, without its people (ROLE-006)', async ({
  people,
  world,
}) => {
  const stamp = newNumber()
  const { id, setup } = await campaignOf(world, `Modelo ${stamp}`, [newNumber()])
  const marina = await people.attendant({ at: '/CampaignSetups' })
  await rowWith(marina, setup.name)
    .getByRole('button', { name: `Copiar ${setup.name}` })
    .click()
  await dialogOf(marina).getByLabel('Nome', { exact: true }).fill(`Meu ritmo ${stamp}`)
  await dialogOf(marina).getByRole('button', { name: 'Salvar' }).click()
  await expect(rowWith(marina, `Meu ritmo ${stamp}`)).toContainText('Marina')

  await marina.goto('/Campaigns')
  await marina
    .locator(`[data-campaign="${id}"]`)
    .getByRole('button', { name: `Copiar Modelo ${stamp}` })
    .click()
  await marina.getByLabel('Nome', { exact: true }).fill(`Minha ${stamp}`)
  await expect(marina.getByLabel('Mensagem 1', { exact: true })).toHaveValue('Chegaram novidades')
  await marina.getByLabel('Configuração').selectOption({ label: `Meu ritmo ${stamp}` })
  await marina.getByLabel('Números, um por linha').fill(newNumber())
  await press(marina, 'Adicionar números')
  await press(marina, 'Salvar')
  await expect(marina.getByRole('heading', { name: `Minha ${stamp}` })).toBeVisible()
  await expect(main(marina).getByRole('button', { name: 'START' })).toBeVisible()
  await expect(marina.getByText('Mensagens enviadas 0 de 1')).toBeVisible()
})

test('a conversation says which campaign it answers, and leads to it', async ({ people, world }) => {
  const stamp = newNumber()
  const number = newNumber()
  const { id, line } = await campaignOf(world, `Resposta ${stamp}`, [number])
  const { call } = await callsOf(world.url)
  await call(campaigns.process, { params: { campaignId: id, action: 'start' } })
  const isSent = async () => (await call(campaigns.show, { params: { campaignId: id } })).campaign.counts.sent
  await expect.poll(isSent, { timeout: 30_000 }).toBe(1)
  const name = `Quirina ${number.slice(-5)}`
  await call(simulator.write, { params: { whatsappId: line }, body: { number, name, body: 'Quero!' } })

  const helena = await people.admin()
  await helena.getByRole('tab', { name: /Aguardando/ }).click()
  await helena.locator('[data-ticket]').filter({ hasText: 'Quero!' }).first().click()
  await helena.getByRole('link', { name: `Responde à campanha Resposta ${stamp}` }).click()
  await expect(helena).toHaveURL(`/CampaignsManager/${id}`)
})
