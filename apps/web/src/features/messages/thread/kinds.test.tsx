import type { Message } from '@balcao/contract/messages.ts'
import { expect, test } from 'vitest'
import { counter, messageOn, ticketOf } from '../../../../testing/counter.ts'
import { enter, type OpenPage } from '../../../../testing/page.tsx'
import { marina } from '../../../../testing/people.ts'

const nora = ticketOf('Entregas', {}, marina)
const json = (value: unknown) => JSON.stringify(value)
const who = (name: string) => ({ by: name, name, at: '2026-11-20T12:00:00.000Z' })

async function shown(...given: Partial<Message>[]): Promise<OpenPage> {
  const here = counter(
    nora,
    given.map((one, at) => messageOn(nora, at + 1, one)),
  )
  return enter('/tickets/41', marina, { answers: here.answers })
}

test('a poll shows how many chose what, and who; one of an older version shows its choices', async () => {
  const votes = [
    { ...who('Ana'), choices: [0] },
    { ...who('Bia'), choices: [0, 1] },
    { ...who('Caio'), choices: [] },
  ]
  const page = await shown(
    {
      body: 'Que dia?',
      mediaType: 'poll',
      dataJson: json({ choices: ['Sexta', 'Sábado'], isMultiple: true, votes }),
    },
    { body: 'Qual sabor?', mediaType: 'poll', dataJson: json({ choices: ['Fubá'] }) },
  )
  await page.sees(
    'Que dia?',
    'Sexta',
    '2 votos',
    'Ana, Bia',
    '1 voto',
    '2 pessoas votaram',
    'Fubá',
    '0 votos',
  )
})

test('of many who chose the same, the others are named when asked for', async () => {
  const votes = Array.from({ length: 12 }, (_, at) => ({ ...who(`Cliente ${at}`), choices: [0] }))
  const page = await shown({
    body: 'Que dia?',
    mediaType: 'poll',
    dataJson: json({ choices: ['Sexta'], votes }),
  })
  await page.lacks('Cliente 11')
  await page.press('Ver todos os que votaram')
  await page.sees('Cliente 11')
})

test('an event shows time, place and who comes, a cancelled one that it is', async () => {
  const event = {
    ...{ name: 'Festa junina', description: 'Traga um prato', place: 'Sede', isCanceled: true },
    ...{ startsAt: '2026-06-24T18:00:00.000Z', endsAt: '2026-06-24T20:00:00.000Z' },
    replies: [
      { ...who('Ana'), reply: 'going', guests: 2 },
      { ...who('Bia'), reply: 'notGoing', guests: 0 },
    ],
  }
  const page = await shown({ body: 'Festa junina', mediaType: 'event', dataJson: json(event) })
  await page.sees(
    'Festa junina',
    'Evento cancelado',
    /24\/06\/2026 \d\d:\d\d – \d\d:\d\d/,
    'Sede',
    'Traga um prato',
  )
  await page.sees('Vão (3)', 'Ana +2', 'Não vão (1)', 'Bia')
})

test('a form is shown by its fields, an order by its items, with what was written', async () => {
  const order = {
    items: [{ product: 's', name: 'Sonho', quantity: 2, price: 8.5, currency: 'BRL' }],
    ...{ note: 'para as 18h', title: 'Padaria', count: 2, total: 17, currency: 'BRL' },
  }
  const page = await shown(
    { body: 'Nome: Ana', dataJson: json({ fields: [{ label: 'Nome', value: 'Ana' }] }) },
    { body: 'para as 18h\n2 × Sonho', mediaType: 'order', dataJson: json(order) },
    {
      ...{ body: '3 × Loja', mediaType: 'order' },
      dataJson: json({ items: [], note: '', title: 'Loja', count: 3, total: 9, currency: 'BRL' }),
    },
  )
  await page.sees('Formulário respondido', 'Nome', 'Ana', 'Pedido: Padaria', '2 × Sonho', 'para as 18h')
  await page.sees(/Total: R\$\s17,00/, 'Pedido: Loja', '3 itens', /Total: R\$\s9,00/)
})

test('what is seen once, an animated sticker and a live location say what WhatsApp shows of them', async () => {
  const place = { latitude: -12.9, longitude: -38.4, isLive: true, movedAt: '2026-11-20T12:30:00.000Z' }
  const page = await shown(
    { body: '', mediaType: 'viewOnceMessage' },
    { body: '', mediaType: 'sticker', dataJson: json({ still: '' }) },
    { body: '', mediaType: 'sticker', dataJson: json({ still: 'iVBORw0KGgo=' }) },
    { body: '', mediaType: 'location', dataJson: json(place), createdAt: new Date().toISOString() },
    { body: '', mediaType: 'location', dataJson: json(place), createdAt: '2026-11-19T12:00:00.000Z' },
  )
  await page.sees('Visualização única: o WhatsApp só mostra no celular da empresa', 'Figurinha animada')
  await page.find('img', /Figurinha animada/)
  await page.sees(/Atualizada às \d\d:30/, 'Encerrada')
})

test('lines of the chat say what happened, and a pin leads to its message; a quote without its message leads nowhere', async () => {
  const ana = { name: 'Ana', number: '' }
  const line = (what: string, people: string[] = [], body = '') => ({
    ...{ mediaType: 'chat_event', body, author: ana },
    dataJson: json({ what, people }),
  })
  const copy = {
    ...{ id: null, body: 'promoção', fromMe: true, mediaType: null, isDeleted: false },
    ...{ author: '', user: null, source: 'phone' as const, isPrivate: false, isStatus: true },
  }
  const pinned = { ...copy, id: messageOn(nora, 4).id, isStatus: false, body: 'Chego às 15h' }
  const page = await shown(
    line('subject', [], 'Entregas do dia'),
    line('added', ['Bia', 'Caio']),
    line('left'),
    { body: 'Chego às 15h' },
    { ...line('pinned'), quotedMsg: pinned },
    { body: 'Quero', quotedMsg: copy },
  )
  await page.sees(
    /Ana mudou o nome do grupo para “Entregas do dia”/,
    /Ana adicionou Bia, Caio/,
    /Ana saiu do grupo/,
  )
  await page.find('button', 'Chego às 15h')
  await page.sees('promoção', /· Status/)
  expect([...document.querySelectorAll('button')].some(one => one.textContent?.includes('promoção'))).toBe(
    false,
  )
})

test('a payment shows what is paid, how much, and a Pix key with its kind, its name and a button to copy it', async () => {
  const payment = {
    ...{ what: 'review', amount: 27, currency: 'BRL', status: 'pending', reference: 'A1', note: 'Até sexta' },
    items: [{ name: 'Bolo', quantity: 2, price: 13.5 }],
    pix: { key: '11222333000181', keyType: 'CNPJ', name: 'Padaria Central' },
  }
  const page = await shown(
    { body: 'Padaria Central\n11222333000181', mediaType: 'payment', dataJson: json(payment) },
    { body: '', mediaType: 'payment', dataJson: json({ ...payment, what: 'sent', pix: null, items: [] }) },
  )
  await page.sees('Pedido a pagar', 'Até sexta', '2 × Bolo', /Total: R\$\s27,00/, 'Padaria Central')
  await page.sees('Pendente', 'Referência: A1', 'Pagamento enviado')
  await page.find('textbox', 'Chave (CNPJ)')
})

test('a film and a document show the picture of their sender’s phone, and a document its pages', async () => {
  const media = { name: 'menu.pdf', type: 'application/pdf', size: 9, seconds: null, width: 4, height: 3 }
  const known = { ...media, isVoice: false, thumbnail: '/9j/4AAQ' }
  const page = await shown(
    { body: '', mediaType: 'document', media: { ...known, state: 'loading', pages: 3 } },
    { body: '', mediaType: 'video', media: { ...known, state: 'loading', name: '', type: 'video/mp4' } },
    { body: '', mediaType: 'video', media: { ...known, state: 'failed', name: '', type: 'video/mp4' } },
  )
  await page.sees('menu.pdf', /3 páginas/)
  await expect.poll(() => document.querySelectorAll('[data-thumbnail]').length).toBe(3)
})

test('a product and an invitation to a group look like what they are', async () => {
  const product = {
    ...{ title: 'Bolo', description: 'de fubá', price: 13.5, currency: 'BRL', note: 'Tem este?' },
    url: 'https://padaria.test/bolo',
  }
  const invite = { name: 'Clientes', note: 'Entra?', until: '2026-12-24T18:00:00.000Z' }
  const page = await shown(
    { body: 'Bolo', mediaType: 'productMessage', dataJson: json(product) },
    { body: 'Clientes', mediaType: 'groupInviteMessage', dataJson: json(invite) },
    { body: 'de uma versão anterior', mediaType: 'productMessage' },
  )
  await page.sees('Produto', 'Bolo', /R\$\s13,50/, 'de fubá', 'Tem este?', 'de uma versão anterior')
  await page.sees('Convite para grupo', 'Clientes', 'Entra?', /Vale até 24\/12\/2026/)
  await page.find('link', 'Abrir a página do produto')
})

test('what only the phone shows, and what is newer than the product, says so', async () => {
  const page = await shown(
    { body: '', mediaType: 'masked' },
    { body: '', mediaType: 'unknown', dataJson: json({ field: 122, name: 'eventInviteMessage' }) },
    { body: '', mediaType: 'chat_event', dataJson: json({ what: 'changed', people: [] }) },
    { body: '', mediaType: 'call_log', dataJson: json({ isVideo: false, outcome: 'taken', seconds: 95 }) },
  )
  await page.sees(
    'Por segurança, o WhatsApp mostra esta mensagem só no celular da empresa',
    'Mensagem de um tipo que ainda não é mostrado aqui: veja no celular da empresa',
    /editou uma mensagem/,
    /Chamada às \d\d:\d\d, 1:35/,
  )
})
