import { randomUUID } from 'node:crypto'
import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { ScheduleFields } from '@balcao/contract/schedules.ts'
import { addCampaignSetup } from '../src/features/campaignSetups/campaignSetups.actions.ts'
import { addCampaign } from '../src/features/campaigns/campaigns.actions.ts'
import { campaignCalls, campaignDispatches } from '../src/features/campaigns/campaigns.table.ts'
import { addRecipients } from '../src/features/campaigns/recipients/recipients.actions.ts'
import { addCategory } from '../src/features/categories/categories.actions.ts'
import { plans } from '../src/features/companies/companies.table.ts'
import { addConnection } from '../src/features/connections/connections.actions.ts'
import { startSession } from '../src/features/connections/connections.session.actions.ts'
import { contactSheets } from '../src/features/contactSheets/contactSheets.table.ts'
import { addContact } from '../src/features/contacts/contacts.actions.ts'
import { addFlow } from '../src/features/flows/flows.actions.ts'
import { receiveMessage } from '../src/features/messages/inbound/inbound.actions.ts'
import { inboundEvents } from '../src/features/messages/messages.log.table.ts'
import { messages } from '../src/features/messages/messages.table.ts'
import { addOptOut } from '../src/features/optOuts/optOuts.actions.ts'
import { addAuthorization } from '../src/features/permissions/permissions.actions.ts'
import { addQueue } from '../src/features/queues/queues.actions.ts'
import { addSchedule } from '../src/features/schedules/schedules.actions.ts'
import { simulateWriting } from '../src/features/simulator/simulator.actions.ts'
import { transfer } from '../src/features/tickets/moves/moves.actions.ts'
import { loadTicket } from '../src/features/tickets/tickets.queries.ts'
import { addUser } from '../src/features/users/users.actions.ts'
import { insertWebhook } from '../src/features/webhooks/webhooks.queries.ts'
import { webhookDeliveries, webhooks } from '../src/features/webhooks/webhooks.table.ts'
import { externalIdOf, externalKeyOf } from '../src/platform/external.ts'
import { newSigningSecret } from '../src/platform/outbound/webhooks.ts'
import type { Sql } from '../src/platform/postgres/db.ts'
import { eq } from '../src/platform/postgres/sql.ts'
import type { Scope } from '../src/platform/scope.ts'
import type { Person, TestApp } from './test-app.ts'

type Id = Promise<number>

/** One of everything a call can name; each asking makes another. */
export interface Rows {
  companyId: number
  /** A queue in which an attendant may open tickets. */
  attendantsQueue: number
  company(): Id
  /** The plan of the company. */
  plan(): Id
  phone(): Id
  queue(): Id
  authorization(): Id
  connection(): Id
  /** A connection that is no default, the same for all who only need one. */
  line(): Id
  user(): Id
  invitation(): Id
  category(): Id
  contact(): Id
  /** Two contacts that became one. */
  merge(): Id
  /** A spreadsheet of contacts that was read. */
  sheet(): Id
  /** Open, in a queue of the company, without a user. */
  ticket(): Id
  /** A contact with an active ticket. */
  customer(): Id
  failedMessage(): Promise<string>
  sentMessage(): Promise<string>
  /** A note of a user who was deleted. */
  note(): Promise<string>
  /** One of an open ticket. */
  said(): Promise<{ ticketId: number; messageId: string }>
  /** A message whose file could not be fetched. */
  lostFile(): Promise<string>
  /** A message planned for tomorrow, in the admin's name. */
  schedule(): Id
  /** For programs. */
  apiToken(): Promise<string>
  campaignSetup(): Promise<string>
  /** With one person, in the admin's name, not begun. */
  campaign(): Id
  campaignDispatch(): Id
  campaignCall(): Promise<string>
  /** The only one: a company has few. */
  webhook(): Id
  /** Its inbound events. */
  delivery(): Promise<string>
  optOut(): Id
  /** What a call of the API adds. */
  added(create: Route, body: object): Id
  /** A flow that may be played in a conversation. */
  flow(): Id
  rawLog(): Id
  /** What a simulated phone wrote. */
  onPhone(number: string): Promise<string>
}

/** Ids that nothing has, in any company. */
export const nowhere: Omit<Rows, 'companyId' | 'attendantsQueue'> = {
  company: async () => 2_000_000_000,
  plan: async () => 2_000_000_000,
  phone: async () => 2_000_000_000,
  queue: async () => 2_000_000_000,
  authorization: async () => 2_000_000_000,
  connection: async () => 2_000_000_000,
  line: async () => 2_000_000_000,
  user: async () => 2_000_000_000,
  invitation: async () => 2_000_000_000,
  category: async () => 2_000_000_000,
  contact: async () => 2_000_000_000,
  merge: async () => 2_000_000_000,
  sheet: async () => 2_000_000_000,
  ticket: async () => 2_000_000_000,
  customer: async () => 2_000_000_000,
  failedMessage: async () => randomUUID(),
  sentMessage: async () => randomUUID(),
  note: async () => randomUUID(),
  said: async () => ({ ticketId: 2_000_000_000, messageId: randomUUID() }),
  lostFile: async () => randomUUID(),
  schedule: async () => 2_000_000_000,
  apiToken: async () => randomUUID(),
  campaignSetup: async () => randomUUID(),
  campaign: async () => 2_000_000_000,
  campaignDispatch: async () => 2_000_000_000,
  campaignCall: async () => randomUUID(),
  webhook: async () => 2_000_000_000,
  delivery: async () => randomUUID(),
  optOut: async () => 2_000_000_000,
  added: async () => 2_000_000_000,
  flow: async () => 2_000_000_000,
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

/** Live rows in the company of an admin, made by the product's own actions. */
export function rowsOf({ platform }: TestApp, admin: Person, attendant = admin): Rows {
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
      receiveMessage(tx, phone, {
        kind: 'message',
        chat: { kind: 'phone', value: newNumber() },
        externalId: externalIdOf(`ROW${unique()}`),
        fromMe: false,
        name: 'Rita',
        body: 'Bom dia',
        mediaType: null,
        at: new Date().toISOString(),
      }),
    )
    await transfer(await asAdmin(), ticketId!, { queueId, userId: admin.user.id })
    return product.transaction(async tx => (await loadTicket(tx, ticketId!))!)
  }

  async function message(fields: Partial<typeof messages.$inferInsert>) {
    const { id: ticketId, contactId } = await customer()
    const id = randomUUID()
    const row = {
      id,
      companyId,
      ticketId,
      contactId,
      whatsappId: phone,
      externalId: externalIdOf(`ROW${unique()}`),
    }
    await product.transaction(tx =>
      tx.sql.insert(messages).values({ ...row, body: '', fromMe: true, ...fields }),
    )
    return id
  }

  async function connection() {
    const input = { name: `Linha ${unique()}`, lib: 'simulator' as const }
    const { id } = await addConnection(product, input, { demo: true })
    await startSession(product, id)
    return id
  }
  // hundreds of sessions would wait for one database
  let shared: Id | undefined
  const line = () => {
    shared ??= connection()
    return shared
  }
  const campaignSetup = async () => {
    const body = { name: `Configuração ${unique()}`, whatsapps: [await line()] }
    return (await addCampaignSetup(await asAdmin(), body)).id
  }
  const campaign = async () => {
    const input = {
      name: 'Natal',
      campaignSetupId: await campaignSetup(),
      messages: [{ greeting: '', body: 'Oi' }],
    }
    const scope = await asAdmin()
    const { id } = await addCampaign(scope, input, [])
    await addRecipients(scope, id, { sendList: [{ number: newNumber(), values: {} }] })
    return id
  }

  const webhook = () =>
    product.transaction(async tx => {
      await tx.sql.delete(webhooks).where(eq(webhooks.companyId, companyId))
      const off = { name: 'Loja', url: 'https://x.test/', events: [], isActive: false }
      const secret = platform.secrets.seal(companyId, newSigningSecret())
      return (await insertWebhook(tx, { ...off, secret })).id
    })

  return {
    companyId,
    attendantsQueue: attendant.user.queues[0]!.id,
    phone: async () => phone,
    connection,
    line,
    campaignSetup,
    async apiToken() {
      const body = { name: `Loja ${unique()}`, whatsappId: await line() }
      return (await admin.get(apiTokens.create, { body })).id
    },
    campaign,
    async campaignDispatch() {
      const campaignId = await campaign()
      const [row] = await product.read(tx =>
        tx.sql
          .select({ id: campaignDispatches.id })
          .from(campaignDispatches)
          .where(eq(campaignDispatches.campaignId, campaignId)),
      )
      return row!.id
    },
    async campaignCall() {
      const [campaignId, id] = [await campaign(), randomUUID()]
      const row = {
        id,
        companyId,
        campaignId,
        setupId: randomUUID(),
        url: 'https://x.test/',
        state: 'done' as const,
      }
      await product.transaction(tx => tx.sql.insert(campaignCalls).values(row))
      return id
    },
    webhook,
    async delivery() {
      const made = { id: randomUUID(), cause: unique(), event: 'ping' as const, body: '{}' }
      const row = { ...made, companyId, webhookId: await webhook(), state: 'done' as const }
      await product.transaction(tx => tx.sql.insert(webhookDeliveries).values(row))
      return row.id
    },
    optOut: async () => (await addOptOut(await asAdmin(), { number: newNumber() })).id,
    company: async () => companyId,
    plan: async () => {
      const find = (sql: Sql) =>
        sql.select({ id: plans.id }).from(plans).where(eq(plans.companyId, companyId))
      const [own] = await platform.scopes.platform().transaction(find)
      return own!.id
    },
    queue: async () => (await addQueue(product, { name: `Setor ${unique()}`, color: `#${unique()}` })).id,
    authorization: async () => (await addAuthorization(product, { name: `Grupo ${unique()}` })).id,
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
    invitation: async () => {
      const body = {
        email: `convite${unique()}@balcao.test`,
        userAuthorizationId: admin.user.userAuthorizationId,
        whatsappId: phone,
        queueIds: [queueId],
      }
      return (await admin.get(invitations.create, { body })).invitation.id
    },
    category: async () =>
      (await addCategory(await asAdmin(), { name: `Categoria ${unique()}`, color: 'red' })).id,
    async flow() {
      const says = { actionType: 'SendText' as const, body: 'Oi', param: 0, mediaFileName: '' }
      return (await addFlow(product, { name: 'Boas-vindas', type: 'Chat', flowActions: [says] }, [])).id
    },
    contact: async () => (await addContact(product, { name: 'Rui', number: newNumber() })).id,
    async merge() {
      const [into, from] = [await customer(), await customer()]
      const body = { into: into.contactId, from: from.contactId }
      return (await admin.get(contactMerges.merge, { body })).merge.id
    },
    sheet: () =>
      product.transaction(async tx => {
        const row = { companyId, fileName: 'lista.csv', state: 'ready' as const, header: ['A'] }
        const [made] = await tx.sql.insert(contactSheets).values(row).returning({ id: contactSheets.id })
        return made!.id
      }),
    ticket: async () => (await customer()).id,
    customer: async () => (await customer()).contactId,
    failedMessage: () => message({ body: 'Não saiu', fromMe: true, ack: 0 }),
    sentMessage: () => message({ body: 'Saiu', fromMe: true, ack: 2 }),
    note: () => message({ body: 'Pediu desconto', fromMe: true, ack: 2, isPrivate: true, whatsappId: null }),
    async said() {
      const { id: ticketId, lastMessageId } = await customer()
      return { ticketId, messageId: lastMessageId! }
    },
    lostFile: () =>
      message({ body: '', fromMe: false, ack: 4, mediaType: 'image', media: lost, mediaSource: 'nowhere' }),
    async schedule() {
      const { id: contactId } = await addContact(product, { name: 'Rui', number: newNumber() })
      const sendAt = new Date(Date.now() + 86_400_000).toISOString()
      const input = ScheduleFields.parse({ contactId, body: 'Até amanhã', sendAt })
      return (await addSchedule(await asAdmin(), input, [])).id
    },
    added: async (create, body) =>
      ((await admin.get(create, { params: { companyId }, body })) as { id: number }).id,
    rawLog: () =>
      product.transaction(async tx => {
        const chat = { kind: 'phone', value: newNumber() }
        const event = JSON.stringify({ kind: 'identity', chat, at: new Date().toISOString() })
        const row = {
          companyId,
          whatsappId: phone,
          key: externalKeyOf(`i ${unique()}`),
          chat: externalIdOf(chat.value),
          event,
        }
        const [made] = await tx.sql.insert(inboundEvents).values(row).returning({ id: inboundEvents.id })
        return made!.id
      }),
    onPhone: async number => (await simulateWriting(product, phone, { number, body: 'Oi' }, [])).id,
  }
}
