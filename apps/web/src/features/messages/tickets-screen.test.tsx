import { Category, categories } from '@balcao/contract/categories.ts'
import { connections } from '@balcao/contract/connections.ts'
import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { TagChoice, tags } from '@balcao/contract/tags.ts'
import { type TicketHit, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { userChannel, users } from '@balcao/contract/users.ts'
import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { counter, ticketOf, uuid } from '../../../testing/counter.ts'
import { enter, lead } from '../../../testing/page.tsx'
import { butWith, helena, marina } from '../../../testing/people.ts'
import { sample, samples } from '../../../testing/samples.ts'
import { refuse, type Server } from '../../../testing/server.ts'
import { liveSocket } from '../../../testing/socket.ts'

const waiting = () => counter(ticketOf('Rita Lima'))
const own = () => counter(ticketOf('Rita Lima', {}, marina))

test('who is about to accept is told when a colleague was faster', async () => {
  const here = waiting()
  const page = enter('/tickets/41', marina, {
    answers: server => here.answers(server).on(tickets.change, () => refuse(409, 'ERR_OTHER_OPEN_TICKET')),
  })
  await page.press('Aceitar')
  await page.dialog().choose('Fila', 'Vendas')
  here.moves(page.server, { status: 'open', userId: 9, user: { id: 9, name: 'Caio Ribeiro' }, queueId: 2 })
  await page.sees('Caio Ribeiro já está atendendo')
  await page.closed()
})

test('one key accepts into the queue of that number; the last queue stands there the next time, and Enter starts', async () => {
  const here = waiting()
  const page = enter('/tickets/41', marina, {
    answers: server => here.answers(server).on(tickets.change, () => refuse(409, 'ERR_OTHER_OPEN_TICKET')),
  })
  const sent = () => page.server.asked(tickets.change).map(({ body }) => body.queueId)
  await page.find('heading', 'Rita Lima')
  await page.user.keyboard('{Alt>}n{/Alt}')
  await page.dialog().sees('1 Suporte, 2 Vendas')
  await page.user.click(await page.dialog().field('Fila'))
  await page.user.keyboard('7')
  await page.user.keyboard('2')
  await expect.poll(sent).toEqual([2])
  await page.closed()
  await page.user.keyboard('{Alt>}n{/Alt}')
  expect(await page.dialog().field('Fila')).toHaveValue('2')
  await page.user.click(await page.dialog().field('Fila'))
  await page.user.keyboard('{Enter}')
  await expect.poll(sent).toEqual([2, 2])
})

test('the ticket goes to a colleague with a notice that leads there [TSTATE-021, LIVE-006, LIVE-007, CONV-005, CONST-006, OP-06]', async () => {
  const here = counter(ticketOf('Noel Lima', { status: 'closed' }))
  const page = enter('/quickAnswers', marina, { answers: here.answers })
  await page.find('heading', 'Respostas rápidas')
  here.moves(
    page.server,
    { status: 'open', userId: 3, user: { id: 3, name: marina.name }, queueId: 1 },
    { transf: true, transferredBy: { id: 9, name: 'Caio Ribeiro' } },
  )
  await page.sees('Caio Ribeiro transferiu um atendimento de Noel Lima')
  await page.press('Visualizar ticket')
  await page.find('heading', 'Noel Lima')
})

test('a list that could not be had says so, can be tried again, and comes by itself [TICKET-027, TICKET-037]', async () => {
  const here = waiting()
  let fails = true
  const page = enter('/tickets', marina, {
    answers: server =>
      here
        .answers(server)
        .on(tickets.list, () =>
          fails ? refuse(500, 'ERR_INTERNAL') : { tickets: [here.ticket], hasMore: false, count: 1 },
        ),
  })
  await expect
    .poll(() => page.maybe('alert')?.textContent, { timeout: 12_000 })
    .toContain('A lista não pôde ser carregada')
  fails = false
  await page.press('Tentar de novo')
  await page.sees('Rita Lima')
  await waitFor(() => expect(page.maybe('alert')).toBeNull())
})

test('the lists that are looked at are joined, and joined again when the line is back (EVENT-023) [EVENT-023]', async () => {
  const page = enter('/tickets', marina, { answers: waiting().answers })
  const joins = () =>
    liveSocket.emitted.filter(([what]) => what === 'joinTickets').map(([, which]) => String(which))
  await expect.poll(() => joins().toSorted()).toEqual(['open', 'pending'])
  await page.press('Fechados')
  await expect.poll(joins).toContain('closed')
  liveSocket.emitted = []
  liveSocket.breaks()
  liveSocket.connect()
  await expect.poll(joins).toContain('closed')
})

test('a draft marks the row of its ticket, also when it is given back [TICKET-032, TSTATE-009, LIVE-017, MSG-029, MSG-030]', async () => {
  const here = own()
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here.answers(server).on(tickets.change, ({ body }) => {
        here.moves(page.server, { status: body.status!, userId: null, user: null, queueId: null })
        return here.ticket
      }),
  })
  await page.fill('Escreva uma mensagem', 'Vou ver e já')
  await page.sees('Rascunho')
  await page.user.keyboard('{Alt>}2{/Alt}')
  await expect
    .poll(() => page.server.asked(tickets.change).map(({ body }) => body.status))
    .toEqual(['pending'])
  await page.press(/Aguardando/)
  await page.find('link', /Rita Lima[\s\S]*Rascunho[\s\S]*Vou ver e já/)
  await expect.poll(() => document.title).toContain('Aguardando (1)')
})

test('what was resolved by mistake is back with one press, with its draft [TSTATE-011]', async () => {
  const here = own()
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(tickets.change, () => {
          here.moves(page.server, { status: 'closed' })
          return here.ticket
        })
        .on(tickets.undo, () => {
          here.moves(page.server, { status: 'open' })
          return here.ticket
        }),
  })
  await page.fill('Escreva uma mensagem', 'quase pronto')
  await page.user.keyboard('{Alt>}1{/Alt}')
  await page.sees('Atendimento de Rita Lima resolvido')
  await page.press('Desfazer')
  await waitFor(async () => expect(await page.field('Escreva uma mensagem')).toHaveValue('quase pronto'))
})

test('a slow ticket shows at once who it is with', async () => {
  const here = waiting()
  const gate = Promise.withResolvers<void>()
  const page = enter('/tickets', marina, {
    answers: server =>
      here.answers(server).on(messages.list, async () => {
        await gate.promise
        return { messages: here.thread, hasMore: false, hasNewer: false, ticket: here.ticket }
      }),
  })
  await page.press(/Aguardando/)
  await page.press(/Rita Lima/)
  await page.find('heading', 'Rita Lima')
  expect(page.all('article')).toEqual([])
  gate.resolve()
  await page.find('article')
})

test('handing on says why there is nobody to choose [TICKET-020, TSTATE-018]', async () => {
  const here = own()
  let colleagues: 'away' | 'none' = 'away'
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(users.all, () => (colleagues === 'away' ? refuse(400) : []))
        .on(connections.list, () => refuse(500, 'ERR_INTERNAL')),
  })
  await page.press('Transferir')
  await page.dialog().sees('Não foi possível carregar os usuários')
  await page.user.keyboard('{Escape}')
  await page.closed()
  colleagues = 'none'
  await page.press('Transferir')
  await page.dialog().choose('Fila', 'Vendas')
  await page.dialog().sees('Ninguém atende esta fila')
  await page.dialog().find('button', 'Transferir para aguardar')
})

test('a closed ticket leads to a new one with its contact [TSTATE-006, TSTATE-015, TSTATE-027, TSTATE-046, CONV-005]', async () => {
  const here = counter(ticketOf('Olga Lima', { status: 'closed' }))
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(tickets.open, () => ticketOf('Olga Lima', { id: 42, uuid: uuid(42) }, marina))
        .on(contacts.show, sample(Contact, { id: 71, name: 'Olga Lima' })),
  })
  await page.find('heading', 'Olga Lima')
  await page.user.click(page.all('button', 'Novo atendimento').at(-1)!)
  await page.dialog().sees('Olga Lima')
  await page.dialog().choose('Fila', 'Suporte')
  await page.dialog().press('Iniciar')
  await expect
    .poll(() => page.server.asked(tickets.open)[0]?.body)
    .toMatchObject({ contactId: 71, queueId: 1 })
})

test('those who wait stand by who waits longest, which is said; another order can be chosen, and is kept', async () => {
  const page = enter('/tickets', marina, { answers: waiting().answers })
  await page.press(/Aguardando/)
  await page.sees('Quem espera há mais tempo primeiro')
  const asked = (status: string) =>
    page.server
      .asked(tickets.list)
      .filter(({ query }) => query.status === status && query.withUnreadMessages !== true)
      .map(({ query }) => query.sort)
  expect(new Set(asked('pending'))).toEqual(new Set(['waiting']))
  expect(asked('open')).not.toContain('waiting')
  await page.press('Filas e ordem')
  await page.dialog('Filas e ordem').choose('Ordem', 'Mais recentes primeiro')
  await expect.poll(() => asked('pending').at(-1)).not.toBe('waiting')
  await expect.poll(() => localStorage.getItem('ticketOrder')).toContain('newest')
  await page.dialog('Filas e ordem').choose('Ordem', 'Quem espera há mais tempo primeiro')
  await expect.poll(() => asked('open')).toContain('waiting')
})

test('a search shows and marks in the row what it found, and says whose the last words are', async () => {
  const by = { source: 'person' as const, user: { id: 3, name: 'Marina Duarte' } }
  const iara = ticketOf(
    'Iara Lima',
    { lastMessage: 'Vou ver', lastMessageFromMe: true, lastMessageBy: by },
    marina,
  )
  let hits: TicketHit[] = [
    { ticketId: 41, messageId: uuid(5), body: 'perdi o guarda-roupa cinzento ontem', isNote: true },
  ]
  const page = enter('/tickets', helena, {
    answers: server =>
      counter(iara)
        .answers(server)
        .on(tickets.list, ({ query }) => {
          const found = query.tab === 'search' ? [iara] : []
          return { tickets: found, hasMore: false, count: found.length, hits }
        }),
  })
  await page.find('tab', /Atendendo/)
  await page.user.keyboard('/')
  await page.user.keyboard('cinzento')
  await waitFor(async () =>
    expect(await page.field('Nome, número, protocolo ou texto')).toHaveValue('cinzento'),
  )
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(document.querySelector('[data-ticket] mark')).toHaveTextContent('cinzento'))
  // what colleagues noted is not taken for the customer's words
  await page.sees('Nota interna:')
  hits = []
  await page.fill('Nome, número, protocolo ou texto', 'Iara')
  await page.user.keyboard('{Enter}')
  await page.sees('Marina: Vou ver')
})

test('an admin resolves all that a filter holds, after writing the word exactly; an attendant has no such button [TICKET-023, TICKET-034 … TICKET-036, CONST-008, OP-62, OP-79]', async () => {
  const page = enter('/tickets', helena, {
    answers: server =>
      waiting()
        .answers(server)
        .on(tickets.query, () => ({
          tickets: [waiting().ticket],
          reportData: { tickets: [] },
          hasMore: false,
        }))
        .on(tickets.resolveMany, { closed: 1 }),
  })
  await page.press('Resolver vários')
  const dialog = page.dialog()
  await dialog.sees('1 atendimento será resolvido')
  const confirm = () => dialog.find('button', /^Resolver$/)
  for (const wrong of ['', 'resolver', 'RESOLVER', 'Resolve']) {
    await dialog.fill('Para confirmar, escreva Resolver', wrong)
    expect(await confirm()).toBeDisabled()
  }
  await dialog.fill('Para confirmar, escreva Resolver', 'Resolver')
  await page.user.keyboard('{Enter}')
  await page.sees('1 atendimento resolvido')
  await page.closed()
  expect(page.server.asked(tickets.resolveMany)[0]?.body.Tickets).toEqual([41])
})

test('an attendant does not resolve many at once; without a ticket on a phone the list stands with a hint (TICKET-003) [TICKET-003]', async () => {
  const page = enter('/tickets', marina, { answers: waiting().answers, width: 390 })
  await page.sees('Escolha um atendimento para começar')
  expect(page.maybe('button', 'Resolver vários')).toBeNull()
  await page.press(/Aguardando/)
  await page.press(/Rita Lima/)
  await page.find('button', 'Voltar para a lista')
  await page.lacks('Escolha um atendimento para começar')
  // alone on the screen the conversation has its heading
  expect(document.querySelector('h1')).toHaveTextContent('Rita Lima')
  // who has opened one needs the hint no more
  const again = enter('/tickets', marina, { answers: waiting().answers, width: 390 })
  await again.press(/Aguardando/)
  await again.sees('Rita Lima')
  await again.lacks('Escolha um atendimento para começar')
})

test('both lists of open tickets are kept, and are as they are by now: a colleague’s doing and a new name are seen [TICKET-009, TSTATE-034, LIVE-010, OP-03]', async () => {
  const here = waiting()
  const page = enter('/tickets', marina, { answers: here.answers })
  await page.press(/Aguardando/)
  await page.sees('Rita Lima')
  const asked = page.server.asked(tickets.list).length
  here.moves(page.server, { contact: { ...here.ticket.contact, name: 'Rute Lima' } })
  await page.sees('Rute Lima')
  here.moves(page.server, {
    status: 'open',
    userId: 3,
    user: { id: 3, name: marina.name },
    queueId: 1,
    queue: { id: 1, name: 'Suporte', color: '#fe9200' },
  })
  await page.lacks('Rute Lima')
  await page.user.keyboard('{Alt>}a{/Alt}')
  await page.sees('Rute Lima')
  expect(page.server.asked(tickets.list).length).toBe(asked)
  page.server.push(ticketChannel, {
    action: 'delete',
    ticketId: 41,
    place: { status: 'open', queueId: 1, userId: 3 },
  })
  await page.lacks('Rute Lima')
})

test('a search is narrowed by contact, attendant, tag and category within a period, asks once it may, and is the same when one comes back [GEN-015, TICKET-013, TICKET-014, TICKET-016, TICKET-017, TICKET-018]', async () => {
  const here = counter(ticketOf('Zuleica Sá'))
  const answers = (server: Server) =>
    here
      .answers(server)
      .on(users.list, { users: [marina], hasMore: false })
      .on(tags.all, samples(TagChoice, [{ id: 5, name: 'Troca' }]))
      .on(categories.all, samples(Category, [{ id: 6, name: 'Arquiteto' }]))
      .on(contacts.list, {
        contacts: samples(Contact, [{ id: 71, name: 'Zuleica Sá' }]),
        hasMore: false,
        count: 1,
      })
  const page = enter('/tickets', helena, { answers })
  await page.press('Busca')
  await page.press('Filtros')
  const filters = page.part('region', 'Filtros')
  // thirty days until now, as Brazil writes it
  expect((await filters.find('button', 'Abertos desde')).textContent).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
  expect(await filters.find('button', 'Abertos até')).toHaveTextContent('agora')
  await filters.fill('Contato', 'Zu')
  await page.sees('Escreva ao menos 3 letras')
  await filters.pick('Contato', 'Zuleica')
  expect(page.server.asked(contacts.list)).toHaveLength(1)
  await filters.choose('Etiquetas', 'Troca')
  await page.user.keyboard('{Escape}')
  await filters.choose('Categorias do contato', 'Arquiteto')
  await page.user.keyboard('{Escape}')
  await filters.pick('Atendente', 'marina', /Marina/)
  await page.press(/^Buscar$/)
  const asked = () => page.server.asked(tickets.list).findLast(({ query }) => query.tab === 'search')?.query
  await expect
    .poll(asked)
    .toMatchObject({ searchContactId: 71, tags: [5], contactCategories: [6], searchUserId: 3 })
  await page.find('button', 'Filtros: 4 ativos')
  await page.press('Limpar filtros')
  await page.press(/^Buscar$/)
  await expect.poll(() => asked()?.tags).toBeUndefined()
})

test('a search goes out while one types, letter after letter, and what was found is offered again', async () => {
  const here = counter(ticketOf('Zuleica Reis', {}, helena))
  const page = enter('/tickets', helena, { answers: here.answers })
  const field = 'Nome, número, protocolo ou texto'
  await page.press('Busca')
  const words = () =>
    page.server
      .asked(tickets.list)
      .flatMap(({ query }) => (query.tab === 'search' && query.searchParam) || [])
  await page.type(field, 'Zu')
  await page.type(field, 'leica ')
  await expect.poll(words).toEqual(['Zuleica'])
  await page.type(field, 'Reis')
  await expect.poll(() => words().at(-1)).toBe('Zuleica Reis')
  expect(await page.field(field)).toHaveValue('Zuleica Reis')
  await page.user.click(await page.find('link', /Zuleica Reis/))
  await page.fill(field, '')
  await page.part('region', 'Buscas recentes').press('Zuleica Reis')
  expect(await page.field(field)).toHaveValue('Zuleica Reis')
})

test('a ticket whose connection is gone says so for 15 seconds and asks for another one [TSTATE-044, TSTATE-045, CONST-006]', async () => {
  const here = counter(ticketOf('Abel Sá', { whatsappId: null, whatsapp: null }))
  const page = enter('/tickets', marina, { answers: here.answers })
  await page.press(/Aguardando/)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await page.press(/Abel Sá/)
  const warning = 'Transfira para uma conexão para atender este ticket'
  await page.sees(warning)
  await page.dialog().field('Conexão')
  await vi.advanceTimersByTimeAsync(13_000)
  await page.sees(warning)
  await vi.advanceTimersByTimeAsync(3_000)
  await page.lacks(warning)
})

test('what is pressed twice is done once, and who went on meanwhile is not brought back', async () => {
  const here = own()
  const gate = Promise.withResolvers<void>()
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here.answers(server).on(tickets.change, async () => {
        await gate.promise
        here.moves(page.server, { status: 'closed' })
        return here.ticket
      }),
  })
  const resolve = await page.find('button', 'Resolver')
  await page.user.dblClick(resolve)
  await lead('/tickets')
  await lead('/quickAnswers')
  await page.find('heading', 'Respostas rápidas')
  gate.resolve()
  await page.sees('Atendimento de Rita Lima resolvido')
  expect(page.server.asked(tickets.change).length).toBe(1)
  expect(location.pathname).toBe('/quickAnswers')
})

test('rights that change while one is logged in change the lists: what one may see now is asked for', async () => {
  const here = waiting()
  let seen = true
  const page = enter('/tickets', marina, {
    answers: server =>
      here.answers(server).on(tickets.list, () => ({
        tickets: seen ? [here.ticket] : [],
        hasMore: false,
        count: Number(seen),
      })),
  })
  await page.press(/Aguardando/)
  await page.sees('Rita Lima')
  seen = false
  page.server.push(userChannel, { action: 'update', user: { ...marina, queues: marina.queues.slice(0, 1) } })
  await page.lacks('Rita Lima')
})

test('a ticket that a search found is read when it is read', async () => {
  const here = counter(ticketOf('Rita Lima', { unreadMessages: 2 }, marina))
  const page = enter('/tickets', marina, { answers: here.answers })
  await page.find('tab', /Atendendo/)
  await page.user.keyboard('/')
  await page.fill('Nome, número, protocolo ou texto', 'Rita')
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(document.querySelector('[data-ticket="41"][data-unread]')).not.toBeNull())
  page.server.push(ticketChannel, { action: 'updateUnread', ticketId: 41, version: 2 })
  await waitFor(() => expect(document.querySelector('[data-ticket="41"][data-unread]')).toBeNull())
})

test('the start asks for each list once', async () => {
  const page = enter('/tickets', marina, { answers: own().answers })
  await page.sees('Rita Lima')
  await expect.poll(() => liveSocket.connected).toBe(true)
  const asked = page.server.asked(tickets.list).map(({ query }) => JSON.stringify(query))
  expect(asked.length).toBeLessThanOrEqual(2 * new Set(asked).size)
  expect(new Set(asked).size).toBeLessThanOrEqual(4)
})

test('who may export chooses a contact and days, thirty until now; a file that is not made is told; who may not has no such entry [TSTATE-052 … TSTATE-056, REPORT-001 … REPORT-009]', async () => {
  const here = counter(ticketOf('Frida Sá', {}, marina))
  const without = enter('/tickets/41', marina, { answers: here.answers })
  await without.press('Mais ações')
  await without.find('menuitem')
  expect(without.maybe('menuitem', 'Exportar conversa')).toBeNull()

  const allowed = butWith(marina, { userAuthorization: { allowTicketExport: true } })
  const page = enter('/tickets/41', allowed, {
    answers: server => here.answers(server).on(tickets.export, { link: null }),
  })
  await page.press('Mais ações')
  await page.press('Exportar conversa')
  const dialog = page.dialog('Exportar conversa')
  expect(await dialog.field('Contato')).toHaveValue('Frida Sá')
  const dayOf = async (field: string) => {
    const shown = (await dialog.find('button', field)).textContent!
    const [day, month, year] = shown.split(' ')[0]!.split('/').map(Number)
    return Date.UTC(year!, month! - 1, day) / 86_400_000
  }
  expect((await dayOf('Data final')) - (await dayOf('Data inicial'))).toBe(30)
  await dialog.press('Exportar')
  await page.sees('Falha ao fazer o download do arquivo')
  expect(page.server.asked(tickets.export)[0]?.body).toMatchObject({ contact: 71 })
})
