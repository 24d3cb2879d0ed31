import { tickets } from '@balcao/contract/tickets.ts'
import { expect, test } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'

test.each([true, false])(
  'the next ticket of the list follows a resolved one where that was chosen: %s',
  async chosen => {
    localStorage.setItem('nextAfterResolving', String(chosen))
    const here = counter(ticketOf('Rita Lima', {}, marina))
    const nora = ticketOf('Nora Lima', { id: 42 }, marina)
    const page = enter('/tickets/41', marina, {
      answers: server =>
        here
          .answers(server)
          .on(tickets.list, ({ query }) => {
            const rows = query.status === 'open' ? [here.ticket, nora] : []
            return { tickets: rows, hasMore: false, count: rows.length }
          })
          .on(tickets.show, ({ params }) => (params.ticketId === 42 ? nora : here.ticket))
          .on(tickets.change, () => {
            here.moves(page.server, { status: 'closed' })
            return here.ticket
          }),
    })
    await page.field('Escreva uma mensagem')
    await page.find('link', /Nora Lima/)
    await page.user.keyboard('{Alt>}1{/Alt}')
    await page.sees('Atendimento de Rita Lima resolvido', 'Próximo: Nora Lima')
    await expect.poll(() => location.pathname).toBe(chosen ? '/tickets/42' : '/tickets')
  },
)
