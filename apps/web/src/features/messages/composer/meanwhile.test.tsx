import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { presenceChannel } from '@balcao/contract/presence.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'

const WRITE = 'Escreva uma mensagem'
const ASKS = /Alguém respondeu enquanto você escrevia/
const nora = ticketOf('Nora Lima', {}, marina)
const caio = { id: 9, name: 'Caio Ribeiro' }

test('what a colleague or the phone answered since the draft began asks once, Esc goes on editing; the customer’s words do not ask', async () => {
  const page = enter('/tickets/41', marina, {
    answers: server =>
      counter(nora, [messageOn(nora, 1, { body: 'Qual o tamanho?' })])
        .answers(server)
        .on(messages.send, ({ body }) =>
          messageOn(nora, 5, { id: body.id!, body: body.body!, fromMe: true, version: 1 }),
        ),
  })
  await page.sees('Qual o tamanho?')
  const comes = (place: number, more: object) => {
    const message = messageOn(nora, place, { version: 1, ...more })
    page.server.push(messageChannel, { action: 'create', message, ticket: nora, contact: nora.contact })
  }
  await page.type(WRITE, 'Dois metros')
  comes(2, { body: 'E a cor?' })
  await page.sees('E a cor?')
  comes(3, { body: 'São 2 m', fromMe: true, source: 'person', user: caio })
  await page.sees('São 2 m')
  await page.user.keyboard('{Enter}')
  await page.sees(ASKS)
  expect(page.server.asked(messages.send)).toEqual([])
  await page.user.keyboard('{Escape}')
  await page.lacks(ASKS)
  expect(await page.field(WRITE)).toHaveValue('Dois metros')
  comes(4, { body: 'Do celular', fromMe: true, source: 'phone', user: null })
  await page.sees('Do celular')
  await page.user.keyboard('{Enter}')
  await page.sees(ASKS)
  await page.user.keyboard('{Enter}')
  await page.lacks(ASKS)
  await waitFor(() => expect(page.server.asked(messages.send)).toHaveLength(1))
  expect(page.server.asked(messages.send).map(({ body }) => body.body)).toEqual(['Dois metros'])
})

test('who else looks or writes stands in the header and the row by name, and goes with the push', async () => {
  const page = enter('/tickets/41', marina, { answers: counter(nora).answers })
  await page.field(WRITE)
  const me = { id: 3, name: marina.name, doing: 'looking' as const }
  const faces = () =>
    Array.from(document.querySelectorAll('[data-faces]'), one => one.getAttribute('aria-label'))
  const users = [me, { ...caio, doing: 'writing' as const }]
  // its script comes after what is shown first
  await waitFor(
    () => {
      page.server.push(presenceChannel, { ticketId: 41, users })
      expect(faces()).toEqual(Array(2).fill('Caio Ribeiro está respondendo'))
    },
    { timeout: 10_000, interval: 200 },
  )
  page.server.push(presenceChannel, { ticketId: 41, users: [me] })
  await waitFor(() => expect(faces()).toEqual([]))
})
