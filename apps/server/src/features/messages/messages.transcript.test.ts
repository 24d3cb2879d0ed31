import { setImmediate as othersTurn } from 'node:timers/promises'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { transcripts } from '@balcao/contract/transcripts.ts'
import { users } from '@balcao/contract/users.ts'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { picture } from '../../../testing/samples.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { Paper } from './history/paper.export.ts'

let office: PostOffice
let app: TestApp
let admin: Person
let rows: Rows
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp(office.env)
  await app.database.script('update companies set number_attendants = 999')
  admin = await app.as('admin@balcao.test')
  rows = rowsOf(app, admin)
})
afterAll(async () => {
  await app.close()
  await office.close()
})

async function conversation(...bodies: string[]) {
  const ticketId = await rows.customer()
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'open' } })
  const params = { ticketId, companyId: admin.user.companyId }
  for (const body of bodies) await admin.get(messages.send, { params, body: { body } })
  return admin.get(tickets.show, { params: { ticketId } })
}

async function pdfOf(who: Person, ticketId: number, language = 'ptBR') {
  const answer = await who.fetch(`/tickets/${ticketId}/pdf?language=${language}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (!answer.ok) return { answer, text: new TextDecoder().decode(bytes), pages: 0 }
  const { text, totalPages } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  return { answer, text: text.replace(/\s+/g, ' '), pages: totalPages }
}

test('a conversation is a PDF: brand, participants, messages in every alphabet, the names of files, in three languages', async () => {
  const ticket = await conversation('Conceição já pagou 10 €', 'Łódź Привет Γειά 👍', 'Telefone')
  const params = { ticketId: ticket.id, companyId: admin.user.companyId }
  await admin.get(messages.send, { params, body: { body: 'Segue' }, files: [picture('sala.png')] })
  const { answer, text } = await pdfOf(admin, ticket.id)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain(`Conversa%20${ticket.protocol}.pdf`)
  for (const part of [
    'Conceição já pagou 10 €',
    'Łódź Привет Γειά',
    '[Foto: sala.png] Segue',
    ticket.contact.name,
  ])
    expect(text).toContain(part)
  expect(text).toContain(`Participantes ${ticket.contact.name} ${admin.user.name}`)
  expect(text).toMatch(/Arquivos .*sala\.png/)
  expect((await pdfOf(admin, ticket.id, 'en')).text).toContain(`Conversation ${ticket.protocol}`)
  expect((await pdfOf(admin, ticket.id, 'es')).text).toContain('Participantes')
})

test('a text costs its length: one long word, thousands of lines, and marks over one letter are drawn at once', async () => {
  const ticket = await conversation('a'.repeat(60_000), 'linha\n'.repeat(900), 'e\u0301\u0302'.repeat(15_000))
  const { text, pages } = await pdfOf(admin, ticket.id)
  expect(text).toContain('O texto continua na conversa.')
  expect(pages).toBeLessThan(150)
})

test('a long text is drawn a part at a time: others have their turns in the process', async () => {
  const paper = new Paper({ title: '', author: '', foot: () => '', language: 'ptBR' })
  let [turns, isOver] = [0, false]
  const countTurns = async () => {
    for (; !isOver; turns++) await othersTurn()
  }
  const counting = countTurns()
  await paper.text('palavra '.repeat(8_000), { size: 10 })
  isOver = true
  await counting
  expect(turns).toBeGreaterThan(25)
})

test('who may not read the ticket gets no PDF of it', async () => {
  const ticket = await conversation('Em segredo')
  const stranger = await app.as('admin@outra.test')
  expect((await pdfOf(stranger, ticket.id)).answer.status).toBe(404)
  const group = await admin.get(permissions.create, { body: { name: `Grupo ${unique()}`, allowNoQueue: 0 } })
  const email = `pessoa${unique()}@balcao.test`
  const input = {
    name: 'Nova',
    email,
    password: 'balcao-demo',
    userAuthorizationId: group.id,
    queueIds: [await rows.queue()],
  }
  await admin.get(users.create, { body: { ...input, whatsappId: await rows.phone() } })
  expect((await pdfOf(await app.as(email), ticket.id)).answer.status).toBe(404)
})

test('the PDF goes to the e-mail of the contact, and to none where there is no address', async () => {
  const ticket = await conversation('Olá')
  const params = { ticketId: ticket.id }
  expect((await admin.call(transcripts.mail, { params, body: {} })).body.error).toBe('ERR_NO_CONTACT_EMAIL')
  const to = `cliente${unique()}@cliente.test`
  const { contactId } = ticket
  const contact = { name: ticket.contact.name, number: ticket.contact.number, email: to }
  await admin.get(contacts.change, { params: { contactId }, body: contact })
  expect(await admin.get(transcripts.mail, { params, body: {} })).toEqual({ to })
  const letter = await office.letterTo(to)
  expect(letter.subject).toContain('Sua conversa com')
  expect(letter.text).toContain('application/pdf')
  const [packed] = /JVBERi[A-Za-z0-9+/\r\n]+/.exec(letter.text) ?? []
  expect(
    Buffer.from(packed ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})
