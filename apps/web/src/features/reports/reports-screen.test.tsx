import { cloud } from '@balcao/contract/cloud.ts'
import { ReferredTicket, referrals } from '@balcao/contract/referrals.ts'
import {
  ReportData,
  ReportDay,
  type ReportMailState,
  ReportService,
  type ReportTargets,
  reports,
} from '@balcao/contract/reports.ts'
import { surveys } from '@balcao/contract/surveys.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { expect, test } from 'vitest'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { butWith, helena, marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

/** So many were closed; what was before, and how that changed. */
const closing = (closed: number, changes: Partial<ReportData['changes']> = {}) => {
  const empty = sample(ReportData)
  return {
    ...empty,
    countClosed: closed,
    figures: { ...empty.figures, closed },
    changes: { ...empty.changes, ...changes },
  }
}
/** Also answers the requests around a report: no user is online, nothing began, there are no targets. */
const answering = (server: Server) =>
  server.on(reports.online, { users: 0 }).on(reports.hours, { hours: [] }).on(reports.targets, NO_TARGETS)
const NO_TARGETS = { waitMinutes: null, serveMinutes: null, closedPerDay: null }
const general = (page: OpenPage) => page.part('table', 'Status geral')
const row = (page: OpenPage, name: string) =>
  general(page)
    .all('row')
    .find(one => one.querySelector('th, td')?.textContent === name)

/** The first day of the month before. */
async function chooseFirstDay(page: OpenPage, field: string, monthsBack = 1) {
  await page.press(field)
  for (let back = 0; back < monthsBack; back++) await page.press('Anterior')
  const day = await page.find('button', /^1 de |^1 \w/)
  await page.user.click(day)
  await page.press('Pronto')
}

test('figures that a copy of the database answers say of which moment they are', async () => {
  const reportData = { ...closing(3), asOf: '2026-03-04T15:04:05.000Z' }
  const page = enter('/dash', helena, {
    answers: server => answering(server).on(reports.dash, { reportData }),
  })
  await page.sees(/Números das 12:04:05/)
})

test('an admin chooses another beginning, and the panel says what was closed since and how that changed; an end before it is told and asks nothing (DASH-001) [DASH-001 … DASH-010]', async () => {
  let reportData = closing(3)
  const page = enter('/dash', helena, {
    answers: server => answering(server).on(reports.dash, () => ({ reportData })),
  })
  // the request is repeated once the socket is connected
  const asked = () => {
    const queries = page.server.asked(reports.dash).map(({ query }) => query)
    return [...new Map(queries.map(query => [JSON.stringify(query), query])).values()]
  }
  await page.sees('TMA: tempo médio de atendimento')
  expect(row(page, 'Finalizados')).toHaveTextContent('3')
  const [before] = asked()
  await chooseFirstDay(page, 'Data inicial')
  expect(asked()).toHaveLength(1)
  reportData = closing(1_240, { closed: 25, tma: -4, tme: null })
  await page.press('Filtrar')
  await expect.poll(() => row(page, 'Finalizados')?.textContent).toMatch(/1\.240[\s\S]*\+25%/)
  expect(row(page, 'TMA')).toHaveTextContent('-4%')
  expect(row(page, 'TME')).toHaveTextContent('—')
  expect(String(asked()[1]!.initialDate) < String(before!.initialDate)).toBe(true)
  expect(asked()[1]!.finalDate).toEqual(before!.finalDate)

  await chooseFirstDay(page, 'Data final', 2)
  await page.press('Filtrar')
  await page.sees('A data final vem antes da inicial.')
  expect(asked()).toHaveLength(2)
})

test('a panel without tickets says what will stand in the place of its charts', async () => {
  const page = enter('/dash', helena, {
    answers: server => answering(server).on(reports.dash, { reportData: sample(ReportData) }),
  })
  await page.part('region', 'Status geral').sees('Aqui aparece o gráfico assim que houver atendimentos')
  expect(page.maybe('figure')).toBeNull()
})

test('what is so now stands apart; an admin sets targets within their bounds, and the figures say whether they reached them [DASH-001 … DASH-010]', async () => {
  let targets: ReportTargets = NO_TARGETS
  const reportData = { ...closing(4, { closed: 33 }), countPending: 7, days: [sample(ReportDay)] }
  reportData.figures = { ...reportData.figures, waited: 1, waitSeconds: 400, served: 1, serveSeconds: 600 }
  const hours = [{ weekday: 1, hour: 9, closed: 4, waited: 1, waitSeconds: 400 }]
  const page = enter('/dash', helena, {
    answers: server =>
      server
        .on(reports.dash, { reportData })
        .on(reports.online, { users: 3 })
        .on(reports.hours, { hours })
        .on(reports.targets, () => targets)
        .on(reports.changeTargets, ({ body }) => (targets = body)),
  })
  await page.part('region', 'Agora').sees('Atendentes online')
  await expect
    .poll(() => page.find('region', 'Agora').then(part => part.textContent))
    .toMatch(/agora7.*online3/)
  const hoursAsked = () => page.server.asked(reports.hours).length
  const before = hoursAsked()
  await page.press('Filtrar')
  await expect.poll(hoursAsked).toBeGreaterThan(before)
  const range = await page.find('region', 'Período')
  expect(range).not.toHaveTextContent('Meta')
  expect(range.textContent).toMatch(/Finalizados4\+33%.*Finalizados por dia4\+33%/)
  await page.sees(/Todas as filas · Todos os usuários/)
  const byHour = await page.find('region', 'Por hora do dia')
  expect(byHour.querySelectorAll('tbody tr')).toHaveLength(24)
  expect(byHour.querySelector('tfoot')).toHaveTextContent('Total4')

  await page.press('Metas')
  const dialog = page.dialog('Metas')
  await dialog.fill('TME até (minutos)', '1500')
  await dialog.sees('Um número inteiro de 1 a 1.440')
  await dialog.press('Salvar')
  expect(page.server.asked(reports.changeTargets)).toHaveLength(0)
  await dialog.fill('TME até (minutos)', '5')
  await dialog.fill('TMA até (minutos)', '10')
  await dialog.press('Salvar')
  await expect.poll(() => range.textContent).toContain('Meta: até 00:05:00 · não atingida')
  expect(range).toHaveTextContent('Meta: até 00:10:00 · atingida')
  expect(targets).toEqual({ waitMinutes: 5, serveMinutes: 10, closedPerDay: null })
})

test('each column of a table orders its rows, the highest first, then the other way; what has no value stays last', async () => {
  const part = (id: number, name: string, closed: number, waitSeconds: number | null) => ({
    ...{ id, name },
    figures: {
      ...sample(ReportData).figures,
      ...{ closed, waited: waitSeconds === null ? 0 : 1, waitSeconds: waitSeconds ?? 0 },
    },
  })
  const dataConnections = [part(1, 'Loja', 9, null), part(2, 'Ajuda', 5, 60), part(3, 'Caixa', 7, 600)]
  const page = enter('/dash', helena, {
    answers: server =>
      answering(server).on(reports.dash, { reportData: { ...closing(21), dataConnections } }),
  })
  const table = page.part('table', 'Por conexão')
  const names = () =>
    table
      .all('row')
      .slice(1, -1)
      .map(one => one.querySelector('td')?.textContent)
  await expect.poll(() => table.all('row')).toHaveLength(5)
  expect(names()).toEqual(['Loja', 'Ajuda', 'Caixa'])
  await table.press('TME')
  expect(names()).toEqual(['Caixa', 'Ajuda', 'Loja'])
  expect(table.all('columnheader').map(one => one.getAttribute('aria-sort'))).toContain('descending')
  await table.press('TME')
  expect(names()).toEqual(['Ajuda', 'Caixa', 'Loja'])
  await table.press('Conexão')
  expect(names()).toEqual(['Ajuda', 'Caixa', 'Loja'])
})

test('the report arrives each week with its filters where mail is set up, until it is stopped in the same place', async () => {
  const dueAt = '2026-11-30T10:00:00.000Z'
  const none = { isSetUp: true, email: helena.email, mail: null }
  let state: ReportMailState | null = null
  const page = enter('/dash', helena, {
    answers: server =>
      answering(server)
        .on(reports.dash, { reportData: closing(2) })
        .on(reports.showMail, () => state ?? refuse(400, 'ERR_BAD_REQUEST'))
        .on(
          reports.changeMail,
          () => (state = { ...none, mail: { selectedQueueIds: [], selectedUserIds: [], dueAt } }),
        )
        .on(reports.stopMail, () => {
          state = none
          return {}
        }),
  })
  await page.press('Receber toda semana')
  await page.sees(/Confira os dados informados/)
  state = { ...none, isSetUp: false }
  await page.press('Receber toda semana')
  const dialog = () => page.dialog('Receber toda semana')
  await dialog().sees('Esta instalação não envia e-mails')
  expect(dialog().maybe('button', 'Receber com estes filtros')).toBeNull()
  await page.user.keyboard('{Escape}')
  state = none
  await page.press('Receber toda semana')
  await dialog().sees(helena.email, 'Todas as filas · Todos os usuários')
  await dialog().press('Receber com estes filtros')
  await expect
    .poll(() => page.server.asked(reports.changeMail).at(-1)?.body)
    .toEqual({
      ...{ selectedQueueIds: [], selectedUserIds: [], language: 'ptBR' },
    })
  await page.press('Receber toda semana')
  await dialog().sees('Você recebe: Todas as filas · Todos os usuários')
  await dialog().press('Parar de receber')
  await expect.poll(() => state?.mail).toBeNull()
})

test('both reports are asked of the queues and users that are chosen (REPORT-002) [REPORT-001 … REPORT-009]', async () => {
  for (const report of ['Indicadores', 'Relatório de atendimentos']) {
    const page = enter('/reports', helena, {
      answers: server =>
        answering(server)
          .on(reports.attendances, { reportData: closing(2) })
          .on(tickets.query, { tickets: [], reportData: { tickets: [] }, hasMore: false }),
    })
    await page.press(report)
    const dialog = page.dialog(report)
    await dialog.choose('Filas', 'Suporte')
    await page.press('Vendas')
    await page.user.keyboard('{Escape}')
    await dialog.choose('Usuários', 'Marina Duarte')
    await page.user.keyboard('{Escape}')
    await dialog.press('Gerar')
    const asked = () =>
      [...page.server.asked(reports.attendances), ...page.server.asked(tickets.query)].at(-1)?.query
    await expect.poll(asked).toMatchObject({ selectedQueueIds: [1, 2], selectedUserIds: [3] })
    await page.sees(/Suporte, Vendas · Marina Duarte/)
  }
})

test('the report of ads counts their tickets, and each count leads to them; that of the official API counts messages by month and category', async () => {
  const source = { type: 'ad', sourceId: '42', sourceUrl: 'https://fb.me/x', headline: 'Bolos de festa' }
  const bolos = { ...source, key: 'ad 42', tickets: 3, pending: 1, open: 0, closed: 2 }
  const sealed = {
    ...bolos,
    key: 'ad',
    sourceId: '',
    sourceUrl: '',
    headline: '',
    tickets: 1,
    pending: 0,
    closed: 1,
  }
  const ticket = sample(ReferredTicket, {
    id: 41,
    protocol: '2026112700041',
    status: 'closed',
    contact: 'Nora',
  })
  const month = { month: '2026-10', whatsappId: 1, connection: 'Oficial', category: 'marketing' }
  const sums = [
    { ...month, type: 'regular', billable: true, messages: 1_200 },
    { ...month, category: 'service', type: 'free_customer_service', billable: false, messages: 34 },
    { ...month, category: 'new_one', type: '', billable: false, messages: 1 },
  ]
  const page = enter('/reports', helena, {
    answers: server =>
      server
        .on(referrals.list, { sources: [bolos, sealed] })
        .on(referrals.tickets, { tickets: [ticket], hasMore: false })
        .on(cloud.prices, { sums }),
  })
  await page.press(/Anúncios e produtos/)
  await page.dialog('Anúncios e produtos').press('Gerar')
  const table = page.part('table', 'Anúncios e produtos')
  await table.sees('Bolos de festa', '42', 'Não informada pelo WhatsApp')
  expect(table.all('row').at(-1)).toHaveTextContent('Total4103')
  await table.press('Finalizados: Bolos de festa, 2')
  await page.dialog('Finalizados: Bolos de festa').sees('2026112700041', 'Nora')
  expect(page.server.asked(referrals.tickets).at(-1)?.query).toMatchObject({ key: 'ad 42', status: 'closed' })
  await page.user.keyboard('{Escape}')
  await page.press('Voltar')
  await page.press(/Mensagens da API oficial/)
  const dialog = page.dialog('Mensagens da API oficial')
  expect(dialog.maybe('textbox', 'Filas')).toBeNull()
  await dialog.press('Gerar')
  const prices = page.part('table', 'Mensagens da API oficial')
  await prices.sees('10/2026', 'Marketing', 'Cobrada', 'Grátis: janela de 24 horas', 'new_one')
  expect(prices.all('row').at(-1)).toHaveTextContent('1.200 cobradas1.235')
})

test('the closing reasons of a range are a report with what stands behind, and its file', async () => {
  const reasons = [
    { id: 7, name: 'Resolvido', closed: 3, percent: 75, seconds: 600 },
    { id: 0, name: '', closed: 1, percent: 25, seconds: null },
  ]
  const service = sample(ReportService, { id: 1, ticketId: 41, protocol: '2026112700041', contact: 'Nora' })
  const page = enter('/reports', helena, {
    answers: server =>
      server
        .on(reports.reasons, { reasons, closed: 4 })
        .on(reports.services, { services: [service], hasMore: false })
        .on(reports.export, () => refuse(429, 'ERR_TOO_MANY_REQUESTS')),
  })
  await page.press(/Motivos de encerramento/)
  await page.dialog('Motivos de encerramento').press('Gerar')
  const table = page.part('table', 'Motivos de encerramento')
  await table.sees('Resolvido', '75%', 'Sem motivo')
  expect(table.all('row').at(-1)).toHaveTextContent('Total4')
  await table.press('Finalizados: Resolvido, 3')
  await page.dialog('Finalizados: Resolvido').sees('2026112700041', 'Nora')
  expect(page.server.asked(reports.services).at(-1)?.query).toMatchObject({ reasonId: 7 })
  await page.user.keyboard('{Escape}')
  await page.press('CSV')
  await expect
    .poll(() => page.server.asked(reports.export).at(-1)?.query)
    .toMatchObject({ what: 'reasons', format: 'csv' })
})

test('the satisfaction survey stands among the reports', async () => {
  const page = enter('/reports', helena, {
    answers: server =>
      server.on(surveys.answers, {
        ...{ answers: [], hasMore: false, average: null, count: 0, asked: 0 },
        ...{ distribution: [0, 0, 0, 0, 0], byUser: [], byQueue: [] },
      }),
  })
  await page.press(/Pesquisa de satisfação/)
  await page.sees('Ainda não há notas neste período')
  expect(location.pathname).toBe('/survey')
})

test('whose group has no panel is led away from it and from the reports [GEN-026, ROUTE-010, MENU-005]', async () => {
  const without = butWith(marina, { userAuthorization: { enableDash: 0 } })
  for (const address of ['/dash', '/reports']) {
    enter(address, without)
    await expect.poll(() => location.pathname).toBe('/tickets')
  }
})
