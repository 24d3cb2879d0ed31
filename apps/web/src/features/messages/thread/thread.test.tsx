import { Contact, contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { TicketEvent, ticketEventChannel } from '@balcao/contract/tickets.history.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { act, fireEvent } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { counter, messageOn, ticketOf, uuid } from '../../../../testing/counter.ts'
import { enter, lead, type OpenPage } from '../../../../testing/page.tsx'
import { helena, marina } from '../../../../testing/people.ts'
import { sample } from '../../../../testing/samples.ts'
import { refuse, type Server } from '../../../../testing/server.ts'
import { liveSocket } from '../../../../testing/socket.ts'

const nora = ticketOf('Nora Lima', {}, marina)

test('an order is shown with its items, their prices and their sum where all have one', async () => {
  const item = (product: string, quantity: number, price: number | null) => ({
    ...{ product, quantity, price },
    currency: 'BRL',
  })
  const order = (id: number, ...items: object[]) =>
    messageOn(nora, id, { body: '', mediaType: 'order', dataJson: JSON.stringify({ items }) })
  const here = counter(nora, [
    order(1, item('Sonho', 2, 8.5), item('Pão', 10, 1)),
    order(2, item('Torta', 1, null), item('Café', 1, 5)),
  ])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees('2 × Sonho', /R\$\s17,00/, '10 × Pão', /Total: R\$\s27,00/, '1 × Torta', /R\$\s5,00/)
  expect(document.body.textContent?.match(/Total/g)).toHaveLength(1)
})

test('an ad stands above the message that came by it, and loads nothing from outside; what the official API does not bring is named', async () => {
  const came = {
    ...{ type: 'ad', sourceId: '42', sourceUrl: 'https://fb.me/x', headline: 'Bolos de festa' },
    ...{ body: 'Encomende hoje', mediaType: 'image', mediaUrl: 'https://fbcdn.test/b.jpg', app: 'instagram' },
    ...{ thumbnail: '', clickId: 'Aff', catalogId: '' },
  }
  const nothing = { sourceUrl: '', headline: '', body: '', mediaUrl: '', app: '' }
  const notBrought = (id: number, code: number, kind: string) =>
    messageOn(nora, id, {
      ...{ body: '', mediaType: 'unsupported' },
      dataJson: JSON.stringify({ kind, code, reason: 'x' }),
    })
  const here = counter(nora, [
    messageOn(nora, 1, { body: 'Vi o anúncio', referral: came }),
    messageOn(nora, 2, {
      body: 'Este',
      referral: { ...came, ...nothing, type: 'product', sourceId: 'sonho' },
    }),
    messageOn(nora, 3, { body: 'E eu', referral: { ...came, ...nothing, sourceId: '' } }),
    notBrought(4, 131051, 'poll_creation'),
    notBrought(5, 131060, ''),
    notBrought(6, 131051, 'new_kind'),
  ])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees('Veio de um anúncio · instagram', 'Encomende hoje', 'Vi o anúncio')
  const links = page.all('link').filter(one => one.closest('[data-referral]'))
  expect(links.map(one => one.getAttribute('href'))).toEqual([came.sourceUrl, came.mediaUrl])
  expect(document.querySelector('[data-referral] img')).toBeNull()
  await page.sees('Produto sonho', 'O WhatsApp não informou qual anúncio.')
  await page.sees(/não entrega este tipo de mensagem: enquete/, /não entrega este tipo de mensagem: new_kind/)
  await page.sees(/ainda não liberou esta mensagem/)
})

test('a place, a card, a sticker and a missed call are shown as what they are, or say that they cannot be [GEN-013, MSG-007, MSG-008, MSG-009, MSG-010, MSG-011]', async () => {
  const json = (value: unknown) => JSON.stringify(value)
  const here = counter(nora, [
    messageOn(nora, 1, { body: 'שלום, מה שלומך?' }),
    messageOn(nora, 2, {
      body: '',
      mediaType: 'location',
      dataJson: json({ latitude: -12.9969, longitude: -38.4529, name: 'Pituba' }),
    }),
    messageOn(nora, 3, {
      body: '',
      mediaType: 'vcard',
      dataJson: json({
        contacts: [{ name: 'Paulo Encanador', phones: [{ number: '5571988881234', onWhatsApp: true }] }],
      }),
    }),
    messageOn(nora, 4, { body: '', mediaType: 'call_log', dataJson: json({ isVideo: false }) }),
    messageOn(nora, 5, { body: '', mediaType: 'location' }),
    messageOn(nora, 6, { body: '', mediaType: 'vcard' }),
    messageOn(nora, 7, { body: '', mediaType: 'orderMessage' }),
  ])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees('Pituba', 'Paulo Encanador', '+55 71 98888-1234')
  await page.sees(
    'Erro ao renderizar a localização',
    'Cartão de contato não suportado, ou não possui whatsapp...',
  )
  await page.sees(
    /Chamada de voz\/vídeo perdida às \d\d:\d\d/,
    'orderMessage',
    'Este tipo de mensagem ainda não é mostrado',
  )
  expect((await page.find('link', /mapa|Pituba/)).getAttribute('href')).toMatch(
    /openstreetmap\.org.*-12\.9969/,
  )
  expect(document.querySelector('[dir=auto]')).toHaveTextContent('שלום')
})

test('a message without its content says that it is awaited, after an hour that the phone has it; an unread edit is named; an album is one group', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const photo = (id: number, album: string | null) =>
    messageOn(nora, id, {
      body: '',
      mediaType: 'image',
      dataJson: album && JSON.stringify({ album }),
      createdAt: ago(1),
    })
  const here = counter(nora, [
    messageOn(nora, 1, { body: '', mediaType: 'ciphertext', createdAt: ago(61) }),
    messageOn(nora, 2, { body: '', mediaType: 'ciphertext', createdAt: ago(59) }),
    messageOn(nora, 3, {
      body: 'R$ 500',
      editedAt: ago(2),
      failReason: 'ERR_WAPP_EDIT',
      createdAt: ago(3),
    }),
    ...[photo(4, 'A'), photo(5, 'A'), photo(6, 'B'), photo(7, null)],
  ])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees(/Abra o WhatsApp no celular/, /Aguardando esta mensagem/, /Editada no celular/)
  const joined = [...document.querySelectorAll('[data-joins] article')].map(({ id }) => id)
  expect(joined).toEqual([`message-${uuid(5)}`])
  const labels = [...document.querySelectorAll('article')].filter(one => one.textContent?.includes('Álbum'))
  expect(labels.map(({ id }) => id)).toEqual([`message-${uuid(4)}`, `message-${uuid(6)}`])
})

test('what the customer changes, deletes and reacts to is seen at once; a deletion stays on the screen as a notice [LIVE-013, MSG-012, MSG-013, MSG-016, CONST-006, OP-06]', async () => {
  const here = counter(nora, [
    messageOn(nora, 1),
    messageOn(nora, 2, {
      body: 'Em que posso ajudar?',
      fromMe: true,
      user: { id: 3, name: 'Marina Duarte' },
    }),
  ])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees('Em que posso ajudar?')
  here.says(
    page.server,
    messageOn(nora, 1, { body: 'Olá, bom dia!', editedAt: '2026-11-20T12:01:00.000Z', version: 2 }),
  )
  await page.sees('Olá, bom dia!', 'editada')
  here.says(
    page.server,
    messageOn(nora, 2, {
      body: 'Em que posso ajudar?',
      fromMe: true,
      version: 2,
      reactions: [{ emoji: '👍', fromMe: false, name: 'Nora' }],
    }),
  )
  const reaction = await page.find('button', /Reações: 👍/)
  // a finger has no hint: it reads who reacted, and reacts by a button
  fireEvent(reaction, new PointerEvent('click', { bubbles: true, pointerType: 'touch' }))
  await page.sees('👍 Nora')
  await page.find('button', 'Reagir também')
  expect(page.server.asked(messages.react)).toEqual([])
  here.says(page.server, messageOn(nora, 1, { body: '', isDeleted: true, version: 3 }))
  await page.sees('Mensagem apagada pelo contato', 'Uma mensagem da conversa com Nora Lima foi apagada')
})

test('a message of the customer is read aloud once: not again when it changes or is fetched anew, nor one’s own', async () => {
  const here = counter(nora)
  const page = enter('/tickets/41', { ...marina, volume: 0 }, { answers: here.answers })
  expect(await page.find('log')).toHaveAttribute('aria-live', 'off')
  const region = document.querySelector('[aria-live=polite][data-announcer]')!
  const aloud: string[] = []
  const ear = new MutationObserver(changes => {
    for (const { addedNodes } of changes) aloud.push(...[...addedNodes].map(one => one.textContent ?? ''))
  })
  ear.observe(region, { childList: true, subtree: true, characterData: true })
  onTestFinished(() => ear.disconnect())
  here.ticket = { ...nora, lastMessage: 'Tem em azul?', lastMessageId: uuid(2), version: 2 }
  here.says(page.server, messageOn(nora, 2, { body: 'Tem em azul?' }))
  await expect.poll(() => aloud).toEqual(['Nora Lima: Tem em azul?'])
  here.says(page.server, messageOn(nora, 2, { body: 'Tem em verde?', version: 2 }))
  here.says(
    page.server,
    messageOn(nora, 3, { body: 'Tenho', fromMe: true, user: { id: 3, name: marina.name } }),
  )
  liveSocket.breaks()
  liveSocket.connect()
  await page.sees('Tem em verde?', 'Tenho')
  await lead('/quickAnswers')
  await page.find('heading', 'Respostas rápidas')
  here.says(page.server, messageOn(nora, 4, { body: 'Obrigada' }))
  await expect.poll(() => aloud).toEqual(['Nora Lima: Tem em azul?', 'Nova mensagem de Nora Lima'])
})

test('a text is edited by who wrote it and by admins; what it said before stands behind it, deleted ones for admins', async () => {
  const by = { id: 3, name: 'Marina Duarte' }
  const now = new Date().toISOString()
  const ours = messageOn(nora, 2, {
    body: 'São R$ 90',
    fromMe: true,
    ack: 2,
    user: by,
    createdAt: now,
    editedAt: now,
  })
  const gone = messageOn(nora, 3, { body: '', isDeleted: true })
  const here = counter(nora, [messageOn(nora, 1), ours, gone])
  const version = {
    what: 'edit' as const,
    body: 'São R$ 100',
    mediaUrl: null,
    media: null,
    mediaType: null,
    user: by,
    at: now,
  }
  const answers = (server: Server) =>
    here.answers(server).on(messages.versions, ({ params }) => ({
      versions: [
        params.messageId === gone.id ? { ...version, what: 'delete' as const, body: 'Oi, sumido' } : version,
      ],
    }))
  const menu = async (page: OpenPage, at: number) => {
    await page.sees('São R$ 90')
    await page.user.click(page.all('button', 'Ações da mensagem').at(at)!)
    await page.find('menuitem', /Versões anteriores|Quem apagou/)
  }
  const admin = enter('/tickets/41', helena, { answers })
  await menu(admin, 1)
  await admin.find('menuitem', 'Editar')
  await admin.user.click(await admin.find('menuitem', 'Versões anteriores'))
  await admin.sees(/Editada por Marina Duarte/, 'São R$ 100')
  await admin.user.keyboard('{Escape}')
  await menu(admin, 2)
  await admin.user.click(await admin.find('menuitem', 'Quem apagou'))
  await admin.sees(/Apagada por Marina Duarte/, 'Oi, sumido')

  const caio = { ...marina, id: 4, name: 'Caio' }
  const colleague = enter('/tickets/41', caio, { answers })
  await menu(colleague, 1)
  expect(colleague.all('menuitem', 'Editar')).toEqual([])
  expect(colleague.all('button', 'Ações da mensagem')).toHaveLength(2)
})

test('a colleague’s bubble says who wrote it, one’s own does not; what happened to the ticket stands between them', async () => {
  const by = { id: 3, name: 'Marina Duarte' }
  const here = counter(nora, [
    messageOn(nora, 1),
    messageOn(nora, 2, { body: 'Pois não?', fromMe: true, user: by, createdAt: '2026-11-20T12:05:00.000Z' }),
  ])
  const event = sample(TicketEvent, {
    id: 1,
    ticketId: 41,
    contactId: 71,
    what: 'accepted',
    at: '2026-11-20T12:03:00.000Z',
    by,
  })
  const answers = (server: Server) => here.answers(server).on(tickets.story, { events: [event] })
  const page = enter('/tickets/41', marina, { answers })
  await page.sees(/Você aceitou o atendimento · \d\d:\d\d/, 'Pois não?')
  expect(page.words('article').join()).not.toContain('Você')
  const other = enter('/tickets/41', helena, { answers })
  await other.sees('Marina Duarte aceitou o atendimento', '+55 31 99000-0071')
  expect(other.words('article').at(-1)).toContain('Marina Duarte')
  other.server.push(ticketEventChannel, { ...event, id: 2, what: 'resolved', at: '2026-11-20T12:06:00.000Z' })
  await other.sees('Marina Duarte resolveu o atendimento')
})

test('a conversation that cannot be had anew stays, with what one writes in it; what was missed is there once it can', async () => {
  const here = counter(nora)
  let away = false
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(messages.list, () =>
          away
            ? refuse(400)
            : { messages: here.thread, hasMore: false, hasNewer: false, ticket: here.ticket },
        ),
  })
  await page.fill('Escreva uma mensagem', 'Um momento')
  away = true
  here.thread.push(messageOn(nora, 2, { body: 'Alguém aí?' }))
  liveSocket.breaks()
  liveSocket.connect()
  await expect.poll(() => page.server.asked(messages.list).length).toBeGreaterThan(1)
  here.says(page.server, messageOn(nora, 3, { body: 'Oi?' }))
  await page.sees('Oi?')
  expect(await page.field('Escreva uma mensagem')).toHaveValue('Um momento')
  await page.lacks('Tentar de novo', 'Alguém aí?')
  away = false
  liveSocket.breaks()
  liveSocket.connect()
  await page.sees('Alguém aí?')
})

test('with a card that was passed on one begins to talk: its contact is added, or known already, and its dialog opens', async () => {
  const card = {
    contacts: [{ name: 'Paulo Encanador', phones: [{ number: '+55 71 98888-1234', onWhatsApp: true }] }],
  }
  const here = counter(nora, [
    messageOn(nora, 3, { body: '', mediaType: 'vcard', dataJson: JSON.stringify(card) }),
  ])
  const paulo = sample(Contact, { id: 72, name: 'Paulo Encanador', number: '+5571988881234' })
  let isKnown = false
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(contacts.create, () => (isKnown ? refuse(409, 'ERR_DUPLICATED_CONTACT') : paulo))
        .on(contacts.list, { contacts: [paulo], hasMore: false, count: 1 })
        .on(tickets.open, () => ({ ...nora, id: 42 })),
  })
  await page.press('Conversar com Paulo Encanador')
  expect(await page.dialog().field('Contato')).toHaveValue('Paulo Encanador')
  expect(page.server.asked(contacts.create)[0]?.body).toMatchObject({ number: '+5571988881234' })
  await page.dialog().press('Cancelar')
  await page.closed()
  isKnown = true
  await page.press('Conversar com Paulo Encanador')
  await page.dialog().choose('Fila', 'Suporte')
  await page.dialog().press('Iniciar')
  await expect
    .poll(() => page.server.asked(tickets.open)[0]?.body)
    .toMatchObject({ contactId: 72, queueId: 1 })
})

test('a file on its way says which way: from the customer, to him, or back to this screen', async () => {
  const picture = (place: number, given: object) =>
    messageOn(nora, place, { body: '', mediaType: 'image', media: { state: 'loading' }, ...given })
  const own = { fromMe: true, user: { id: 3, name: marina.name } }
  const here = counter(nora, [
    picture(1, {}),
    picture(2, { ...own, ack: 1 }),
    picture(3, { ...own, ack: 3, media: { state: 'ready' } }),
  ])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees('Recebendo o arquivo…')
  const [theirs, leaving, left] = page.words('article')
  expect(theirs).toContain('Recebendo o arquivo…')
  expect(leaving).toContain('Enviando…')
  expect(left).toContain('Carregando…')
})

test('“Hoje” is yesterday after midnight by the company’s clock, and hours of lists become days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T02:59:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const today = { createdAt: '2026-11-20T15:30:00.000Z' }
  const here = counter({ ...nora, updatedAt: today.createdAt }, [messageOn(nora, 1, today)])
  const page = enter('/tickets/41', marina, { answers: here.answers })
  await page.sees('Hoje')
  const row = await page.find('link', /Nora Lima/)
  expect(row).toHaveTextContent('12:30')
  vi.setSystemTime('2026-11-21T03:01:00.000Z')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await page.sees('Ontem')
  await page.lacks('Hoje')
  expect(row).toHaveTextContent('20/11')
})

test('a pinned message stands above the conversation, is pinned for a time from its menu, and leaves when the pin is taken off', async () => {
  const rules = messageOn(nora, 1, { body: 'Entregamos até as 18h' })
  const here = counter(nora, [rules])
  let isPinned = false
  const pinnedUntil = new Date(Date.now() + 3_600_000).toISOString()
  const page = enter('/tickets/41', marina, {
    answers: server =>
      here
        .answers(server)
        .on(messages.pins, () => ({ pins: isPinned ? [{ ...rules, pinnedUntil }] : [], mayPin: true }))
        .on(messages.pin, () => rules),
  })
  const line = (id: number, what: string) => {
    const quotedMsg = { ...rules, author: '', user: null, isStatus: false }
    const dataJson = JSON.stringify({ what, people: [] })
    here.says(page.server, messageOn(nora, id, { body: '', mediaType: 'chat_event', dataJson, quotedMsg }))
  }
  await page.sees('Entregamos até as 18h')
  await page.user.click(page.all('button', 'Ações da mensagem').at(-1)!)
  await page.press('Fixar')
  await page.press('7 dias')
  await expect.poll(() => page.server.asked(messages.pin).map(({ body }) => body.span)).toEqual(['week'])
  isPinned = true
  line(2, 'pinned')
  await page.sees('Mensagem fixada')
  await page.press('Desafixar')
  await expect
    .poll(() => page.server.asked(messages.pin).map(({ body }) => body.span))
    .toEqual(['week', null])
  isPinned = false
  line(3, 'unpinned')
  await page.lacks('Mensagem fixada')
})

test('on the official API the menu says that messages are not pinned', async () => {
  const here = counter(nora)
  const page = enter('/tickets/41', marina, {
    answers: server => here.answers(server).on(messages.pins, { pins: [], mayPin: false }),
  })
  await page.sees('Olá!')
  await page.user.click(page.all('button', 'Ações da mensagem').at(-1)!)
  await page.sees('A API oficial não fixa mensagens')
})
