import { Forecast } from '@balcao/contract/campaignPeople.ts'
import { CampaignSetup, campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { Campaign, CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import { campaignChannelOf, campaigns } from '@balcao/contract/campaigns.ts'
import { ContactSheet, contactSheetChannel, contactSheets } from '@balcao/contract/contactSheets.ts'
import { expect, test, vi } from 'vitest'
import { counter, ticketOf, uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena, marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const LONG = 'Chegaram as novidades de agosto, e são mais do que cabem aqui dentro'
const setup = sample(CampaignSetup, {
  ...{ id: uuid(7), name: 'Ritmo calmo', companyId: 2, userId: 2, tMax: 10, tMin: 1, interval: 5 },
  whatsapps: [{ id: 2, name: 'Linha de campanhas', number: '', lib: 'simulator', status: 'CONNECTED' }],
})
const waiting = (given: Partial<Campaign> = {}): Campaign => ({
  ...sample(Campaign, {
    ...{ id: 17, name: 'Agosto', userId: 2, status: 'created', campaignSetupId: setup.id },
    counts: { total: 1, pending: 1 },
  }),
  campaignSetup: setup,
  campaignMessages: [
    {
      ...{ id: 1, greeting: 'Oi {{nome|tudo bem}}!', body: LONG, typeMessage: 'text', mediaName: '' },
      ...{ mediaUrl: null, mediaUrlVt: null, mediaType: null, template: null },
    },
  ],
  ...given,
})
const rosa = sample(CampaignDispatch, { id: 3, campaignId: 17, name: 'Rosa', number: '5531990000003' })

/** A company with one campaign in the given state. */
const answering =
  (is: { campaign: Campaign; people?: CampaignDispatch[] }) =>
  (server: Server): Server =>
    server
      .on(campaigns.list, () => ({ campaigns: [is.campaign], hasMore: false }))
      .on(campaigns.show, () => {
        const dispatchs = is.people ?? [rosa]
        return { campaign: { ...is.campaign, campaignDispatchs: dispatchs }, dispatchs }
      })
      .on(campaigns.dispatches, () => {
        const rows = is.people ?? [rosa]
        return { campaignDispatches: rows, hasMore: false, count: rows.length, sentCount: 0, failCount: 0 }
      })
      .on(campaigns.forecast, sample(Forecast, { recipients: 1, reachable: 1 }))
      .on(campaignSetups.list, { campaignSetups: [setup], hasMore: false })
      .on(campaignSetups.show, setup)
      .on(campaigns.change, ({ body }) => {
        is.campaign = {
          ...is.campaign,
          status: body.schedule ? 'scheduled' : 'created',
          schedule: body.schedule ?? null,
        }
        return is.campaign
      })

test('the manager shows how it is sent, what it says and each person, and leads to the conversation (CAMP-026 … CAMP-034) [CAMP-026 … CAMP-030, CAMP-031 … CAMP-032, CAMP-033, CAMP-034, CAMP-042]', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  const is = {
    campaign: waiting({ status: 'scheduled', schedule: '2026-11-21T12:00:00.000Z' }),
    people: [
      {
        ...rosa,
        status: 'sent' as const,
        message: LONG,
        messageSendAt: '2026-11-20T12:00:00.000Z',
        ticketId: 41,
      },
    ],
  }
  const page = enter('/CampaignsManager/17', helena, { answers: answering(is) })
  await page.find('heading', 'Agosto')
  for (const name of ['START', 'Agendar', 'Concluir', 'DELETE', 'Editar']) await page.find('button', name)
  const panel = (name: string) => page.part('region', name)
  await panel('Andamento').sees('Agendada', 'Agendada para', '21/11/2026 09:00')
  await panel('Andamento').sees('Mensagens enviadas 0 de 1', 'Falhas de envio 0 de 1')
  await panel('Configuração').sees('Ritmo calmo')
  await panel('Mensagens').sees('Saudação: Oi {{nome|tudo bem}}!', `${LONG.slice(0, 54)}...`)
  expect(page.words('columnheader').slice(-8)).toEqual([
    ...[
      'Nome',
      'Número',
      'Agendado',
      'Status',
      'Saudação enviada',
      'Mensagem enviada',
      'Hora',
      'Atendimento',
    ],
  ])
  await page.find('button', 'Tirar Rosa da campanha')
  await page.row('Rosa').sees('Enviada', LONG)
  await page.press(/^Abrir o atendimento/)
  expect(opened.mock.calls[0]).toEqual(['/tickets/41', '_blank', 'noopener'])
  opened.mockRestore()
})

test('that the page may be closed is said for 15 seconds when a campaign begins, and what happens in it is shown (CAMP-042) [CAMP-026 … CAMP-030, CAMP-031 … CAMP-032, CAMP-033, CAMP-034, CAMP-042]', async () => {
  const is = { campaign: waiting() }
  const page = enter('/CampaignsManager/17', helena, {
    answers: server =>
      answering(is)(server).on(campaigns.process, () => {
        const before = is.campaign
        is.campaign = { ...before, status: 'start' }
        return before
      }),
  })
  await page.find('button', 'START')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await page.press('START')
  const closable = 'Você pode fechar esta página: os envios continuam.'
  await page.sees(closable)
  await vi.advanceTimersByTimeAsync(13_000)
  expect(document.body).toHaveTextContent(closable)
  await vi.advanceTimersByTimeAsync(3_000)
  await page.lacks(closable)
  vi.useRealTimers()
  const counts = { ...is.campaign.counts, pending: 0, sent: 1 }
  page.server.push(campaignChannelOf(17), {
    action: 'update',
    campaign: { ...is.campaign, counts },
    campaignDispatch: { ...rosa, status: 'sent' },
    ...{ sentCount: 1, failCount: 0 },
  })
  await page.sees('Mensagens enviadas 1 de 1')
  await page.row('Rosa').sees('Enviada')
})

test('before a start it says how many a placeholder leaves out, and takes a word in its place', async () => {
  const is = { campaign: waiting() }
  const page = enter('/CampaignsManager/17', helena, {
    answers: server =>
      answering(is)(server)
        .on(
          campaigns.forecast,
          sample(Forecast, {
            recipients: 5,
            reachable: 2,
            missing: 3,
            lacking: [{ name: 'nome', count: 3 }],
          }),
        )
        .on(campaigns.process, () => is.campaign),
  })
  await page.sees('Sem valor para {{nome}}')
  await page.press('START')
  await page.dialog().sees('3 pessoas ficam de fora')
  expect(page.server.asked(campaigns.process)).toEqual([])
  await page.dialog().fill('No lugar de {{nome}}', 'cliente')
  await page.dialog().press('START')
  await expect.poll(() => page.server.asked(campaigns.process).length).toBe(1)
  expect(page.server.asked(campaigns.change)[0]?.body).toEqual({ standIns: { nome: 'cliente' } })
})

test('a planned start says it too, before it is planned', async () => {
  const is = { campaign: waiting() }
  const forecast = sample(Forecast, { recipients: 5, missing: 3, lacking: [{ name: 'nome', count: 3 }] })
  const page = enter('/CampaignsManager/17', helena, {
    answers: server => answering(is)(server).on(campaigns.forecast, forecast),
  })
  await page.press('Agendar')
  await page.dialog().press('Começar em um horário')
  await page.dialog().press('Salvar')
  await page.dialog().sees('3 pessoas ficam de fora')
  expect(page.server.asked(campaigns.change)).toEqual([])
  await page.dialog().press('Agendar')
  await expect.poll(() => page.server.asked(campaigns.change).length).toBe(1)
  expect(page.server.asked(campaigns.change)[0]?.body).toMatchObject({ schedule: expect.any(String) })
})

test('a forecast that fails starts nothing and says so', async () => {
  const is = { campaign: waiting() }
  const page = enter('/CampaignsManager/17', helena, {
    answers: server =>
      answering(is)(server).on(campaigns.forecast, () => refuse(429, 'ERR_TOO_MANY_REQUESTS')),
  })
  await page.press('START')
  await expect.poll(() => page.server.asked(campaigns.forecast).length).toBeGreaterThan(1)
  await page.sees('Muitas tentativas. Aguarde um minuto')
  expect(page.server.asked(campaigns.process)).toEqual([])
})

test('one that is over is sent again to who did not answer; answers are counted by button', async () => {
  const counts = { ...waiting().counts, total: 5, pending: 0, sent: 4, failed: 1, answered: 1 }
  const is = { campaign: waiting({ status: 'finalized', counts }) }
  const page = enter('/CampaignsManager/17', helena, {
    answers: server =>
      answering(is)(server)
        .on(campaigns.report, {
          ...sample(campaigns.report.reply, { counts }),
          ...{ reasons: [], buttons: [{ button: 'Sim', count: 1 }] },
        })
        .on(campaigns.followUp, () => waiting({ id: 18, name: 'Agosto (2)' })),
  })
  await page.part('table', 'Respostas por botão').sees('Sim', '1')
  expect(page.maybe('button', /^Corrigir/)).toBeNull()
  await page.press('Enviar de novo')
  await page.press('A quem não respondeu (3)')
  await expect.poll(() => location.pathname).toBe('/CampaignsManager/18')
  expect(page.server.asked(campaigns.followUp)[0]).toMatchObject({
    params: { campaignId: 17 },
    body: { whom: 'silent' },
  })
})

test('a number that failed is corrected where the campaign goes on', async () => {
  const failed = { ...rosa, status: 'sentFail' as const, reason: 'ERR_WAPP_INVALID_CONTACT' }
  const is = { campaign: waiting({ status: 'pause' }), people: [failed] }
  let isTwice = true
  const page = enter('/CampaignsManager/17', helena, {
    answers: server =>
      answering(is)(server).on(campaigns.mendDispatch, () =>
        isTwice ? refuse(409, 'ERR_DISPATCH_TWICE', { field: 'number' }) : is.campaign,
      ),
  })
  await page.press('Corrigir Rosa')
  expect((await page.dialog().field('Número')).value).toBe('+5531990000003')
  await page.dialog().fill('Número', '5531990000004')
  await page.dialog().press('Salvar')
  await page.dialog().sees('Este número já está na campanha')
  isTwice = false
  await page.dialog().press('Salvar')
  await page.sees('A pessoa espera na campanha')
  expect(page.server.asked(campaigns.mendDispatch)[1]?.body).toEqual({
    number: '5531990000004',
    name: 'Rosa',
  })
})

test('who stays out is chosen with the people, and counted before it is saved', async () => {
  const page = enter('/CampaignsCreator/17', helena, {
    answers: server =>
      answering({ campaign: waiting() })(server)
        .on(campaigns.countRecipients, { added: 2, optedOut: 0, excluded: 1 })
        .on(campaigns.addRecipients, sample(campaigns.addRecipients.reply, { added: 2, excluded: 1 })),
  })
  const written = ['31990000001', '0051987654321', '+51 987 654 321', '+999 12345678', '00999 12345678']
  await page.fill('Números, um por linha', written.join('\n'))
  await page.press('Adicionar números')
  await page.sees('2 repetidos, ignorados')
  await page.press('Deixar gente de fora')
  await page.choose('Quem respondeu à campanha', 'Agosto')
  await page.sees('2 entram, 1 ficam de fora')
  await page.press('Salvar')
  await expect.poll(() => location.pathname).toBe('/CampaignsManager/17')
  const { sendList, without } = page.server.asked(campaigns.addRecipients)[0]!.body
  expect(without).toMatchObject({ answeredIds: [17] })
  // with their countries, as they were read
  const read = ['+5531990000001', '+51987654321', '+99912345678']
  expect(sendList).toMatchObject(read.map(number => ({ number })))
})

test('it is scheduled and unscheduled, and one who waits is taken out after a question', async () => {
  const is = { campaign: waiting(), people: [rosa] }
  const page = enter('/CampaignsManager/17', helena, {
    answers: server =>
      answering(is)(server).on(campaigns.removeDispatch, () => {
        is.people = []
        is.campaign = waiting({ counts: { ...is.campaign.counts, total: 0, pending: 0 } })
        return {}
      }),
  })
  await page.press('Agendar')
  await page.dialog().press('Começar em um horário')
  await page.dialog().press('Salvar')
  await page.sees('Agendamento da campanha salvo', 'Agendada')
  await page.press('Agendar')
  await page.dialog().press('Começar em um horário')
  await page.dialog().press('Salvar')
  await page.sees('Sem agendamento')
  const [first, second] = page.server.asked(campaigns.change).map(({ body }) => body.schedule)
  expect(new Date(first!).getTime()).toBeGreaterThan(Date.now())
  expect(second).toBeNull()
  await page.press('Tirar Rosa da campanha')
  await page.dialog().press('Excluir')
  await page.lacks('Rosa')
  await page.sees('Mensagens enviadas 0 de 0')
})

test.each([
  ['', null],
  [
    ', also behind the question whom the start leaves out',
    sample(Forecast, { recipients: 5, missing: 3, lacking: [{ name: 'nome', count: 3 }] }),
  ],
])(
  'of two who plan one campaign the second reads who planned it and until when, and may save over it%s',
  async (_, forecast) => {
    const is = { campaign: waiting() }
    const theirs = '2030-08-01T12:00:00.000Z'
    let times = 0
    const page = enter('/CampaignsManager/17', helena, {
      answers: server => {
        answering(is)(server)
        if (forecast) server.on(campaigns.forecast, forecast)
        return server.on(campaigns.change, ({ body }) => {
          if (++times === 1)
            refuse(409, 'ERR_CHANGED_MEANWHILE', {
              field: 'schedule',
              details: {
                changed: ['schedule'],
                current: { ...is.campaign, schedule: theirs },
                by: { userId: 3, name: 'Marina Duarte', at: theirs },
              },
            })
          return { ...is.campaign, schedule: body.schedule ?? null }
        })
      },
    })
    await page.press('Agendar')
    await page.dialog().press('Começar em um horário')
    await page.dialog().press('Salvar')
    if (forecast) await page.dialog('Falta um valor em alguns contatos').press('Agendar')
    const asked = page.dialog('Marina Duarte mudou isto enquanto você editava')
    await asked.sees('Começa em')
    await asked.press('Salvar o meu')
    await page.sees('Agendamento da campanha salvo')
    expect(page.server.asked(campaigns.change).map(({ seen }) => seen)).toEqual([
      { schedule: null },
      { schedule: theirs },
    ])
  },
)

test('an attendant has no entry of campaigns; whose campaign it is not only looks, and copies: whole, without its people (ROLE-006) [ROLE-006]', async () => {
  const page = enter('/Campaigns', marina, { answers: answering({ campaign: waiting() }) })
  await page.find('button', 'Copiar Agosto')
  expect(page.maybe('link', 'Campanhas')).toBeNull()
  for (const name of ['Editar Agosto', 'Excluir Agosto']) expect(page.maybe('button', name)).toBeNull()
  await page.press('Copiar Agosto')
  await expect.poll(() => location.search).toBe('?copy=17')
  expect(await page.field('Mensagem 1')).toHaveValue(LONG)
  await page.sees('Ninguém')

  const manager = enter('/CampaignsManager/17', marina, { answers: answering({ campaign: waiting() }) })
  await manager.sees('Mensagens enviadas 0 de 1')
  expect(manager.maybe('button', 'START')).toBeNull()
  const creator = enter('/CampaignsCreator/17', marina, { answers: answering({ campaign: waiting() }) })
  await creator.sees('Só quem criou esta campanha e administradores a mudam')
  expect(await creator.field('Nome')).toBeDisabled()
  expect(creator.maybe('button', 'Salvar')).toBeNull()
  const theirs = enter('/CampaignsManager/18', helena, {
    answers: server =>
      answering({ campaign: waiting() })(server).on(campaigns.show, () => refuse(404, 'ERR_NOT_FOUND')),
  })
  await theirs.find('alert')
})

test('the spreadsheet that was chosen stays though another is chosen elsewhere, and is told when it is gone', async () => {
  const mine = sample(ContactSheet, { id: 4, fileName: 'dela.csv', state: 'ready', fresh: 1 })
  let isGone = false
  const page = enter(
    '/CampaignsCreator',
    butWith(helena, { userAuthorization: { allowImportContacts: true } }),
    {
      answers: server =>
        answering({ campaign: waiting() })(server)
          .on(contactSheets.stage, mine)
          .on(contactSheets.show, () => (isGone ? refuse(404, 'ERR_NOT_FOUND') : mine)),
    },
  )
  await page.press('Planilha')
  await page.part('region', 'Contatos').give(new File(['number\n1'], 'dela.csv', { type: 'text/csv' }))
  await page.sees('dela.csv: 1 com número válido')
  const other = sample(ContactSheet, { id: 5, fileName: 'outra.csv', state: 'ready', fresh: 9 })
  page.server.push(contactSheetChannel, { action: 'update', sheet: other })
  await page.sees('dela.csv: 1 com número válido')
  isGone = true
  page.server.push(contactSheetChannel, { action: 'update', sheet: { ...other, id: 6 } })
  await page.sees('Esta planilha não está mais aqui: escolha o arquivo de novo')
})

test('a campaign that waits takes more people from a spreadsheet', async () => {
  const sheet = sample(ContactSheet, { id: 4, fileName: 'lista.csv', state: 'ready', fresh: 1, refused: 1 })
  const mayImport = butWith(helena, { userAuthorization: { allowImportContacts: true } })
  const page = enter('/CampaignsCreator/17', mayImport, {
    answers: server =>
      answering({ campaign: waiting() })(server)
        .on(contactSheets.stage, sheet)
        .on(contactSheets.show, sheet)
        .on(campaigns.addRecipients, sample(campaigns.addRecipients.reply, { added: 1 })),
  })
  await page.press('Planilha')
  await page.part('region', 'Contatos').give(new File(['number\n1'], 'lista.csv', { type: 'text/csv' }))
  await page.sees('lista.csv: 1 com número válido, 0 repetidos, 1 recusados')
  await page.press('Salvar')
  await expect.poll(() => location.pathname).toBe('/CampaignsManager/17')
  expect(page.server.asked(campaigns.addRecipients)[0]?.body.sheetId).toBe(4)
})

test('a conversation says which campaign it answers, and leads those there whose menu has campaigns', async () => {
  const ticket = ticketOf('Quirina Sá', {}, helena)
  const here = counter(ticket)
  const answers = (server: Server) =>
    answering({ campaign: waiting() })(here.answers(server)).on(campaigns.ofTicket, {
      campaign: { id: 17, name: 'Agosto' },
    })
  const page = enter('/tickets/41', helena, { answers })
  await page.press('Responde à campanha Agosto')
  await expect.poll(() => location.pathname).toBe('/CampaignsManager/17')
  const other = enter('/tickets/41', marina, { answers })
  await other.sees('Responde à campanha Agosto')
  expect(other.maybe('link', /Agosto/)).toBeNull()
})
