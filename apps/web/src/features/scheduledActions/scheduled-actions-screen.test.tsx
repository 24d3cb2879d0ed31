import { ScheduledActionJob, scheduledActions } from '@balcao/contract/scheduledActions.ts'
import { expect, test } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'
import { breakOff, refuse, type Server } from '../../../testing/server.ts'

const opts = { attempts: 3, delay: 0, backoff: { type: 'exponential' as const, delay: 5_000 } }
const NOW = Date.parse('2026-11-20T12:00:00Z')

/** Jobs are done at once unless they are delayed; one with `fail` in its data fails. */
const answering = (jobs: ScheduledActionJob[]) => (server: Server) =>
  server
    .on(scheduledActions.list, () => jobs)
    .on(scheduledActions.create, ({ body }) => {
      const isDone = body.delay === 0
      const job = sample(ScheduledActionJob, {
        ...{ id: uuid(jobs.length + 1), name: body.action, timestamp: NOW, data: body.jsonData },
        ...{ opts: { ...opts, delay: body.delay }, attemptsMade: Number(isDone) },
        ...(isDone && { processedOn: NOW, finishedOn: NOW }),
        ...('fail' in body.jsonData && { failedReason: String(body.jsonData.fail) }),
      })
      jobs.unshift(job)
      return job
    })
    .on(scheduledActions.remove, ({ params }) => {
      jobs.splice(
        jobs.findIndex(({ id }) => id === params.jobId),
        1,
      )
      return {}
    })
    .on(scheduledActions.removeAll, () => {
      jobs.length = 0
      return {}
    })

const cards = (page: OpenPage) => page.part('region', /^Ações$/).all('listitem')

test('an admin adds actions, sees them done or fail, reads their data and deletes them (SACT-001 … SACT-016) [GEN-022, ROUTE-047, MENU-014, OP-49, SACT-001 … SACT-014, SACT-015, SACT-016]', async () => {
  const page = enter('/scheduleAction', helena, { answers: answering([]) })
  const action = await page.find('combobox', 'Ação')
  expect([...action.querySelectorAll('option')].map(({ text }) => text)).toEqual([
    'Enviar os agendamentos que venceram',
    'Começar as campanhas cuja hora chegou',
    'Fechar os atendimentos parados',
    'Enviar os avisos de faturas',
    'Testar',
  ])
  await page.choose('Ação', 'Testar')
  await page.fill('Dados (JSON)', '{ pedido: 7')
  await page.press('Adicionar')
  await page.sees('Não é um objeto JSON')
  await page.fill('Dados (JSON)', '{"pedido": 7}')
  await page.fill('Atraso (ms)', '3600000')
  await page.user.keyboard('{ArrowUp}')
  expect(await page.field('Atraso (ms)')).toHaveValue('3600500')
  await page.press('Adicionar')
  await page.sees('0 de 3', '3.600.500 ms', 'exponencial, 5.000 ms', 'N/A', 'Esperando')
  expect(cards(page)[0]).toHaveAttribute('data-tone', 'warning')

  await page.fill('Atraso (ms)', '')
  await page.press('Adicionar')
  await page.sees('Concluída em', '1 de 3')
  expect(cards(page)[0]).toHaveAttribute('data-tone', 'success')
  await page.fill('Dados (JSON)', '{"fail": "sem tinta"}')
  await page.press('Adicionar')
  await page.sees('sem tinta')
  await expect.poll(() => cards(page)[0]?.getAttribute('data-tone')).toBe('error')
  await page.press('Ver dados de Testar')
  await page.dialog().sees('"fail": "sem tinta"')
  await page.dialog().press('Fechar')
  await page.press('Excluir Testar')
  await page.sees('Ação agendada excluída com sucesso')
  await page.press('Excluir todas')
  await page.dialog().press('Excluir todas')
  await page.sees('Todas as ações agendadas foram excluídas com sucesso', 'Nenhuma ação agendada')
})

test('an attendant has no way in; what cannot be read or deleted is said (SACT-012 … SACT-014, SACT-018) [SACT-001 … SACT-014, SACT-018]', async () => {
  enter('/scheduleAction', marina)
  await expect.poll(() => location.pathname).toBe('/tickets')
  const jobs = [sample(ScheduledActionJob, { id: uuid(1), name: 'testAction', timestamp: NOW, opts })]
  const page = enter('/scheduleAction', helena, {
    answers: server =>
      answering(jobs)(server)
        .on(scheduledActions.remove, () => breakOff())
        .on(scheduledActions.removeAll, () => breakOff()),
  })
  await page.press('Excluir Testar')
  await page.sees('Erro ao excluir ação agendada')
  await page.press('Excluir todas')
  await page.dialog().press('Excluir todas')
  await page.sees('Erro ao excluir todas as ações agendadas')
})

test('actions that cannot be read are told [SACT-001 … SACT-014, SACT-018]', async () => {
  const page = enter('/scheduleAction', helena, {
    answers: server => server.on(scheduledActions.list, () => refuse(400)),
  })
  await page.sees('Erro ao buscar ações agendadas')
})
