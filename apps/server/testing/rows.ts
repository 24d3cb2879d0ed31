import { randomUUID } from 'node:crypto'
import type { Route } from '@balcao/contract/kit.ts'
import { addCategory } from '../src/features/categories/categories.actions.ts'
import { addConnection } from '../src/features/connections/connections.actions.ts'
import { startSession } from '../src/features/connections/connections.wishes.ts'
import { contactSheets } from '../src/features/contactSheets/contactSheets.table.ts'
import { addContact } from '../src/features/contacts/contacts.actions.ts'
import { receive } from '../src/features/messages/messages.receive.ts'
import { inboundEvents, messages } from '../src/features/messages/messages.table.ts'
import { addAuthorization } from '../src/features/permissions/permissions.actions.ts'
import { addQueue } from '../src/features/queues/queues.actions.ts'
import { simulateWriting } from '../src/features/simulator/simulator.actions.ts'
import { transfer } from '../src/features/tickets/tickets.actions.ts'
import { loadTicket } from '../src/features/tickets/tickets.queries.ts'
import { addUser } from '../src/features/users/users.actions.ts'
import type { Scope } from '../src/platform/scope.ts'
import type { Person, World } from './world.ts'

type Id = Promise<number>

/** One of everything a call can name; each asking makes another. */
export interface Rows {
  company(): Id
  phone(): Id
  queue(): Id
  authorization(): Id
  connection(): Id
  user(): Id
  category(): Id
  contact(): Id
  /** A spreadsheet of contacts that was read. */
  sheet(): Id
  /** Open, in a queue of the company, held by nobody in particular. */
  ticket(): Id
  /** Somebody with a living ticket. */
  customer(): Id
  failedMessage(): Promise<string>
  sentMessage(): Promise<string>
  /** A message whose file could not be fetched. */
  lostFile(): Promise<string>
  /** What a call of the API adds. */
  added(create: Route, body: object): Id
  rawLog(): Id
  /** What a simulated phone wrote. */
  onPhone(number: string): Promise<string>
}

/** Ids that nothing has, in any company. */
export const nowhere: Rows = {
  company: async () => 2_000_000_000,
  phone: async () => 2_000_000_000,
  queue: async () => 2_000_000_000,
  authorization: async () => 2_000_000_000,
  connection: async () => 2_000_000_000,
  user: async () => 2_000_000_000,
  category: async () => 2_000_000_000,
  contact: async () => 2_000_000_000,
  sheet: async () => 2_000_000_000,
  ticket: async () => 2_000_000_000,
  customer: async () => 2_000_000_000,
  failedMessage: async () => randomUUID(),
  sentMessage: async () => randomUUID(),
  lostFile: async () => randomUUID(),
  added: async () => 2_000_000_000,
  rawLog: async () => 2_000_000_000,
  onPhone: async () => 'SIM0',
}

const lost = {
  state: 'failed' as const,
  name: 'foto.jpg',
  type: 'image/jpeg',
  size: 0,
  seconds: null,
  width: null,
  height: null,
  isVoice: false,
}

let last = 0
export const unique = () => String(++last).padStart(6, '0')
export const newNumber = () => `551197${unique()}0`

/** Living rows in the company of an admin, made by the same actions as everybody's. */
export function rowsOf({ platform }: World, admin: Person): Rows {
  const { companyId } = admin.user
  const phone = admin.user.whatsappId!
  const queueId = admin.user.queues[0]!.id
  const product = platform.scopes.inCompany(companyId)
  const asAdmin = async (): Promise<Scope> => {
    const { viewer } = await platform.access.enter(admin.token)
    return platform.scopes.inCompany(companyId, viewer)
  }

  const customer = async () => {
    const ticketId = await product.transaction(tx =>
      receive(tx, phone, {
        kind: 'message',
        chat: { kind: 'phone', value: newNumber() },
        externalId: `ROW${unique()}`,
        fromMe: false,
        name: 'Rita',
        body: 'Bom dia',
        mediaType: null,
        at: new Date().toISOString(),
      }),
    )
    await transfer(await asAdmin(), ticketId, { queueId, userId: admin.user.id })
    return product.transaction(async tx => (await loadTicket(tx, ticketId))!)
  }

  async function message(fields: Partial<typeof messages.$inferInsert>) {
    const { id: ticketId, contactId } = await customer()
    const id = randomUUID()
    const row = { id, companyId, ticketId, contactId, whatsappId: phone, externalId: `ROW${unique()}` }
    await product.transaction(tx =>
      tx.sql.insert(messages).values({ ...row, body: '', fromMe: true, ...fields }),
    )
    return id
  }

  return {
    phone: async () => phone,
    company: async () => companyId,
    queue: async () => (await addQueue(product, { name: `Setor ${unique()}`, color: `#${unique()}` })).id,
    authorization: async () => (await addAuthorization(product, { name: `Grupo ${unique()}` })).id,
    async connection() {
      const input = { name: `Linha ${unique()}`, lib: 'simulator' as const }
      const { id } = await addConnection(product, input, { demo: true })
      await startSession(product, id)
      return id
    },
    user: async () =>
      (
        await addUser(await asAdmin(), {
          name: 'Alguém',
          email: `alguem${unique()}@balcao.test`,
          password: 'balcao-demo',
          userAuthorizationId: admin.user.userAuthorizationId,
          whatsappId: phone,
          queueIds: [queueId],
        })
      ).id,
    category: async () =>
      (await addCategory(await asAdmin(), { name: `Categoria ${unique()}`, color: 'red' })).id,
    contact: async () => (await addContact(product, { name: 'Rui', number: newNumber() })).id,
    sheet: () =>
      product.transaction(async tx => {
        const row = { companyId, fileName: 'lista.csv', state: 'ready' as const, header: ['A'] }
        const [made] = await tx.sql.insert(contactSheets).values(row).returning({ id: contactSheets.id })
        return made!.id
      }),
    ticket: async () => (await customer()).id,
    customer: async () => (await customer()).contactId,
    failedMessage: () => message({ body: 'Não saiu', fromMe: true, ack: 0, outbox: 'failed' }),
    sentMessage: () => message({ body: 'Saiu', fromMe: true, ack: 2, outbox: 'done' }),
    lostFile: () =>
      message({ body: '', fromMe: false, ack: 4, mediaType: 'image', media: lost, mediaSource: 'nowhere' }),
    added: async (create, body) => ((await admin.get(create, { body })) as { id: number }).id,
    rawLog: () =>
      product.transaction(async tx => {
        const chat = { kind: 'phone', value: newNumber() }
        const heard = JSON.stringify({ kind: 'identity', chat, at: new Date().toISOString() })
        const row = { companyId, whatsappId: phone, key: `i ${unique()}`, chat: chat.value, heard }
        const [made] = await tx.sql.insert(inboundEvents).values(row).returning({ id: inboundEvents.id })
        return made!.id
      }),
    onPhone: async number => (await simulateWriting(product, phone, { number, body: 'Oi' }, [])).id,
  }
}
