import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { presenceChannel } from '@balcao/contract/presence.ts'
import { act, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'
import { breakOff, type Server } from '../../../../testing/server.ts'
import { held, hold } from './held.ts'

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

/** The conversation of a draft of Marina, in which others write. */
function begun(more: (server: Server) => Server = server => server) {
  const talk = counter(nora, [messageOn(nora, 1, { body: 'Qual o tamanho?' })])
  const page = enter('/tickets/41', marina, { answers: server => more(talk.answers(server)) })
  const comes = (place: number, given: object) => {
    const message = messageOn(nora, place, { version: 1, fromMe: true, user: caio, ...given })
    talk.thread.push(message)
    page.server.push(messageChannel, { action: 'create', message, ticket: nora, contact: nora.contact })
  }
  return { page, comes }
}

const kept = (server: Server) =>
  server.on(messages.send, ({ body }) =>
    messageOn(nora, 9, { id: body.id!, body: body.body ?? '', fromMe: true, version: 1 }),
  )

test('a colleague’s note is no answer: nothing is asked', async () => {
  const { page, comes } = begun(kept)
  await page.sees('Qual o tamanho?')
  await page.type(WRITE, 'Dois metros')
  comes(2, { body: 'Cliente antiga', isPrivate: true })
  await page.sees('Cliente antiga')
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(page.server.asked(messages.send)).toHaveLength(1))
  await page.lacks(ASKS)
})

test('what waited for the connection asks once where a colleague answered: all of the ticket is sent by one press, or taken back', async () => {
  const { page, comes } = begun(server => server.on(messages.send, () => breakOff()))
  const now = vi.spyOn(Date, 'now')
  onTestFinished(() => now.mockRestore())
  await page.sees('Qual o tamanho?')
  for (const words of ['Dois metros', 'Em cinza']) {
    await page.fill(WRITE, words)
    await page.user.keyboard('{Enter}')
  }
  await waitFor(() => expect(page.server.asked(messages.send).length).toBeGreaterThan(0))
  const before = page.server.asked(messages.send).length
  comes(3, { body: 'São 2 m' })
  await page.sees('São 2 m')
  const real = performance.timeOrigin + performance.now()
  now.mockImplementation(() => Math.round(real) + 60_000)
  kept(page.server)
  await waitFor(
    () => expect(document.body.textContent!.match(/alguém respondeu enquanto ela esperava/g)).toHaveLength(2),
    { timeout: 10_000 },
  )
  const asked = () => page.server.asked(messages.send).slice(before)
  expect(asked().filter(({ body }) => body.body !== 'Dois metros')).toEqual([])
  await page.press('Reenviar')
  await waitFor(() => expect(asked().map(({ body }) => body.body)).toContain('Em cinza'))
  await page.lacks(/alguém respondeu enquanto ela esperava/)
})

test('a recording asks before it is sent, and goes on after Esc', async () => {
  const { page, comes } = begun(kept)
  await page.sees('Qual o tamanho?')
  const made = new Blob([new Uint8Array(9_000)], { type: 'audio/mpeg' })
  const before = { made, seconds: 12 }
  act(() => hold(41, { recording: { recording: null, state: 'paused', seconds: 12, bars: [], before } }))
  await page.find('button', 'Enviar áudio')
  comes(2, { body: 'São 2 m' })
  await page.press('Enviar áudio')
  await page.sees(ASKS)
  expect(held(41).recording?.seconds).toBe(12)
  await page.user.keyboard('{Escape}')
  await page.lacks(ASKS)
  expect(held(41).recording?.seconds).toBe(12)
  await page.press('Enviar áudio')
  await waitFor(() => expect(held(41).recording).toBeNull())
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
