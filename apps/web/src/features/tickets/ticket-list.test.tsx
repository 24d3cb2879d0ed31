import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assignment } from '@balcao/contract/assignment.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { butWith, helena, marina, queuesOf } from '../../../testing/people.ts'
import { refuse, type Server } from '../../../testing/server.ts'
import { visiting } from '../../platform/visit.ts'

const waiting = () => counter(ticketOf('Rita Lima'))
const own = () => counter(ticketOf('Rita Lima', {}, marina))

test('who may not look into waiting tickets accepts from the row, which shows its button to a finger too', async () => {
  const here = waiting()
  const blind = butWith(marina, { userAuthorization: { allowViewPendingTickets: false } })
  const page = enter('/tickets', blind, {
    width: 390,
    answers: server =>
      here.answers(server).on(tickets.change, ({ body }) => {
        here.moves(page.server, { status: 'open', userId: 3, user: { id: 3, name: marina.name } })
        return { ...here.ticket, queueId: body.queueId ?? null }
      }),
  })
  await page.press(/Aguardando/)
  await page.sees('Rita Lima')
  expect(page.maybe('link', /Rita Lima/)).toBeNull()
  const row = document.querySelector('[data-ticket="41"]')!
  // selector of the style sheet: a locked row beside its buttons
  expect(row).toHaveAttribute('data-shut')
  const css = readFileSync(join(import.meta.dirname, 'ticket-list.module.css'), 'utf8')
  const touch = /@media \(hover: none\) \{([\s\S]*?)\n\}/.exec(css)![1]!
  expect(touch).toMatch(/\.place:has\(\[data-shut\]\) \.act \{\s*display: block;\s*opacity: 1;/)
  await page.press('Aceitar')
  await page.dialog().choose('Fila', 'Vendas')
  await page.dialog().press('Iniciar')
  await expect
    .poll(() => page.server.asked(tickets.change).map(({ body }) => body))
    .toMatchObject([{ status: 'open', queueId: 2 }])
  await expect.poll(() => location.pathname).toBe('/tickets/41')
})

test('the row of a waiting ticket says why it was given to nobody, unless a bot leads it', async () => {
  const here = counter(ticketOf('Rita Lima', { queueId: 1 }))
  const full = { queueId: 1, mode: 'rotation' as const, waitingReason: 'allFull' as const }
  const answers = (server: Server) => here.answers(server).on(assignment.list, { assignments: [full] })
  const page = enter('/tickets', helena, { answers })
  await page.press(/Aguardando/)
  await page.find('link', /Rita Lima/)
  await page.find('img', 'Espera: todos os atendentes no limite')
  here.moves(page.server, { withBot: true })
  await expect.poll(() => page.maybe('img', 'Espera: todos os atendentes no limite')).toBeNull()
})

test('an own row leaves out one’s own name and connection; a colleague’s has both, and who has no name a readable number', async () => {
  const here = own()
  here.ticket = { ...here.ticket, contact: { ...here.ticket.contact, name: '+5531990000071' } }
  const page = enter('/tickets', helena, { answers: here.answers })
  await page.find('link', /\+55 31 99000-0071[\s\S]*Loja Centro · Marina Duarte/)
  const mine = enter('/tickets', marina, { answers: own().answers })
  const row = await mine.find('link', /Rita Lima/)
  expect(row.textContent).toMatch(/Suporte/)
  expect(row.textContent).not.toMatch(/Marina Duarte|Loja Centro/)
  // through another connection than her own
  const other = own()
  other.ticket = { ...other.ticket, whatsappId: 9, whatsapp: { id: 9, name: 'Outlet' } }
  const there = enter('/tickets', marina, { answers: other.answers })
  await there.find('link', /Rita Lima[\s\S]*Outlet/)
})

test('the list is as wide as one draws it, also after a reload, and as usual again by a double press', async () => {
  const wide = () => document.querySelector<HTMLElement>('[data-screen="tickets"]')!.style
  const page = enter('/tickets', marina, { answers: own().answers })
  const edge = await page.find('separator', 'Largura da lista')
  expect(wide().getPropertyValue('--list-width')).toBe('')
  edge.focus()
  await page.user.keyboard('{ArrowRight}{ArrowRight}')
  expect(wide().getPropertyValue('--list-width')).toBe('420px')
  fireEvent.pointerDown(edge, { clientX: 400, pointerId: 1 })
  fireEvent.pointerMove(edge, { clientX: 450, pointerId: 1 })
  fireEvent.pointerMove(edge, { clientX: 2_000, pointerId: 1 })
  fireEvent.pointerUp(edge, { clientX: 2_000, pointerId: 1 })
  fireEvent.pointerMove(edge, { clientX: 300, pointerId: 1 })
  expect(wide().getPropertyValue('--list-width')).toBe('560px')
  const again = enter('/tickets', marina, { answers: own().answers })
  const line = await again.find('separator', 'Largura da lista')
  expect(line).toHaveAttribute('aria-valuenow', '560')
  fireEvent.doubleClick(line)
  expect(wide().getPropertyValue('--list-width')).toBe('')
  const phone = enter('/tickets', marina, { answers: own().answers, width: 390 })
  await phone.find('tab', /Atendendo/)
  expect(phone.maybe('separator', 'Largura da lista')).toBeNull()
})

test('the open lists are narrowed to what is unread; what is read leaves, and the filter is switched off where nothing is left', async () => {
  const here = counter(ticketOf('Rita Lima', { unreadMessages: 2 }, marina))
  const page = enter('/tickets', marina, { answers: here.answers })
  await page.press('Filas e ordem')
  await page.press('Só com mensagens não lidas')
  await expect
    .poll(() => page.server.asked(tickets.list).map(({ query }) => query))
    .toContainEqual(expect.objectContaining({ status: 'open', withUnreadMessages: true }))
  await page.sees('Rita Lima')
  here.ticket = { ...here.ticket, unreadMessages: 0, version: 2 }
  page.server.push(ticketChannel, { action: 'updateUnread', ticketId: 41, version: 2 })
  await page.sees('Nada por ler')
  await page.press('Mostrar todos')
  await page.sees('Rita Lima')
})

test('the conversation of a row that one points at is fetched ahead once, and counts as read only when it is opened', async () => {
  const here = counter(ticketOf('Rita Lima', {}, marina))
  const page = enter('/tickets', marina, { answers: here.answers })
  const asked = () => page.server.asked(messages.list).map(({ query }) => query.ahead ?? false)
  const row = await page.find('link', /Rita Lima/)
  await page.user.hover(row)
  await expect.poll(asked).toEqual([true])
  await page.user.unhover(row)
  await page.user.hover(row)
  await page.user.click(row)
  await page.find('log', /Rita Lima/)
  await expect.poll(asked).toEqual([true, false])
})

test('during a visit a conversation is fetched only when it is opened, since each fetch is recorded as a look', async () => {
  const visit = {
    ...{
      id: 'v',
      companyId: marina.companyId,
      visitorName: 'Op',
      visitorEmail: 'op@balcao.test',
      reason: 'x',
    },
    ...{ startedAt: new Date().toISOString(), endsAt: new Date(Date.now() + 3_600_000).toISOString() },
    ...{ endedAt: null, looks: [] },
  }
  const spy = vi.spyOn(visiting, 'now').mockReturnValue({ token: 'visit', user: marina, visit })
  onTestFinished(() => spy.mockRestore())
  const page = enter('/tickets', marina, { answers: own().answers })
  await page.user.click(await page.find('link', /Rita Lima/))
  await page.find('log', /Rita Lima/)
  expect(page.server.asked(messages.list).map(({ query }) => query.ahead ?? false)).not.toContain(true)
})

test('a waiting conversation that is accepted while it is shown counts as read', async () => {
  const here = waiting()
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here.answers(server).on(tickets.change, () => {
        const user = { id: marina.id, name: marina.name }
        here.moves(page.server, { status: 'open', userId: marina.id, user, unreadMessages: 0 })
        return here.ticket
      }),
  })
  await page.find('log', /Rita Lima/)
  // once more when the live line is there
  const asked = () => page.server.asked(messages.list).length
  await expect.poll(asked).toBe(2)
  await page.press('Aceitar')
  await page.dialog().choose('Fila', 'Vendas')
  await page.dialog().press('Iniciar')
  await expect.poll(asked).toBe(3)
})

test('a ticket that a bot leads is marked, is never late, and is filtered among those who wait', async () => {
  const waitingSince = new Date(Date.now() - 10 * 60_000).toISOString()
  const here = counter(ticketOf('Rita Lima', { withBot: true, waitingSince }))
  const page = enter('/tickets', marina, { answers: here.answers })
  await page.press(/Aguardando/)
  await page.find('img', 'Com o bot')
  const clock = () => document.querySelector('[data-ticket="41"] [title^="Espera há"]')
  await expect.poll(clock).not.toBeNull()
  expect(clock()).not.toHaveAttribute('data-late')
  here.moves(page.server, { withBot: false })
  await expect.poll(clock).toHaveAttribute('data-late', 'error')
  await page.press('Filas e ordem')
  await page.choose('Bot', 'Só os que o bot conduz')
  await expect
    .poll(() => page.server.asked(tickets.list).map(({ query }) => query))
    .toContainEqual(expect.objectContaining({ status: 'pending', bot: 'only' }))
})

test('a list that the server refuses says that one may not see it, and not that it is empty', async () => {
  const page = enter('/tickets', marina, {
    answers: server =>
      own()
        .answers(server)
        .on(tickets.list, () => refuse(403, 'ERR_NO_PERMISSION')),
  })
  await page.sees('Você não tem permissão para isto')
  await page.lacks('Nenhum atendimento com você')
})

test('a search that found little says since when it looked, and looks at all times on request', async () => {
  const page = enter('/tickets', marina, { answers: own().answers })
  await page.press('Busca')
  await page.fill('Nome, número, protocolo ou texto', 'rita')
  await page.press(/^Buscar$/)
  await page.sees(/Só atendimentos abertos desde/)
  await page.press('Buscar em todo o período')
  const last = () => page.server.asked(tickets.list).findLast(({ query }) => query.tab === 'search')
  await expect.poll(() => last()?.query.searchInitialDate).toBeUndefined()
  await page.lacks(/Só atendimentos abertos desde/)
})

test('handing on begins with the queue of today, and offers colleagues by who is there and how busy, not oneself', async () => {
  const colleague = (id: number, name: string, queues = queuesOf.slice(0, 1)) => ({
    ...{ id, name, profile: 'user' as const, queues },
  })
  const page = enter('/tickets/41', marina, {
    answers: server =>
      own()
        .answers(server)
        .on(users.all, [colleague(3, marina.name, queuesOf), colleague(5, 'Caio'), colleague(6, 'Bia')])
        .on(tickets.attendants, [
          { userId: 5, online: false, openTickets: 0 },
          { userId: 6, online: true, openTickets: 4 },
        ])
        .on(connections.list, []),
  })
  await page.press('Transferir')
  const dialog = page.dialog()
  await dialog.sees(/Bia/)
  expect(await dialog.field('Fila')).toHaveDisplayValue('Suporte')
  const offered = await dialog.field('Atendente (opcional)')
  await expect
    .poll(() => [...offered.querySelectorAll('option')].map(({ text }) => text))
    .toEqual(['Qualquer um da fila', 'Bia · online · 4 em atendimento', 'Caio · offline · 0 em atendimento'])
  // she is the only one there
  await dialog.choose('Fila', queuesOf[1]!.name)
  await expect.poll(() => offered.querySelectorAll('option').length).toBe(1)
  await dialog.lacks(/Ninguém atende esta fila/)
})
