import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { expect, test } from 'vitest'
import { counter, messageOn, ticketOf, uuid } from '../../../../testing/counter.ts'
import { enter, lead } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'

const WRITE = 'Escreva uma mensagem'
const nora = ticketOf('Nora Lima', {}, marina)
const otto = ticketOf(
  'Otto Reis',
  { id: 42, uuid: uuid(42), contactId: 72, contact: { id: 72, name: 'Otto Reis', number: '5531990000072' } },
  marina,
)

/** Two conversations of Marina's; the second is loaded when the test says so. */
function two({ status = 'open' }: { status?: 'open' | 'closed' } = {}) {
  const second = { ...otto, status }
  const { promise: isLoaded, resolve: load } = Promise.withResolvers<void>()
  let sent = 0
  const page = enter('/tickets/41', marina, {
    answers: server =>
      counter(nora)
        .answers(server)
        .on(tickets.list, ({ query }) => {
          const rows = query.status === 'open' ? [nora, ...(status === 'open' ? [second] : [])] : []
          return { tickets: rows, hasMore: false, count: rows.length }
        })
        .on(tickets.show, ({ params }) => (params.ticketId === nora.id ? nora : second))
        .on(messages.list, async ({ params }) => {
          const ticket = params.ticketId === nora.id ? nora : second
          if (ticket === second) await isLoaded
          return { messages: [messageOn(ticket, ticket.id)], hasMore: false, hasNewer: false, ticket }
        })
        .on(messages.send, ({ params, body }) =>
          messageOn(params.ticketId === nora.id ? nora : second, 100 + sent++, {
            ...(body.id && { id: body.id }),
            body: body.body ?? '',
            fromMe: true,
            ack: 1,
            user: { id: 3, name: marina.name },
          }),
        ),
  })
  const sends = () => page.server.asked(messages.send).map(({ params, body }) => [params.ticketId, body.body])
  return { page, load, sends }
}

test('keys that follow the choice of a conversation are its own, with Enter, before it is drawn', async () => {
  const { page, load, sends } = two()
  await page.type(WRITE, 'Para Nora')
  // the previous conversation is still on the screen, with the focus in its field
  const field = await page.field(WRITE)
  history.pushState(null, '', '/tickets/42')
  await page.user.keyboard('Bom dia!{Enter}Tudx{Backspace}o bem{Shift>}{Enter}{/Shift}com{Enter}E o')
  expect(field).toHaveValue('Para Nora')
  await lead('/tickets/42')
  await page.user.keyboard(' pedido')
  await expect.poll(sends).toEqual([
    [42, 'Bom dia!'],
    [42, 'Tudo bem\ncom'],
  ])
  load()
  await expect.poll(async () => (await page.field(WRITE)).textContent).toBe('E o pedido')
  await page.user.keyboard('?')
  expect(await page.field(WRITE)).toHaveValue('E o pedido?')
  await lead('/tickets/41')
  await expect.poll(async () => (await page.field(WRITE)).textContent).toBe('Para Nora')
  expect(sends()).toHaveLength(2)
})

test('a send button of the conversation that was left sends nothing and keeps the text', async () => {
  const { page, sends } = two()
  await page.type(WRITE, 'Para Nora')
  history.pushState(null, '', '/tickets/42')
  await page.press('Enviar')
  expect(await page.field(WRITE)).toHaveValue('Para Nora')
  expect(sends()).toEqual([])
})

test('what is written before a conversation turns out to be closed stays as its draft, and Enter sends none of it', async () => {
  const { page, load, sends } = two({ status: 'closed' })
  await page.field(WRITE)
  await lead('/tickets/42')
  await page.user.keyboard('Olá{Enter}')
  load()
  await page.sees('Este atendimento foi resolvido')
  expect(localStorage.getItem('draft:2.3:42')).toBe('Olá')
  expect(sends()).toEqual([])
})

test('a second or a held Enter on a row sends no draft of earlier', async () => {
  localStorage.setItem('draft:2.3:42', 'Ainda não')
  const { page, load, sends } = two()
  await page.field(WRITE)
  await lead('/tickets/42')
  await page.user.keyboard('{Enter} {Backspace}{Enter}')
  load()
  await expect.poll(async () => (await page.field(WRITE)).textContent).toBe('Ainda não')
  expect(sends()).toEqual([])
})

test('a text that opens quick answers waits with its Enter for the choice', async () => {
  const { page, load, sends } = two()
  await page.field(WRITE)
  await lead('/tickets/42')
  await page.user.keyboard('Oi{Enter}/pix{Enter}')
  load()
  expect(sends()).toEqual([[42, 'Oi']])
  await expect.poll(async () => (await page.field(WRITE)).textContent).toContain('/pix')
})

test('the caret is where it was left in each conversation, and at the end where that is not known', async () => {
  const { page, load } = two()
  load()
  await page.type(WRITE, 'Para Nora')
  const first = await page.field(WRITE)
  first.setSelectionRange(4, 4)
  await page.user.keyboard('{ArrowLeft}{ArrowRight}')
  await lead('/tickets/42')
  await page.type(WRITE, 'Oi')
  await lead('/tickets/41')
  await page.sees('Nora Lima')
  const caret = async () => (await page.field(WRITE)).selectionStart
  await expect.poll(caret).toBe(4)
})
