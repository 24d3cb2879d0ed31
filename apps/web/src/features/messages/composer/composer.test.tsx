import { auth } from '@balcao/contract/auth.ts'
import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { Flow, FlowRun, flows } from '@balcao/contract/flows.ts'
import { Location, locations } from '@balcao/contract/locations.ts'
import { type Message, messages, typingChannel } from '@balcao/contract/messages.ts'
import { QuickAnswer, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter, lead, type OpenPage } from '../../../../testing/page.tsx'
import { helena, marina, sessionOf } from '../../../../testing/people.ts'
import { sample, samples } from '../../../../testing/samples.ts'
import { breakOff, refuse, type Server } from '../../../../testing/server.ts'

const nora = ticketOf('Nora Lima', {}, marina)

/** A conversation of Marina's, whose server accepts what she sends. */
function attending(more: (server: Server) => Server = server => server) {
  const here = counter(nora)
  const sent: Message[] = []
  const page = enter('/tickets/41', marina, {
    answers: server =>
      more(
        here.answers(server).on(messages.send, ({ body }) => {
          const message = messageOn(nora, 10 + sent.length, {
            ...(body.id && { id: body.id }),
            body: body.body ?? '',
            fromMe: true,
            ack: 1,
            user: { id: 3, name: marina.name },
          })
          sent.push(message)
          return message
        }),
      ),
  })
  return { here, page, sent }
}
const write = async (page: OpenPage, words: string) => {
  await page.fill('Escreva uma mensagem', words)
  await page.user.keyboard('{Enter}')
}

test('each side sees the other write', async () => {
  const { page } = attending()
  await page.field('Escreva uma mensagem')
  const typing = { contactId: 71, ticketId: 41 }
  page.server.push(typingChannel, { ...typing, state: 'composing' })
  await page.sees('digitando…')
  page.server.push(typingChannel, { ...typing, state: 'paused' })
  await page.lacks('digitando…')
  await page.type('Escreva uma mensagem', 'Oi')
  await expect
    .poll(() => page.server.asked(messages.type).map(({ body }) => body.state))
    .toContain('composing')
})

test('who writes in a colleague’s ticket reads whose it is', async () => {
  const { page } = attending()
  await page.type('Escreva uma mensagem', 'Oi')
  await page.lacks('Este atendimento é de')
  const admin = enter('/tickets/41', helena, { answers: counter(nora).answers })
  await admin.field('Escreva uma mensagem')
  await admin.lacks('Este atendimento é de')
  await admin.type('Escreva uma mensagem', 'Oi')
  await admin.sees('Este atendimento é de Marina Duarte')
})

test('a message that WhatsApp refuses says so in its place and can be sent again [ROUTE-049, MSG-024, MSG-035, MSG-036, LOC-002, LOC-003, LOC-005, LOC-008, LOC-009, LOC-010, LOC-013, LOC-014, OP-53, OP-65]', async () => {
  const { here, page, sent } = attending(server =>
    server.on(messages.resend, ({ params }) =>
      messageOn(nora, 10, { id: params.messageId, body: 'Vai falhar', fromMe: true, ack: 1, version: 3 }),
    ),
  )
  await page.sees('Olá!')
  await write(page, 'Vai falhar')
  await expect.poll(() => sent.length).toBe(1)
  here.says(page.server, { ...sent[0]!, ack: 0, failReason: 'rejected', version: 2 })
  expect(await page.find('alert')).toHaveTextContent('Não enviada')
  await page.press('Reenviar')
  await expect.poll(() => page.server.asked(messages.resend).length).toBe(1)
  await waitFor(() => expect(page.maybe('alert')).toBeNull())
})

test('a message that waits for WhatsApp has one check; a deletion that WhatsApp refuses is told [MSG-001, ERR-002]', async () => {
  const { here, page, sent } = attending(server =>
    server.on(messages.remove, () => ({ ...sent[0]!, ack: 2, version: 3 })),
  )
  await page.sees('Olá!')
  await write(page, 'Vai quando der')
  await expect.poll(() => sent.length).toBe(1)
  here.says(page.server, { ...sent[0]!, version: 2 })
  await page.find('img', 'Na fila de envio')
  here.says(page.server, { ...sent[0]!, ack: 2, version: 3 })
  await page.find('img', 'Enviada')
  await page.user.click(page.all('button', 'Ações da mensagem').at(-1)!)
  await page.press('Apagar para todos')
  await page.dialog().press('Apagar para todos')
  await expect.poll(() => page.server.asked(messages.remove).length).toBe(1)
  here.says(page.server, { ...sent[0]!, ack: 2, version: 4, failReason: 'ERR_DELETE_WAPP_MSG' })
  await page.sees('A mensagem não pôde ser apagada')
})

test('a contact is sent as a card', async () => {
  const { page } = attending(server =>
    server.on(contacts.list, {
      contacts: samples(Contact, [{ id: 5, name: 'Adriana Sá', number: '5531999990000' }]),
      hasMore: false,
      count: 1,
    }),
  )
  await page.press('Enviar contato')
  await page.dialog().press('Adriana Sá')
  await page.dialog().press('Enviar 1 contato')
  await expect.poll(() => page.server.asked(messages.send).map(({ body }) => body.contactIds)).toEqual([[5]])
})

test('a poll is asked: two options at least, none twice, a field for the next is there', async () => {
  const { page } = attending()
  await page.press('Enviar enquete')
  const dialog = page.dialog()
  await dialog.fill('Pergunta', 'Que dia?')
  await dialog.fill('Opção 1', 'Sexta')
  expect(dialog.maybe('textbox', 'Opção 3')).toBeNull()
  await dialog.fill('Opção 2', 'Sexta')
  await dialog.sees('Esta opção já existe')
  expect(await dialog.find('button', 'Enviar')).toBeDisabled()
  await dialog.fill('Opção 2', 'Sábado')
  await dialog.find('textbox', 'Opção 3')
  await dialog.press('Permitir várias respostas')
  await dialog.press('Enviar')
  await expect
    .poll(() => page.server.asked(messages.send).map(({ body }) => body.poll))
    .toEqual([{ question: 'Que dia?', options: ['Sexta', 'Sábado'], isMultiple: true }])
})

test('a place is found by two letters of its name; what is not there is said, and an emptied field shows all (MSG-035, OP-83) [MSG-035, OP-83]', async () => {
  const all = samples(Location, [
    { id: 1, name: 'Depósito Norte', latitude: -12.97, longitude: -38.5 },
    { id: 2, name: 'Oficina Sul' },
  ])
  const { page } = attending(server =>
    server.on(locations.list, ({ query }) => ({
      locations: all.filter(({ name }) =>
        name.toLowerCase().includes((query.searchParam ?? '').toLowerCase()),
      ),
      hasMore: false,
    })),
  )
  await page.press('Enviar localização')
  const dialog = page.dialog()
  await dialog.find('button', 'Enviar Depósito Norte')
  const field = await dialog.find('textbox')
  expect(field).toHaveFocus()
  await page.user.type(field, 'of')
  await dialog.lacks('Depósito Norte')
  await dialog.find('button', 'Enviar Oficina Sul')
  await page.user.type(field, 'x')
  await dialog.find('status')
  await page.user.clear(field)
  await dialog.find('button', 'Enviar Depósito Norte')
  await dialog.press('Enviar Oficina Sul')
  await dialog.sees('Oficina Sul')
  await dialog.press('Enviar')
  await expect.poll(() => page.server.asked(messages.send).map(({ body }) => body.locationId)).toEqual([2])
})

test('an emoji is found by a word and put where one writes [MSG-020]', async () => {
  const { page } = attending()
  await page.fill('Escreva uma mensagem', 'Oi ')
  await page.press('Emojis')
  await page.fill('Buscar emoji', 'obrig')
  await page.sees('🙏')
  await page.lacks('😀')
  await page.fill('Buscar emoji', '')
  await page.press('😀')
  expect(await page.field('Escreva uma mensagem')).toHaveValue('Oi 😀')
})

test('in a group a member is found by the first letters behind an @, and mentioned by what is sent', async () => {
  const here = counter({ ...nora, isGroup: true })
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(messages.members, {
          members: [
            { id: '711', name: 'Ana Souza', number: '' },
            { id: '722', name: 'Bia', number: '5531990000072' },
          ],
        })
        .on(messages.send, ({ body }) =>
          messageOn(nora, 10, {
            ...(body.id && { id: body.id }),
            body: body.body ?? '',
            fromMe: true,
            ack: 1,
          }),
        ),
  })
  await page.type('Escreva uma mensagem', 'Oi @sou')
  await page.find('option', 'Ana Souza')
  expect(page.maybe('option', /Bia/)).toBeNull()
  await page.user.keyboard('{Enter}')
  expect(await page.field('Escreva uma mensagem')).toHaveValue('Oi @Ana Souza ')
  await page.user.keyboard('viu?{Enter}')
  await expect
    .poll(() => page.server.asked(messages.send).map(({ body }) => body))
    .toMatchObject([{ body: 'Oi @Ana Souza viu?', mentions: ['711'] }])
})

test('a file that may not be sent is refused in words before it leaves [MSG-022]', async () => {
  const { page } = attending()
  await page.field('Escreva uma mensagem')
  await page.give(new File(['MZ'], 'virus.exe', { type: 'application/octet-stream' }))
  await page.sees('virus.exe: este tipo de arquivo não é aceito')
  expect(page.maybe('list', 'Arquivos a enviar')).toBeNull()
})

test('a text that begins with a slash is answered from the list, with the customer’s name in its place [MSG-025, QUICK-005]', async () => {
  const { page, sent } = attending(server =>
    server.on(quickAnswers.list, ({ query }) => ({
      quickAnswers: samples(QuickAnswer, [
        { id: 1, shortcut: 'entrega', message: 'Oi, {{cliente}}! Sua entrega está marcada.' },
        { id: 2, shortcut: 'entregaok', message: 'Entrega feita.' },
        { id: 3, shortcut: 'pix', message: 'Pagando por Pix há desconto.' },
      ]).filter(({ shortcut }) => shortcut.startsWith(query.searchParam ?? '')),
      hasMore: false,
    })),
  )
  await page.type('Escreva uma mensagem', '/ent')
  const list = page.part('listbox', 'Respostas rápidas')
  await list.sees('Oi, Nora Lima!', '/entregaok')
  const chosen = () => list.all('option').findIndex(option => option.getAttribute('aria-selected') === 'true')
  expect(chosen()).toBe(0)
  await page.user.keyboard('{ArrowDown}')
  expect(chosen()).toBe(1)
  await page.user.keyboard('{ArrowUp}{Enter}')
  expect(await page.field('Escreva uma mensagem')).toHaveValue('Oi, Nora Lima! Sua entrega está marcada.')
  await page.user.keyboard('{Enter}')
  await expect.poll(() => sent.map(({ body }) => body)).toEqual(['Oi, Nora Lima! Sua entrega está marcada.'])
  await page.user.click(await page.find('button', 'Respostas rápidas'))
  await list.sees('/pix')
  await page.user.keyboard('{Escape}')
  await waitFor(() => expect(page.maybe('listbox')).toBeNull())
  expect(await page.field('Escreva uma mensagem')).toHaveValue('/')
})

test('of one shortcut the own answer is offered first, then that of the ticket’s queue, then the company’s', async () => {
  const { page } = attending(server =>
    server.on(quickAnswers.list, () => ({
      quickAnswers: samples(QuickAnswer, [
        { id: 1, shortcut: 'preço', message: 'De outra fila.', queueId: 9 },
        { id: 2, shortcut: 'preço', message: 'Da empresa.' },
        { id: 3, shortcut: 'preço', message: 'Da fila.', queueId: nora.queueId },
        { id: 4, shortcut: 'preço', message: 'Minha.', userId: marina.id },
      ]),
      hasMore: false,
    })),
  )
  await page.type('Escreva uma mensagem', '/preco')
  const list = page.part('listbox', 'Respostas rápidas')
  await list.sees('Da empresa.')
  const offered = list.all('option').map(option => option.textContent)
  expect(offered).toEqual(
    ['Minha.', 'Da fila.', 'Da empresa.', 'De outra fila.'].map(words => `/preço${words}`),
  )
})

test('a search for quick answers or flows that fails closes the list without a word [MSG-027]', async () => {
  const { page, sent } = attending(server =>
    server.on(quickAnswers.list, () => refuse(400)).on(flows.list, () => refuse(400)),
  )
  await page.fill('Escreva uma mensagem', ';prazo')
  await waitFor(() => expect(page.maybe('listbox')).toBeNull())
  await page.fill('Escreva uma mensagem', '/preço')
  await waitFor(async () => {
    await page.user.keyboard('{Enter}')
    expect(sent.map(({ body }) => body)).toEqual(['/preço'])
  })
  expect(page.maybe('alert')).toBeNull()
})

test('a text that begins with ; offers the flows with the customer’s name in them, and starts the one that is chosen [MSG-026, OP-101, FLOW-023]', async () => {
  const { page } = attending(server =>
    server
      .on(flows.list, {
        flows: samples(Flow, [{ id: 4, name: 'Prazo de entrega', type: 'Chat' }]),
        hasMore: false,
      })
      .on(flows.start, { run: null }),
  )
  await page.type('Escreva uma mensagem', ';prazo')
  await page.part('listbox', 'Fluxos').sees('Prazo de entrega')
  await page.user.keyboard('{Enter}')
  await expect.poll(() => page.server.asked(flows.start).length).toBe(1)
  expect(await page.field('Escreva uma mensagem')).toHaveValue('')
})

test('a picker asks once a word is written, and shows more as one scrolls to its end (CONST-001, CONST-002, CONST-003) [CONST-001, CONST-003]', async () => {
  const { page } = attending(server =>
    server.on(contacts.list, ({ query }) => ({
      contacts: samples(Contact, [
        {
          id: query.pageNumber ?? 1,
          name: `Página ${query.pageNumber ?? 1}`,
          number: `553199000000${query.pageNumber ?? 1}`,
        },
      ]),
      hasMore: (query.pageNumber ?? 1) < 2,
      count: 2,
    })),
  )
  await page.press('Enviar contato')
  const asked = () =>
    page.server.asked(contacts.list).map(({ query }) => `${query.searchParam ?? ''} ${query.pageNumber}`)
  await page.dialog().sees('Página 1')
  for (const box of document.querySelectorAll('[role=dialog] *')) fireEvent.scroll(box)
  await page.dialog().sees('Página 2')
  expect(asked()).toEqual([' 1', ' 2'])
  await page.dialog().type('Buscar contato', 'nora')
  await expect.poll(asked).toEqual([' 1', ' 2', 'nora 1'])
})

const bill = () => new File(['%PDF-1.7'], 'boleto.pdf', { type: 'application/pdf' })
/** An upload that is on its way until it is called off. */
class Never {
  upload = {}
  onabort = () => {}
  open() {}
  setRequestHeader() {}
  send() {}
  abort() {
    this.onabort()
  }
}
const pasting = (files: File[], words = '') => ({ clipboardData: { files, getData: () => words } })

test('what one has begun to say waits in its ticket while one looks elsewhere: files and the message one answers', async () => {
  const { page } = attending()
  await page.sees('Olá!')
  await page.give(bill())
  await page.press('Responder')
  await page.sees('boleto.pdf', 'Respondendo a Nora Lima')
  await lead('/tickets')
  await page.lacks('boleto.pdf')
  await lead('/tickets/41')
  await page.sees('boleto.pdf', 'Respondendo a Nora Lima')
  await page.user.keyboard('{Escape}')
  await page.lacks('Respondendo a Nora Lima')
})

test('cells are pasted as words and a copied file as a file; files may be dropped on the messages', async () => {
  const { page } = attending()
  const field = await page.field('Escreva uma mensagem')
  const picture = new File(['png'], 'image.png', { type: 'image/png' })
  expect(fireEvent.paste(field, pasting([picture], 'Mesa\t350,00\nCadeira\t120,00'))).toBe(true)
  expect(fireEvent.paste(field, pasting([bill()], 'boleto.pdf'))).toBe(false)
  await page.part('list', 'Arquivos a enviar').sees('boleto.pdf')
  const conversation = await page.find('region', 'Conversa com')
  const dataTransfer = {
    types: ['Files'],
    files: [new File(['x'], 'planta.pdf', { type: 'application/pdf' })],
  }
  fireEvent.dragOver(conversation, { dataTransfer })
  await page.sees('Solte para anexar')
  fireEvent.drop(conversation, { dataTransfer })
  await page.part('list', 'Arquivos a enviar').sees('planta.pdf')
  expect(page.all('listitem').filter(item => item.title.endsWith('.pdf')).length).toBe(2)
})

test('Enter at once after a file was pasted sends the words under it', async () => {
  vi.stubGlobal('XMLHttpRequest', Never)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { page } = attending()
  const field = await page.field('Escreva uma mensagem')
  await page.fill('Escreva uma mensagem', 'Segue o boleto')
  fireEvent.paste(field, pasting([bill()]))
  fireEvent.keyDown(field, { key: 'Enter' })
  await expect.poll(() => field.getAttribute('placeholder')).toBe('Escreva uma mensagem')
  await page.sees('boleto.pdf')
  expect(page.maybe('list', 'Arquivos a enviar')).toBeNull()
  expect(field).toHaveValue('')
  expect(page.server.asked(messages.send)).toEqual([])
  await page.press('Cancelar envio de boleto.pdf')
})

test('the microphone becomes the button that sends as soon as something is written', async () => {
  const { page } = attending()
  await page.find('button', 'Gravar áudio')
  expect(page.maybe('button', /^Enviar$/)).toBeNull()
  await page.fill('Escreva uma mensagem', 'Oi')
  await page.find('button', /^Enviar$/)
  expect(page.maybe('button', 'Gravar áudio')).toBeNull()
})

test('the flow that is played stands over the field, with who began it, until it is stopped there', async () => {
  let run: FlowRun | null = sample(FlowRun, {
    ...{ id: 1, ticketId: 41, name: 'Prazo de entrega', user: { id: 3, name: marina.name } },
    endsAt: '2026-11-20T12:00:30.000Z',
  })
  const { page } = attending(server =>
    server
      .on(flows.running, () => ({ run }))
      .on(flows.stop, () => {
        run = null
        return { run }
      }),
  )
  await page.sees(/Fluxo Prazo de entrega em andamento até 09:00:30 · iniciado por Marina Duarte/)
  await page.press('Parar fluxo')
  await page.sees('Fluxo parado')
  await page.lacks('em andamento até')
})

test('an answer that was lost on the way doubles nothing: it is sent again under its id', async () => {
  const saved = new Map<string, Message>()
  let tries = 0
  const { here, page } = attending(server =>
    server.on(messages.send, ({ body }) => {
      const known = saved.get(body.id!)
      const message =
        known ??
        messageOn(nora, 10 + saved.size, { id: body.id!, body: body.body ?? '', fromMe: true, ack: 1 })
      saved.set(body.id!, message)
      return tries++ === 0 ? breakOff() : message
    }),
  )
  await page.sees('Olá!')
  await write(page, 'uma vez só')
  await expect.poll(() => tries, { timeout: 15_000 }).toBe(2)
  await write(page, 'depois')
  await expect.poll(() => [...saved.values()].map(({ body }) => body)).toEqual(['uma vez só', 'depois'])
  for (const message of saved.values()) here.says(page.server, { ...message, ack: 2, version: 2 })
  await waitFor(() => expect(page.all('img', 'Enviada')).toHaveLength(2))
  expect(page.words('article').filter(words => words.includes('uma vez só'))).toHaveLength(1)
})

test('a session that ends asks for the password over what is there, and one goes on where one was [AUTH-014]', async () => {
  let isOver = false
  const { page, sent } = attending(server => {
    const original = server.fetch
    return Object.assign(server, {
      fetch: async (address: string, init?: RequestInit) =>
        isOver && init?.method === 'POST' && !String(address).includes('/auth/login')
          ? new Response(JSON.stringify({ error: 'ERR_NO_SESSION' }), { status: 401 })
          : original(address, init),
    }).on(auth.login, ({ body }) =>
      body.password === 'balcao-demo' ? sessionOf(marina) : refuse(401, 'ERR_INVALID_CREDENTIALS'),
    )
  })
  await page.sees('Olá!')
  // finished before a dialog opens, which would receive the keys
  const field = await page.field('Escreva uma mensagem')
  await page.fill('Escreva uma mensagem', 'quase pronto')
  isOver = true
  fireEvent.keyDown(field, { key: 'Enter' })
  const dialog = page.dialog('Sua sessão terminou')
  await dialog.fill('Senha', 'errada')
  expect(document.body).toHaveTextContent('quase pronto')
  isOver = false
  await dialog.press('Entrar')
  await dialog.sees('E-mail ou senha incorretos')
  await dialog.fill('Senha', 'balcao-demo')
  await dialog.press('Entrar')
  await page.closed()
  await expect.poll(() => sent.map(({ body }) => body)).toEqual(['quase pronto'])
})

test('a draft stays with its ticket over a reload, and never returns after sending [TICKET-032, TSTATE-009, LIVE-017, MSG-029, MSG-030]', async () => {
  const first = attending().page
  await first.fill('Escreva uma mensagem', 'Vou ver e já')
  await first.find('link', /Nora Lima[\s\S]*Rascunho/)
  const { page, sent } = attending()
  expect(await page.field('Escreva uma mensagem')).toHaveValue('Vou ver e já')
  await page.user.click(await page.field('Escreva uma mensagem'))
  await page.user.keyboard('{Enter}')
  await expect.poll(() => sent.length).toBe(1)
  await page.lacks('Rascunho')
  const last = attending().page
  expect(await last.field('Escreva uma mensagem')).toHaveValue('')
})
