import {
  BrokenConnection,
  CompanySize,
  FailedSending,
  JobQueue,
  Overview,
  ProcessData,
  type ServerStatus,
  SystemData,
  systemControl,
} from '@balcao/contract/systemControl.ts'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { helena, operator } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const machine = sample(SystemData, {
  disk: { total: 100 * 2 ** 30, available: 40 * 2 ** 30 },
  memory: { total: 8 * 2 ** 30, free: 2 ** 30 },
  cpu: { currentLoad: 12, perCoreLoad: [10, 14] },
})
const here = samples(ProcessData, [
  { name: 'web+worker+channels@loja', monit: { cpu: 3, memory: 2 ** 28 }, isAlive: true, version: '1.0' },
])
const servers: ServerStatus[] = [
  { name: 'files', place: '/data', state: 'full', why: '', since: null },
  {
    ...{ name: 'mail', place: 'smtp.loja.test:465', state: 'down' },
    ...{ why: 'Error: connect ECONNREFUSED', since: '2026-01-31T12:00:00.000Z' },
  },
  { name: 'redis', place: '', state: 'unset', why: '', since: null },
]
const answers = (server: Server) =>
  server
    .on(systemControl.act, ({ body: { action } }) =>
      action === 'getPm2Info'
        ? { pm2Info: here }
        : action === 'getSystemResources'
          ? { systemInfo: machine }
          : { isConfigured: false, versions: { product: '1', node: '24', database: '18' }, queues: [] },
    )
    .on(systemControl.servers, servers)
    .on(systemControl.testMail, { to: 'chefe@balcao.test' })
    .on(systemControl.queues, samples(JobQueue, [{ name: 'messageLogs.reprocessRecent' }]))
    .on(systemControl.adjustDb, { ok: true, found: { ticketCounts: 0, contactCounts: 0, unread: 0 } })

const asked = (page: OpenPage) => page.server.asked(systemControl.act).length

test('the operator sees what runs, how full the machine is, repairs counts, and is told what a restart did [GEN-005, GEN-023, GEN-024, ROUTE-030, ROUTE-042, MENU-013, IDOC-001, OP-49, SYS-001 … SYS-014]', async () => {
  const page = enter('/systemControl', operator, { answers })
  const processes = page.part('table', 'Processos')
  await processes.sees('web+worker+channels@loja', 'ativo')
  expect(processes.words('columnheader')).toEqual([
    ...['Nome', 'CPU', 'Memória', 'Tempo ativo', 'Reinícios'],
    ...['Conexões', 'Atraso (p99)', 'Versão'],
  ])
  expect(await processes.find('meter', 'Memória')).toHaveAttribute('aria-valuemax', '2048')
  expect(await processes.find('meter', 'CPU')).toHaveAttribute('aria-valuemax', '100')
  await page.press('Recursos do sistema')
  await page.part('region', 'Máquina').find('meter', 'Disco')
  await page.part('region', 'Máquina').sees('Núcleo 1', /[KMGT]iB de/)
  const table = page.part('table', 'Servidores')
  await table.sees('disco cheio', 'fora do ar', 'Error: connect ECONNREFUSED', 'não configurado')
  await page.press('Enviar e-mail de teste')
  await page.sees('O servidor de e-mail aceitou a mensagem para chefe@balcao.test')
  await page.press('Ajustar banco de dados')
  await page.sees(/Nada estava errado|Contagens corrigidas/)
  await page.sees('messageLogs.reprocessRecent')
  await page.press('Reiniciar')
  await page.dialog().press('Reiniciar')
  await page.sees('O sistema esta sendo reiniciado, pressione f5 ou recarregue a pagina')
  await page.sees('Nada foi executado: defina RESTART_COMMAND na instalação.')
  await page.press('Logs de mensagens')
  await expect.poll(() => location.pathname).toBe('/messageLogs')
  page.server.complaints.length = 0
})

test('the installation says what lacks, what is broken and why, and what each company keeps', async () => {
  const ofCompany = { companyId: 2, company: 'Lume Móveis', since: '2026-03-01T12:00:00.000Z' }
  const found = sample(Overview, {
    ...{ version: '0.2.0', database: '18.4', lacks: ['SMTP_URL', 'prices'] },
    backup: { at: '2026-03-01T05:23:00.000Z', bytes: 3 * 2 ** 20 },
    sealed: {
      ...{ place: 's3.example.com, casa/noite/', at: '2026-03-01T05:33:00.000Z', bytes: 5 * 2 ** 20 },
      ...{
        verifiedAt: '2026-03-01T05:33:00.000Z',
        failure: '',
        logUntil: null,
        logFailure: 's3.example.com is full',
      },
      ...{ drilledAt: null, drillFailure: '' },
    },
    connections: samples(BrokenConnection, [
      { ...ofCompany, name: 'Loja Centro', reason: 'ERR_WAPP_LOGGED_OUT' },
    ]),
    failures: samples(FailedSending, [{ ...ofCompany, kind: 'webhook', count: 2 }]),
  })
  const large = sample(CompanySize, { ...ofCompany, messages: 1200, files: 7, bytes: 2 ** 30 })
  const small = sample(CompanySize, { companyId: 3, company: 'Padaria Sol', messages: 3, bytes: 0 })
  const page = enter('/installation', operator, {
    answers: server =>
      server.on(systemControl.overview, found).on(systemControl.companies, ({ query: { searchParam } }) => ({
        companies: searchParam ? [small] : [large],
        hasMore: false,
      })),
  })
  await page.sees('Balcão 0.2.0, PostgreSQL 18.4', 'SMTP_URL: sem ele nenhum e-mail sai')
  await page.sees(/Último backup: .* \(3 MiB\), restaurado uma vez/)
  await page.sees('s3.example.com, casa/noite/')
  await page.sees(/ \(5 MiB\)/)
  await page.sees('Falhou: s3.example.com is full')
  await page.part('table', 'Conexões fora do ar').sees('Lume Móveis', 'Loja Centro')
  await page.part('table', 'E-mails e webhooks que falham').sees('Webhook', '2')
  await page.part('table', 'Empresas').sees('1 GiB', '7')
  await page.type('Buscar empresa', 'padaria')
  await page.part('table', 'Empresas').sees('Padaria Sol', '3')
})

test('who is no operator has no such entry, and is led away [ROUTE-042, SYS-001 … SYS-014]', async () => {
  const page = enter('/systemControl', helena)
  await expect.poll(() => location.pathname).toBe('/tickets')
  await page.find('button', 'Administração')
  expect(page.maybe('button', 'Administração SaaS')).toBeNull()
})

test('it is asked every 2.5 s, a hundred times and no more; the word of an update stays for a minute (SYS-004, SYS-012, CONST-006) [CONST-006, SYS-001 … SYS-014]', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const page = enter('/systemControl', operator, { answers })
  await page.sees('web+worker+channels@loja')
  const before = asked(page)
  await vi.advanceTimersByTimeAsync(2_300)
  expect(asked(page) - before).toBeLessThanOrEqual(1)
  await vi.advanceTimersByTimeAsync(101 * 2_500)
  expect(asked(page)).toBe(100)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked(page)).toBe(100)

  fireEvent.click(page.all('button', 'Atualizar').find(button => button.textContent === 'Atualizar')!)
  await page.dialog().press('Atualizar')
  const warning = 'O sistema esta sendo atualizado, pressione f5 ao termino deste alerta'
  await page.sees(warning)
  await vi.advanceTimersByTimeAsync(58_000)
  await page.sees(warning)
  await vi.advanceTimersByTimeAsync(4_000)
  await page.lacks(warning)
})

test('of the internal documentation the calls are found by their path or sentence, and show what they take', async () => {
  const page = enter('/internalDocs', operator, { answers })
  const toServer = page.server.fetch
  const described = (summary: string) => ({
    summary,
    'x-needs': 'master',
    parameters: [{ name: 'ticketId', in: 'path', required: true, schema: { type: 'integer' } }],
    responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
  })
  const paths = {
    '/tickets/{ticketId}': { get: described('One ticket.'), put: described('Accepts a ticket.') },
    '/queues': { get: described('All queues.') },
  }
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) =>
    address === '/api/internalDocs' ? new Response(JSON.stringify({ paths })) : toServer(address, init),
  )
  await page.sees('/queues', 'Accepts a ticket.')
  const search = await page.find('searchbox')
  await page.user.type(search, 'ACCEPTS')
  await page.lacks('/queues', 'One ticket.')
  await page.press(/Accepts a ticket/)
  await page.user.clear(search)
  await page.user.type(search, '/queues')
  await page.lacks('Accepts a ticket.')
  await page.user.type(search, 'x')
  await page.sees('Nada encontrado')
})
