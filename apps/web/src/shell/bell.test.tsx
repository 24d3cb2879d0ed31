import { mentions } from '@balcao/contract/mentions.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, ticketOf, uuid } from '../../testing/counter.ts'
import { enter } from '../../testing/page.tsx'
import { helena } from '../../testing/people.ts'

test('the bell counts mentions beside tickets; one of them opens its note and is read', async () => {
  const mention = {
    ...{ id: 3, ticketId: 41, ticketUuid: uuid(41), messageId: uuid(7), body: '@Marina veja o pedido' },
    ...{ from: { id: 2, name: 'Helena Prado' }, contact: { id: 71, name: 'Nora Lima' } },
    ...{ createdAt: '2026-11-20T12:00:00.000Z', readAt: null },
  }
  let unread = [mention]
  const page = enter('/tickets', helena, {
    answers: server =>
      counter(ticketOf('Nora Lima', {}, helena))
        .answers(server)
        .on(mentions.list, () => ({ mentions: unread, unread: unread.length, hasMore: false }))
        .on(mentions.read, () => {
          unread = []
          return { unread: 0 }
        }),
  })
  await page.press('Notificações: 2')
  await page.press(/Helena Prado mencionou você em Nora Lima[\s\S]*veja o pedido/)
  await waitFor(() => expect(page.server.asked(mentions.read)[0]?.body.ids).toEqual([3]))
  expect(location.pathname).toBe('/tickets/41')
  await page.find('button', 'Notificações: 1')
})
