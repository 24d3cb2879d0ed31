import { CampaignSetup, campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { Connection, connections } from '@balcao/contract/connections.ts'
import { Flow, flows } from '@balcao/contract/flows.ts'
import { expect, test } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena, marina } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const lines = samples(Connection, [
  { id: 1, name: 'Loja Centro', isDefault: true, status: 'CONNECTED' },
  { id: 2, name: 'Linha de campanhas', lib: 'simulator', status: 'CONNECTED' },
])
const known = sample(CampaignSetup, {
  ...{ id: uuid(7), name: 'Ritmo calmo', companyId: 2, userId: 2, user: { id: 2, name: 'Helena Prado' } },
  ...{
    tMax: 10,
    tMin: 2,
    interval: 30,
    autoStart: false,
    ticketSetStatus: 'closed',
    messageFooterType: 'none',
  },
  whatsapps: [{ id: 2, name: 'Linha de campanhas', number: '', lib: 'simulator', status: 'CONNECTED' }],
})
const table = sample(Flow, { id: 8, name: 'Tabela de preços', type: 'Bot' })
const answering =
  (rows: CampaignSetup[], with_ = lines) =>
  (server: Server) =>
    server
      .on(connections.list, with_)
      .on(flows.list, { flows: [table], hasMore: false })
      .on(flows.show, table)
      .on(campaignSetups.list, () => ({ campaignSetups: rows, hasMore: false }))
      .on(campaignSetups.show, () => rows[0]!)
      .on(campaignSetups.create, () => known)
      .on(campaignSetups.change, () => known)

test('a company without campaigns has no way to them; one without a second number is told so (CAMP-001, CSETUP-011) [MENU-006, OP-30, CSETUP-011, CAMP-001]', async () => {
  const page = enter('/CampaignSetups', butWith(helena, { company: { enableCampaigns: false } }))
  await expect.poll(() => location.pathname).toBe('/tickets')
  await page.find('link', 'Conexões')
  expect(page.maybe('link', 'Campanhas')).toBeNull()
  const alone = enter('/CampaignSetups/new', helena, { answers: answering([], lines.slice(0, 1)) })
  await alone.dialog().sees('Não há conexão para campanhas')
  expect(alone.dialog().maybe('combobox', 'Conexões')).toBeNull()
})

test('a setup begins with the buttons of the documents, takes no fourth, and says what it lacks [OP-94, CSETUP-001 … CSETUP-003, CSETUP-017, CSETUP-019]', async () => {
  const page = enter('/CampaignSetups', helena, { answers: answering([]) })
  await page.press('Adicionar configuração')
  const dialog = page.dialog()
  await dialog.fill(/^Nome$/, 'Ritmo calmo')
  await dialog.press('Salvar')
  await page.sees('É necessário adicionar uma conexão para realizar campanhas')
  await page.user.click(await dialog.field('Conexões'))
  await page.find('option', 'Linha de campanhas')
  expect(page.maybe('option', 'Loja Centro')).toBeNull()
  await page.press('Linha de campanhas')
  await page.user.keyboard('{Escape}')
  await dialog.choose('Rodapé da mensagem', 'Botões')
  expect(await dialog.field('Pergunta')).toHaveValue('Você tem interesse?')
  for (const [at, answer] of ['Sim', 'Não', 'Talvez'].entries())
    expect(await dialog.field(new RegExp(`^Botão ${at + 1}$`))).toHaveValue(answer)
  await dialog.press('Adicionar botão')
  await page.sees('O Whatsapp permite adicionar somente 3 botões por mensagens.')
})

test('the list of setups names what each is, and its form keeps every field (CSETUP-001 … CSETUP-019) [OP-94, CSETUP-001 … CSETUP-003, CSETUP-017, CSETUP-019]', async () => {
  const page = enter('/CampaignSetups', helena, { answers: answering([known]) })
  const heads = ['Token', 'Nome', 'Fila', 'Conexões', 'Usuário', 'Início', 'Tempos (máx. | mín. | intervalo)']
  await page
    .row('Ritmo calmo')
    .sees(`${uuid(7).slice(0, 8)}…`, 'Linha de campanhas', 'Helena', 'Manual', '10 | 2 | 30')
  expect(page.words('columnheader').slice(0, heads.length)).toEqual(heads)
  await page.row('Ritmo calmo').press('Editar Ritmo calmo')
  const dialog = page.dialog()
  const minimum = await dialog.field('Tempo mínimo')
  expect(minimum.title).toMatch(/muito baixo pode fazer o WhatsApp banir o número/)
  await dialog.sees('muito baixo pode fazer o WhatsApp banir o número')
  await dialog.fill(/^Nome$/, 'Ritmo novo')
  await dialog.choose('Fila', 'Vendas')
  await page.user.selectOptions(await dialog.field('Atendimento fica'), 'pending')
  await dialog.choose('Tempo máximo', /^60/)
  await dialog.choose('Tempo mínimo', /^9/)
  await dialog.choose('Intervalo', /^50/)
  const footer = await dialog.field('Rodapé da mensagem')
  expect([...footer.querySelectorAll('option')].map(one => one.textContent)).toEqual(['Nada', 'Botões'])
  await dialog.choose('Rodapé da mensagem', 'Botões')
  await dialog.fill('Pergunta', 'Volta a comprar?')
  await dialog.press('Tirar o botão 3')
  await dialog.fill(/^Botão 1$/, 'Volto')
  await dialog.choose('Fila do botão 1', 'Vendas')
  await dialog.choose('O que o botão 1 inicia', 'Inicia um fluxo')
  await page.user.click(await dialog.field('Fluxo do botão 1'))
  await page.user.click(await page.find('option', 'Tabela de preços'))
  await dialog.choose('O que o botão 2 inicia', 'Inicia o bot da conexão')
  await dialog.fill('Texto pequeno abaixo', 'Lume Móveis')
  await dialog.fill('Avisar este endereço ao concluir', 'https://loja.test/fim')
  await dialog.press('Salvar')
  await page.sees('Configuração salva com sucesso')
  expect(page.server.asked(campaignSetups.change)[0]?.body).toMatchObject({
    ...{ name: 'Ritmo novo', queueId: 2, ticketSetStatus: 'pending', tMax: 60, tMin: 9, interval: 50 },
    messageFooterType: 'buttons',
    webhookUrlConcluded: 'https://loja.test/fim',
    jsonButtonOrList: {
      text: 'Volta a comprar?',
      footer: 'Lume Móveis',
      buttons: [
        { buttonId: 'id1', buttonText: { displayText: 'Volto' }, type: 1, queueId: 2, flowId: 8 },
        { buttonId: 'id2', buttonText: { displayText: 'Não' }, type: 1, startsBot: true },
      ],
    },
  })
  // a connection that connects anew meanwhile is the same
  const { tMin, whatsapps } = page.server.asked(campaignSetups.change)[0]!.seen as CampaignSetup
  expect({ tMin, whatsapps }).toEqual({ tMin: 2, whatsapps: [{ id: 2 }] })
})

test('who may not change a setup takes a copy of it (ROLE-006)', async () => {
  const page = enter('/CampaignSetups', marina, { answers: answering([known]) })
  await page.row('Ritmo calmo').press('Copiar Ritmo calmo')
  expect(page.maybe('button', /^(Editar|Excluir)/)).toBeNull()
  await page.dialog().fill(/^Nome$/, 'Meu ritmo')
  await page.dialog().press('Salvar')
  await expect
    .poll(() => page.server.asked(campaignSetups.create)[0]?.body)
    .toMatchObject({ name: 'Meu ritmo', tMin: 2 })
})
