import { auth } from '@balcao/contract/auth.ts'
import { messages } from '@balcao/contract/messages.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { act } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../testing/counter.ts'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { helena, marina } from '../../../testing/people.ts'

/** Two own tickets, of which the first is open, and one that waits. */
function opened(chosen: boolean, { as = marina, listed = [41, 42, 43] } = {}) {
  localStorage.setItem('nextAfterResolving', String(chosen))
  const here = counter(ticketOf('Rita Lima', {}, as))
  const others = [ticketOf('Nora Lima', { id: 42 }, as), ticketOf('Otto Reis', { id: 43 }, as)]
  const waiting = ticketOf('Caio Luz', { id: 44 })
  const find = (id: unknown) => [...others, waiting].find(one => one.id === id) ?? here.ticket
  const page = enter('/tickets/41', as, {
    answers: server =>
      here
        .answers(server)
        .on(tickets.list, ({ query }) => {
          const pending = query.status === 'pending' ? [waiting] : []
          const rows = query.status === 'open' ? listed.map(find) : pending
          return { tickets: rows, hasMore: false, count: rows.length }
        })
        .on(tickets.show, ({ params }) => find(params.ticketId))
        .on(messages.list, ({ params }) => {
          const ticket = find(params.ticketId)
          return { messages: [messageOn(ticket, ticket.id)], hasMore: false, hasNewer: false, ticket }
        })
        .on(tickets.change, ({ params }) => {
          if (params.ticketId === 41) here.moves(page.server, { status: 'closed' })
          return { ...find(params.ticketId), status: 'closed' as const }
        }),
  })
  const resolved = () => page.server.asked(tickets.change).map(({ params }) => params.ticketId)
  return { page, resolved, others }
}

const resolve = async (page: OpenPage) => page.user.keyboard('{Alt>}1{/Alt}')

test.each([true, false])(
  'the next ticket of the list follows a resolved one where that was chosen: %s',
  async chosen => {
    const { page } = opened(chosen)
    await page.field('Escreva uma mensagem')
    await page.find('link', /Nora Lima/)
    await resolve(page)
    await page.sees('Atendimento de Rita Lima resolvido')
    await expect.poll(() => location.pathname).toBe(chosen ? '/tickets/42' : '/tickets')
    // what is open already is not offered
    expect(page.maybe('button', 'Próximo: Nora Lima') === null).toBe(chosen)
  },
)

test('a second press that comes after the change of the ticket resolves nothing; a later one does', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { page, resolved } = opened(true)
  await page.find('link', /Nora Lima/)
  await resolve(page)
  await page.find('heading', /Nora Lima/)
  await expect.poll(() => location.pathname).toBe('/tickets/42')
  await resolve(page)
  await act(async () => {})
  expect(resolved()).toEqual([41])
  vi.advanceTimersByTime(1_001)
  await resolve(page)
  await expect.poll(resolved).toEqual([41, 42])
})

test('what left the list meanwhile does not follow: the one after it does', async () => {
  const { page, others } = opened(true)
  await page.find('link', /Nora Lima/)
  page.server.on(tickets.change, ({ params }) => {
    const [nora] = others
    page.server.push(ticketChannel, {
      action: 'update',
      ticket: { ...nora!, status: 'closed', version: 2 },
      before: { status: 'open', queueId: 1, userId: marina.id },
    })
    return ticketOf('Rita Lima', { id: params.ticketId, status: 'closed' }, marina)
  })
  await resolve(page)
  await expect.poll(() => location.pathname).toBe('/tickets/43')
})

test('a list that does not hold the resolved ticket leads to none of its own', async () => {
  const { page } = opened(true, { listed: [42, 43] })
  await page.find('link', /Nora Lima/)
  await resolve(page)
  await page.sees('Atendimento de Rita Lima resolvido')
  await expect.poll(() => location.pathname).toBe('/tickets')
  expect(page.maybe('button', /^Próximo/)).toBeNull()
})

test.each([true, false])(
  'a ticket that is resolved in its row takes nobody from the open one: %s',
  async chosen => {
    const { page, resolved } = opened(chosen, { as: helena })
    await page.press(/Aguardando/)
    await page.find('link', /Caio Luz/)
    await page.press('Resolver')
    await page.sees('Atendimento de Caio Luz resolvido')
    expect(resolved()).toEqual([44])
    expect(location.pathname).toBe('/tickets/41')
  },
)

test('the icon of the installed app loses its count with the logout', async () => {
  const counts: number[] = []
  Object.assign(navigator, { setAppBadge: async (count: number) => void counts.push(count) })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'setAppBadge'))
  const { page } = opened(false)
  page.server.on(auth.logout, {})
  await expect.poll(() => counts.at(-1)).toBe(4)
  await page.press('Marina Duarte')
  await page.user.click(await page.find('menuitem', 'Logout'))
  await expect.poll(() => location.pathname).toBe('/login')
  expect(counts.at(-1)).toBe(0)
})
