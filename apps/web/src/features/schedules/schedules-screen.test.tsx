import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { Occurrence, Schedule, scheduleChannel, schedules } from '@balcao/contract/schedules.ts'
import { act, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const hilda = { id: 71, name: 'Hilda Sá', number: '5531990000071' }
const planned = (id: number, body: string, given: object = {}) =>
  sample(Schedule, {
    ...{ id, body, contact: hilda, contactId: 71, userId: 2, user: { id: 2, name: 'Helena Prado' } },
    ...{ sendAt: '2027-01-01T12:00:00.000Z', hour: '09:00', firstAt: '2027-01-01T09:00', planned: true },
    ...given,
  })
const answering = (rows: Schedule[]) => (server: Server) =>
  server
    .on(contacts.list, {
      contacts: samples(Contact, [{ id: 71, name: 'Ana Sá', number: '5531990000071' }]),
      hasMore: false,
      count: 1,
    })
    .on(contacts.show, sample(Contact, { id: 71, name: 'Hilda Sá' }))
    .on(schedules.list, ({ query }) => ({
      schedules: rows.filter(
        ({ status, body }) =>
          (!query.status || status === query.status) &&
          body.toLowerCase().includes((query.searchParam ?? '').toLowerCase()),
      ),
      hasMore: false,
    }))
    .on(schedules.show, ({ params }) => rows.find(({ id }) => id === params.scheduleId)!)
    .on(schedules.create, () => planned(9, 'Nova'))
    .on(schedules.change, () => rows[0]!)
    .on(schedules.resend, () => rows[0]!)
    .on(schedules.removeMany, { deleted: 1 })
    .on(schedules.remove, ({ params }) => {
      rows.splice(
        rows.findIndex(({ id }) => id === params.scheduleId),
        1,
      )
      return {}
    })

test('the form says what is missing in the words of the documents, and shows when a series leaves [GEN-015, OP-01, SCHED-018, SCHED-019, SCHED-021, SCHED-022, SCHED-023]', async () => {
  const page = enter('/schedules/new', marina, { answers: answering([]) })
  const dialog = page.dialog()
  await waitFor(async () => expect(await dialog.field('Contato')).toHaveFocus())
  await dialog.press('Salvar')
  await dialog.sees('Selecione um contato', 'O texto não pode ficar vazio')
  await dialog.pick('Contato', 'Ana', /^Ana/)
  await dialog.fill(/^Mensagem$/, 'Olá')
  await dialog.press('Salvar')
  await dialog.sees('Mensagem muito curta')
  await dialog.fill(/^Mensagem$/, 'Olá!!')
  await dialog.press('Salvar')
  await page.sees('O texto não pode ser menor do que 6 caracteres')

  await dialog.lacks('Repetições')
  await dialog.choose('Tipo de agendamento', 'Recorrente Mensal')
  const times = () => dialog.part('list', 'Próximos envios').all('listitem').length
  await waitFor(() => expect(times()).toBe(6))
  await dialog.fill('Repetições', '1')
  await waitFor(() => expect(times()).toBe(2))
  await dialog.press('{{cliente}}')
  expect((await dialog.field(/^Mensagem$/)).value).toContain('{{cliente}}')
  await dialog.choose('Tipo de mensagem', 'Mídia')
  await dialog.press('Salvar')
  await dialog.sees('Escolha um arquivo')
})

test('others only copy; what failed says why and is sent again; many are deleted after a question [SCHED-007, SCHED-012]', async () => {
  const last = sample(Occurrence, { state: 'failed', reason: 'rejected' })
  const rows = [
    planned(1, 'Do chefe, para copiar'),
    planned(2, 'Recusada', { status: 'ENVIADA', planned: false, last }),
  ]
  const page = enter('/schedules', marina, { answers: answering(rows) })
  const row = page.row('Do chefe')
  await row.press(/^Copiar/)
  expect(row.maybe('button', /^(Editar|Excluir)/)).toBeNull()
  expect(await page.dialog().field(/^Mensagem$/)).toHaveValue('Do chefe, para copiar')
  await page.dialog().press('Cancelar')
  const menu = async () => page.user.click(page.part('main').all('button', 'MENU')[0]!)
  await menu()
  await page.find('menuitem', 'Excluir todos os meus agendamentos')
  expect(page.maybe('menuitem', /^Excluir todos os agendamentos$/)).toBeNull()
  await page.press('Excluir todos os meus agendamentos')
  await page.dialog().press('Excluir')
  await expect.poll(() => page.server.asked(schedules.removeMany)[0]?.body.mySchedule).toBe(true)

  const other = enter('/schedules', helena, { answers: answering(rows) })
  await other.choose('Status', 'ENVIADA')
  await other.row('Recusada').sees('Não enviada')
  await other.press('Enviar de novo')
  await expect.poll(() => other.server.asked(schedules.resend)).toHaveLength(1)
})

test('the list shows and offers what the documents name, and follows what a colleague plans (SCHED-001 … SCHED-019) [SCHED-001, SCHED-003, SCHED-005, SCHED-009, SCHED-010, SCHED-014, SCHED-015, SCHED-016, SCHED-019, SCHED-033]', async () => {
  const long = 'Seu pedido ficou pronto e espera por você na loja do centro até o fim da semana que vem.'
  const rows = [planned(1, long)]
  const page = enter('/schedules', helena, { answers: answering(rows) })
  await page.find('heading', 'Agendamentos')
  await page.sees(`${long.slice(0, 25)}…`)
  expect((await page.field('Status')).value).toBe('PENDENTE')
  expect(page.words('columnheader')).toEqual([
    'Contato',
    'Mensagem',
    'Fila',
    'Conexão',
    'Usuário',
    'Agendamento',
    'Status',
    'Ações',
  ])
  await page.user.click(page.part('main').all('button', 'MENU')[0]!)
  await page.find('menuitem')
  expect(page.words('menuitem')).toEqual([
    'Adicionar agendamento',
    'Excluir meus agendamentos enviados',
    'Excluir todos os meus agendamentos',
    'Excluir todos os agendamentos enviados',
    'Excluir todos os agendamentos',
  ])
  await page.user.keyboard('{Escape}')
  await page.row('Hilda').press(/^Editar/)
  const dialog = page.dialog()
  const offered = async (label: string) =>
    [...(await dialog.field(label)).querySelectorAll('option')].map(one => one.textContent)
  expect(await offered('Tipo de mensagem')).toEqual(['Texto', 'Mídia'])
  expect(await offered('Tipo de agendamento')).toEqual([
    ...['Único', 'Recorrente Semanal', 'Recorrente Mensal', 'Recorrente em Dias', 'Recorrente em Dias Úteis'],
  ])
  for (const field of ['Fila', 'Conexão', 'Data de envio']) await dialog.field(field)
  await dialog.press('Cancelar')

  rows.push(planned(2, 'Outra conversa, outro texto'))
  page.server.push(scheduleChannel, { action: 'create', scheduleIds: [2], contactId: 71 })
  await page.sees('Outra conversa, outro tex…')
  await page.search('OUTRA CONVERSA')
  await expect.poll(() => page.words('row').length).toBe(2)
  await page.row('Outra conversa').press(/^Excluir/)
  await page.dialog().press('Excluir')
  await page.sees('Agendamento excluído com sucesso')
})

test('a message is planned for several contacts on working days until a day, and deleted for all of them', async () => {
  const batch = uuid(9)
  const page = enter('/schedules/new', marina, {
    answers: server =>
      answering([planned(1, 'Para todos', { batch })])(server)
        .on(schedules.calendar, { weekdays: [1, 2, 3, 4, 5], holidays: ['2027-11-15'] })
        .on(schedules.createSeveral, { planned: 1 }),
  })
  const dialog = page.dialog()
  await dialog.press('Para vários contatos')
  await dialog.pick('Contato', 'Ana', /^Ana/)
  await dialog.part('list', 'Contatos escolhidos').sees('Ana Sá')
  await dialog.choose('Tipo de agendamento', 'Recorrente em Dias Úteis')
  await waitFor(() => expect(dialog.part('list', 'Próximos envios').all('listitem').length).toBe(6))
  await dialog.choose('Tipo de agendamento', 'Recorrente em Dias')
  await dialog.fill(/^Mensagem$/, 'Bom dia')
  await dialog.fill('Até o dia', '2020-01-01')
  await dialog.press('Salvar')
  await dialog.sees('Antes do primeiro envio')
  await dialog.fill('A cada quantos dias', '10')
  await dialog.fill('Até o dia', '2099-01-01')
  await dialog.press('Salvar')
  await page.sees('1 contato agendado')
  expect(page.server.asked(schedules.createSeveral)[0]?.body).toMatchObject({
    contactIds: [71],
    typeSchedule: 'Recorrente em Dias',
    ...{ everyDays: 10, untilDay: '2099-01-01' },
  })
  const list = enter('/schedules', helena, { answers: answering([planned(1, 'Para todos', { batch })]) })
  await list.row('Para todos').press(/^Excluir/)
  await list.dialog().press('Excluir também o dos outros contatos agendados junto')
  await list.dialog().press('Excluir')
  await waitFor(() =>
    expect(list.server.asked(schedules.remove)[0]).toMatchObject({ query: { whole: true } }),
  )
})

test('Escape in a picker within a dialog closes only the picker', async () => {
  const page = enter('/schedules/new', marina, { answers: answering([]) })
  const dialog = page.dialog()
  await waitFor(async () => expect(await dialog.field('Contato')).toHaveFocus())
  await dialog.press('Emoji')
  const inPicker = () =>
    document.querySelector<HTMLElement>('.mantine-Popover-dropdown input, .mantine-Popover-dropdown button')
  await waitFor(() => expect(inPicker()).not.toBeNull())
  act(() => inPicker()!.focus())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(inPicker()).toBeNull())
  await dialog.field(/^Mensagem$/)
  await userEvent.keyboard('{Escape}')
  await page.closed()
})
