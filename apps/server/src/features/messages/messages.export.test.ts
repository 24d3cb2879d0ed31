import { inflateRawSync } from 'node:zlib'
import { messages } from '@balcao/contract/messages.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { picture } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveMessage } from './inbound/inbound.actions.ts'
import { receiveLine } from './inbound/lines.actions.ts'

let app: TestApp
let admin: Person
let stranger: Person
let rows: Rows
let queueId: number
/** Reads only the own queue, and may export. */
let clerk: Person
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  queueId = await rows.queue()
  clerk = await hire({ allowTicketExport: true, allowViewPendingTickets: false })
})
afterAll(() => app.close())

async function hire(flags: { allowTicketExport: boolean; allowViewPendingTickets: boolean }) {
  const email = `pessoa${unique()}@balcao.test`
  const group = await admin.get(permissions.create, { body: { name: `Grupo ${unique()}`, ...flags } })
  const whatsappId = await rows.phone()
  const input = { name: 'Nova', email, password: 'balcao-demo', whatsappId, queueIds: [queueId] }
  await admin.get(users.create, { body: { ...input, userAuthorizationId: group.id } })
  return app.as(email)
}

const write = async (number: string, body: string) =>
  admin.get(simulator.write, {
    params: { whatsappId: await rows.phone() },
    body: { number, name: 'Rita', body },
  })
/** A message of a customer who clicked on an ad. */
async function comeByAd(number: string, body: string) {
  const whatsappId = await rows.phone()
  const referral = {
    ...{ type: 'ad', sourceId: '42', sourceUrl: 'https://fb.me/x', headline: 'Bolos', body: '', app: '' },
    ...{ mediaType: '', mediaUrl: '', thumbnail: '', clickId: '', catalogId: '' },
  }
  const chat = { kind: 'phone' as const, value: number }
  const received = { kind: 'message' as const, chat, externalId: unique(), fromMe: false, name: 'Rita' }
  const at = new Date().toISOString()
  await app.platform.scopes
    .inCompany(admin.user.companyId)
    .transaction(tx => receiveMessage(tx, whatsappId, { ...received, body, mediaType: null, referral, at }))
}
const ticketOf = (number: string) =>
  until(async () => {
    const query = { tab: 'search' as const, showAll: true, searchParam: number }
    return (await admin.get(tickets.list, { query })).tickets.find(one => one.status !== 'closed')
  })
const give = (ticket: Ticket, to: object) =>
  admin.get(tickets.change, { params: { ticketId: ticket.id }, body: { transf: true, ...to } })

/** The texts of a sheet, row by row, as a spreadsheet shows them; numbers as numbers. */
async function sheetOf(who: Person, body: object) {
  const { link } = await who.get(tickets.export, { body })
  const answer = await who.fetch(link!)
  expect(answer.headers.get('content-type')).toContain('spreadsheetml.sheet')
  const xml = unpacked(Buffer.from(await answer.arrayBuffer()), 'xl/worksheets/sheet1.xml')
  const lines = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
    [...row!.matchAll(/<c (?:[^>]*\/>|[^>]*>(.*?)<\/c>)/gs)].map(([, cell = '']) =>
      cell.replace(/<[^>]+>/g, ''),
    ),
  )
  return { lines, link: link! }
}

function unpacked(zip: Buffer, name: string): string {
  const at = zip.lastIndexOf(Buffer.from(name))
  const entry = at - 46
  const [packed, start] = [zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 42)]
  const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
  return inflateRawSync(zip.subarray(from, from + packed)).toString()
}

test('what was said with a contact is a sheet with date, author and message, in which nothing is a formula [GEN-009, TSTATE-052 … TSTATE-056, API-006, OP-78]', async () => {
  const number = newNumber()
  await write(number, '=HYPERLINK("http://x.test";"clique") <b> & \u0001fim')
  const ticket = await give(await ticketOf(number), { queueId, userId: clerk.user.id })
  const params = { ticketId: ticket.id, companyId: clerk.user.companyId }
  await clerk.get(messages.send, { params, body: { body: 'Segue a foto' }, files: [picture('sala.png')] })
  const { lines } = await sheetOf(clerk, { contact: { id: ticket.contactId } })
  expect(lines[0]!.slice(0, 3)).toEqual(['Data', 'Autor', 'Mensagem'])
  expect(lines.slice(1).map(([, ...cells]) => cells.slice(0, 2))).toEqual([
    ['Rita', '\'=HYPERLINK("http://x.test";"clique") &lt;b&gt; &amp; fim'],
    ['Nova', '[Foto: sala.png] Segue a foto'],
  ])
  // days since the last one of 1899
  expect(Number(lines[1]![0])).toBeCloseTo(Date.now() / 86_400_000 + 25_569, 0)
  await comeByAd(number, 'Vi o anúncio')
  const english = await sheetOf(clerk, { contact: ticket.contactId, language: 'en' })
  expect(english.lines[0]!.slice(0, 3)).toEqual(['Date', 'Author', 'Message'])
  expect(english.lines.at(-1)![2]).toBe('[Ad: Bolos: 42] Vi o anúncio')
})

test('a line of the chat is exported by its text', async () => {
  const number = newNumber()
  await write(number, 'Oi')
  const ticket = await give(await ticketOf(number), { queueId, userId: clerk.user.id })
  const line = {
    ...{ kind: 'message' as const, chat: { kind: 'phone' as const, value: number }, externalId: unique() },
    ...{ fromMe: false, name: '', body: '24 h', mediaType: 'chat_event', at: new Date().toISOString() },
    data: { what: 'timerOn', people: [] },
  }
  const whatsappId = await rows.phone()
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  await scope.transaction(tx => receiveLine(tx, whatsappId, line))
  const saidIn = async (language: 'ptBR' | 'es') =>
    (await sheetOf(admin, { contact: ticket.contactId, language })).lines.at(-1)![2]
  expect(await saidIn('ptBR')).toBe('[ativou mensagens temporárias: 24 h]')
  expect(await saidIn('es')).toBe('[activó los mensajes temporales: 24 h]')
})

test('a period without words has no link; a contact that is not there is refused, and who lacks the right [TSTATE-052 … TSTATE-056, ROLE-004]', async () => {
  const contact = await rows.contact()
  const nothing = { contact, initialDate: '2020-01-01', finalDate: '2020-01-31' }
  expect(await clerk.get(tickets.export, { body: nothing })).toEqual({ link: null })
  const gone = await clerk.call(tickets.export, { body: { contact: 2_000_000_000 } })
  expect([gone.status, gone.body.error]).toEqual([404, 'ERR_NO_CONTACT_FOUND'])
  const unable = await hire({ allowTicketExport: false, allowViewPendingTickets: true })
  expect((await unable.call(tickets.export, { body: { contact } })).body.error).toBe('ERR_NO_PERMISSION')
})

test('nobody exports, nor lists among files, what he may not read; a link is good for its company alone [TSTATE-052 … TSTATE-056, OP-78]', async () => {
  const number = newNumber()
  const secret = `segredo${unique()}`
  await write(number, secret)
  const waiting = await give(await ticketOf(number), { queueId })
  const exported = async (body: object) => {
    const answer = await clerk.get(tickets.export, { body })
    return answer.link === null ? '' : JSON.stringify((await sheetOf(clerk, body)).lines)
  }
  expect(await exported({ contact: waiting.contactId })).not.toContain(secret)
  await give(waiting, { queueId: await rows.queue(), userId: admin.user.id })
  expect(await exported({ contact: waiting.contactId })).not.toContain(secret)
  await give(waiting, { queueId, userId: clerk.user.id })
  expect(await exported({})).toContain(secret)
  const { link } = await sheetOf(clerk, { contact: waiting.contactId })
  expect((await stranger.fetch(link)).status).toBe(404)
  expect((await app.anonymous.fetch(link)).status).toBe(401)
})

test('the files of a conversation are its own and those of the contact’s other tickets that one may read', async () => {
  const number = newNumber()
  await write(number, 'Oi')
  const first = await give(await ticketOf(number), { queueId: await rows.queue(), userId: admin.user.id })
  const send = (ticketId: number, who: Person, name: string) =>
    who.get(messages.send, {
      params: { ticketId, companyId: who.user.companyId },
      body: { body: '' },
      files: [picture(name)],
    })
  await send(first.id, admin, 'alheia.png')
  await admin.get(tickets.change, { params: { ticketId: first.id }, body: { status: 'closed' } })
  await write(number, 'Voltei')
  const second = await give(await ticketOf(number), { queueId, userId: clerk.user.id })
  await send(second.id, clerk, 'minha.png')
  const files = async (who: Person) =>
    (await who.get(messages.files, { params: { ticketId: second.id } })).messages.map(one => one.media?.name)
  expect(await files(clerk)).toEqual(['minha.png'])
  expect(await files(admin)).toEqual(['minha.png', 'alheia.png'])
  expect((await stranger.call(messages.files, { params: { ticketId: second.id } })).status).toBe(404)
})
