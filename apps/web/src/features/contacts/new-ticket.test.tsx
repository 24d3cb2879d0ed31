import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { expect, test, vi } from 'vitest'
import { counter, ticketOf } from '../../../testing/counter.ts'
import { enter, type OpenPage } from '../../../testing/page.tsx'
import { marina } from '../../../testing/people.ts'
import { samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'

const known = samples(Contact, [
  { id: 71, name: 'Noemi Sá', number: '5531990000071' },
  { id: 72, name: 'Olga Sá', number: '5531990000072' },
])

/** The dialog of a new conversation; `open` defines the server's answer. */
async function starting(open: (server: Server) => Server): Promise<OpenPage> {
  const here = counter(ticketOf('Noemi Sá', { id: 50 }))
  const page = enter('/tickets', marina, {
    answers: server =>
      open(
        here.answers(server).on(contacts.list, ({ query }) => {
          const found = known.filter(({ name }) => name.startsWith(query.searchParam ?? ''))
          return { contacts: found, hasMore: false, count: found.length }
        }),
      ),
  })
  await page.press('Novo atendimento')
  return page
}

test('who starts a conversation is told what is missing, what failed, and who waits already (ERR-028) [ERR-028]', async () => {
  let isAway = true
  const page = await starting(server =>
    server
      .on(contacts.list, () => (isAway ? refuse(400) : { contacts: known, hasMore: false, count: 2 }))
      .on(tickets.open, () => refuse(409, 'ERR_OTHER_OPEN_TICKET'))
      .on(tickets.checkContactOpen, () => ticketOf('Noemi Sá')),
  )
  const dialog = page.dialog()
  await dialog.fill('Contato', 'Noemi')
  await page.sees('Falha na busca de contatos')
  isAway = false
  await dialog.pick('Contato', 'Olga', /^Olga/)
  await dialog.choose('Fila', /Selecione|Escolha/)
  await dialog.press('Iniciar')
  await page.sees('Selecione uma fila')
  await dialog.choose('Fila', 'Suporte')
  await dialog.press('Iniciar')
  await page.sees('Este contato já estava na fila aguardando atendimento')
})

test('a contact is looked for from two letters on, when half a second went by [TSTATE-028, TSTATE-040, TSTATE-043, CONST-006, OP-06, OP-83]', async () => {
  const page = await starting(server => server)
  const asked = () => page.server.asked(contacts.list).map(({ query }) => query.searchParam)
  const field = await page.dialog().field('Contato')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const before = asked().length
  await page.user.type(field, 'N')
  await vi.advanceTimersByTimeAsync(2_000)
  await page.user.type(field, 'o')
  await vi.advanceTimersByTimeAsync(300)
  await page.user.type(field, 'e')
  await vi.advanceTimersByTimeAsync(300)
  expect(asked().slice(before)).toEqual([])
  await vi.advanceTimersByTimeAsync(300)
  await expect.poll(() => asked().slice(before)).toEqual(['Noe'])
})

test.each([
  ['Marina Duarte já atende este contato em Suporte', 9, 30],
  ['Você já tem um ticket aberto para este contato', 3, 9],
])(
  '%s: told for its time [TSTATE-028, TSTATE-040, TSTATE-043, CONST-006, OP-06, OP-83]',
  async (words, owner, seconds) => {
    const theirs = { ...ticketOf('Noemi Sá', {}, marina), userId: owner }
    const page = await starting(server =>
      server
        .on(tickets.open, () => refuse(409, 'ERR_OTHER_OPEN_TICKET'))
        .on(tickets.checkContactOpen, () => theirs),
    )
    await page.dialog().pick('Contato', 'Noemi', /^Noemi/)
    await page.dialog().choose('Fila', 'Vendas')
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await page.dialog().press('Iniciar')
    await page.sees(words)
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 2_000)
    await page.sees(words)
    await vi.advanceTimersByTimeAsync(4_000)
    await page.lacks(words)
  },
)

test('Enter takes what is found for what is written, not what was found for the words before', async () => {
  const people = samples(Contact, [
    { id: 81, name: 'Raul Aragão', number: '5531990000081' },
    { id: 82, name: 'Raquel Sampaio', number: '5531990000082' },
  ])
  const page = await starting(server =>
    server.on(contacts.list, ({ query }) => {
      const found = people.filter(({ name }) => name.startsWith(query.searchParam ?? ''))
      return { contacts: found, hasMore: false, count: found.length }
    }),
  )
  const field = await page.dialog().field('Contato')
  await page.dialog().fill('Contato', 'Ra')
  await page.dialog().sees('Raul Aragão')
  await page.user.type(field, 'quel{Enter}')
  await expect.poll(() => field.value).toBe('Raquel Sampaio')
})
