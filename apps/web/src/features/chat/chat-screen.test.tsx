import { ChatMessage, ChatRoom, chat, chatMessageChannel } from '@balcao/contract/chat.ts'
import { companies } from '@balcao/contract/companies.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { counter, ticketOf, uuid } from '../../../testing/counter.ts'
import { enter } from '../../../testing/page.tsx'
import { marina as attendant, helena } from '../../../testing/people.ts'
import { type Partly, sample } from '../../../testing/samples.ts'
import { breakOff, refuse, type Server } from '../../../testing/server.ts'
import { unbranded } from '../../shell/brand-window.ts'

const WRITE = 'Escreva aos colegas'
const marina = {
  ...attendant,
  userAuthorization: { ...attendant.userAuthorization!, allowInternalChat: true },
}
const caio = { id: 9, name: 'Caio Ribeiro' }
const nora = ticketOf('Nora Lima', {}, marina)
const me = { id: marina.id, name: marina.name }

const line = (position: number, given: Partly<ChatMessage> = {}) =>
  sample(ChatMessage, {
    ...{ id: uuid(position), roomId: 5, from: caio, body: 'Oi', medias: [], ticketId: null, position },
    ...{ isDeleted: false, editedAt: null, createdAt: '2026-11-20T12:00:00.000Z', ...given },
  } as Partly<ChatMessage>)

const room = (given: Partly<ChatRoom> = {}) =>
  sample(ChatRoom, {
    ...{ id: 5, name: 'Vendas', isGroup: true, ownerId: marina.id, unread: 0, lastMessage: line(1) },
    ...{ members: [me, caio], userIds: [marina.id, caio.id], createdAt: '2026-11-20T12:00:00.000Z' },
    ...given,
  } as Partly<ChatRoom>)

const chatting = (server: Server, rooms = [room()], lines = [line(1)]) =>
  server
    .on(companies.branding, { ...unbranded, internalChatFlag: true })
    .on(users.all, [marina, { ...helena, id: 9, name: 'Caio Ribeiro' }, helena])
    .on(chat.rooms, () => ({
      rooms,
      unread: rooms.reduce((all, one) => all + one.unread, 0),
      hasMore: false,
    }))
    .on(chat.messages, () => ({ messages: lines, hasMore: false }))
    .on(chat.read, { unread: 0 })

test('the menu counts what colleagues wrote, also elsewhere, and what is shown is read', async () => {
  const lines = [line(1)]
  const page = enter('/tickets', marina, {
    answers: server => chatting(server, [room({ unread: 1 })], lines),
  })
  await page.find('link', /Conversas internas[\s\S]*1 mensagem não lida/)
  const message = line(2, { body: 'Alguém vê o 41?' })
  lines.push(message)
  page.server.push(chatMessageChannel, { action: 'create', ...message, message })
  await page.find('link', /Conversas internas[\s\S]*2 mensagens não lidas/)
  const link = await page.find('link', /Conversas internas/)
  await page.user.click(link)
  await page.user.click(await page.find('link', /Vendas/))
  await page.sees('Alguém vê o 41?')
  await waitFor(() => expect(page.server.asked(chat.read).at(-1)?.body.position).toBe(2))
})

test('a message whose answer was lost is sent again under its id after a reload, and its text stays until then', async () => {
  const first = enter('/chat/5', marina, {
    answers: server => chatting(server).on(chat.send, () => breakOff()),
  })
  await first.type(WRITE, 'Volto às 14')
  await first.press('Enviar')
  await waitFor(() => expect(first.server.asked(chat.send)).toHaveLength(1))
  expect(await first.field(WRITE)).toHaveValue('Volto às 14')
  const again = enter('/chat/5', marina, {
    answers: server =>
      chatting(server).on(chat.send, ({ body }) => line(2, { id: body.id!, body: body.body, from: me })),
  })
  expect(await again.field(WRITE)).toHaveValue('Volto às 14')
  await again.press('Enviar')
  await waitFor(async () => expect(await again.field(WRITE)).toHaveValue(''))
  const [one, other] = [first, again].map(page => page.server.asked(chat.send)[0]!.body.id)
  expect(other).toBe(one)
  await again.type(WRITE, 'Cheguei')
  await again.press('Enviar')
  await waitFor(() => expect(again.server.asked(chat.send)).toHaveLength(2))
  expect(again.server.asked(chat.send)[1]!.body.id).not.toBe(one)
})

test('what is changed after an answer was lost is another message: the first one may have arrived', async () => {
  const page = enter('/chat/5', marina, {
    answers: server => chatting(server).on(chat.send, () => breakOff()),
  })
  await page.type(WRITE, 'Volto às 14')
  await page.press('Enviar')
  await waitFor(() => expect(page.server.asked(chat.send)).toHaveLength(1))
  await page.type(WRITE, ' e meia')
  await page.press('Enviar')
  await waitFor(() => expect(page.server.asked(chat.send)).toHaveLength(2))
  const [first, second] = page.server.asked(chat.send).map(({ body }) => body)
  expect(second!.body).toBe('Volto às 14 e meia')
  expect(second!.id).not.toBe(first!.id)
})

test('chosen files are there after a reload, and are taken off one by one', async () => {
  const answers = (server: Server) => chatting(server)
  const first = enter('/chat/5', marina, { answers })
  await first.field(WRITE)
  const file = (name: string) => new File(['%PDF-1.4'], name, { type: 'application/pdf' })
  await first.give(file('escala.pdf'), file('metas.pdf'))
  await first.sees('escala.pdf', 'metas.pdf')
  const again = enter('/chat/5', marina, { answers })
  await again.sees('escala.pdf', 'metas.pdf')
  await again.press('Remover escala.pdf')
  await again.press('Remover metas.pdf')
  await again.lacks('escala.pdf', 'metas.pdf')
})

test('the owner names a group and sets its members; who is neither owner nor admin reads who is in it', async () => {
  const page = enter('/chat/5', marina, {
    answers: server =>
      chatting(server).on(chat.change, ({ body }) => room({ name: body.name ?? '', userIds: body.userIds! })),
  })
  await page.press(/^Membros/)
  await page.dialog().fill('Nome do grupo (opcional)', 'Plantão')
  await page.dialog().press('Salvar')
  await page.find('heading', 'Plantão')
  expect(page.server.asked(chat.change)[0]!.body).toEqual({ name: 'Plantão', userIds: [marina.id, caio.id] })
  const other = enter('/chat/5', marina, { answers: server => chatting(server, [room({ ownerId: 9 })]) })
  await other.press(/^Membros/)
  await other.dialog().sees('Caio Ribeiro · criou o grupo')
  await other.dialog().lacks('Salvar')
})

test('a ticket is shared from its menu into a room, and shows in it no more than the reader may see', async () => {
  const page = enter('/tickets/41', marina, {
    answers: server =>
      chatting(counter(nora).answers(server)).on(chat.send, ({ body }) =>
        line(2, { id: body.id!, body: body.body, from: me, ticketId: body.ticketId! }),
      ),
  })
  await page.press('Mais ações')
  await page.press('Compartilhar no chat interno')
  await page.dialog().choose('Sala ou colega', 'Vendas')
  await page.dialog().fill('Mensagem (opcional)', 'Veja isto')
  await page.dialog().press('Compartilhar')
  await page.sees('Compartilhado em Vendas')
  expect(page.server.asked(chat.send)[0]!.body).toMatchObject({ body: 'Veja isto', ticketId: 41 })
  const lines = [line(1, { ticketId: 41 }), line(2, { ticketId: 42 })]
  const room5 = enter('/chat/5', marina, {
    answers: server =>
      chatting(server, [room()], lines).on(tickets.show, ({ params }) =>
        params.ticketId === 41 ? nora : refuse(404, 'ERR_NO_TICKET_FOUND'),
      ),
  })
  await room5.find('link', /Nora Lima[\s\S]*202611200041/)
  await room5.sees('Atendimento 42 · você não pode lê-lo')
})
