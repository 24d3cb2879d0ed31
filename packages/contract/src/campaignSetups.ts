import { z } from 'zod'
import { Lib } from './connections.ts'
import { delivered, SigningSecret } from './deliveries.ts'
import {
  channel,
  flag,
  id,
  idOrNone,
  instant,
  jsonOrNull,
  oneOf,
  page,
  pageQuery,
  route,
  text,
  urlOrNone,
} from './kit.ts'
import { QueueTexts } from './queues.ts'
import { TicketStatus } from './tickets.ts'

/** What the documents offer to choose from (automation §9), in seconds. */
export const paceOptions = {
  tMax: [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60],
  tMin: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  interval: [5, 10, 20, 30, 40, 50, 60],
} as const

/** WhatsApp shows no more (automation §5). */
export const MAX_BUTTONS = 3
export const TOO_MANY_BUTTONS = 'O Whatsapp permite adicionar somente 3 botões por mensagens.'
export const NO_CONNECTION = 'É necessário adicionar uma conexão para realizar campanhas'

/** A question with buttons below it, in the form that the documents keep it in. */
export const ButtonsMessage = z.object({
  text: z.string().trim().min(1, 'Required').max(1_024, 'Too Long!'),
  footer: z.string().trim().max(60, 'Too Long!').default(''),
  buttons: z
    .array(
      z.object({
        buttonId: z.string().min(1, 'Required').max(256, 'Too Long!'),
        buttonText: z.object({ displayText: text(1, 20) }),
        type: z.literal(1).default(1),
        /** What the answer does: a tag for its ticket, a category for the contact, a queue for a ticket without a user. */
        tagId: idOrNone.optional(),
        categoryId: idOrNone.optional(),
        queueId: idOrNone.optional(),
        /** A flow of bots that is played then, while the ticket has no user; a bot is silent from there on. */
        flowId: idOrNone.optional(),
        /** Without a flow: the bot of the connection, where it is silent by then, begins anew. */
        startsBot: z.boolean().optional(),
      }),
    )
    .min(1, 'Required')
    .max(MAX_BUTTONS, TOO_MANY_BUTTONS),
})
export type ButtonsMessage = z.output<typeof ButtonsMessage>
export type CampaignButton = ButtonsMessage['buttons'][number]

/** What the editor begins with (automation §3). */
export const defaultButtons: ButtonsMessage = {
  text: 'Você tem interesse?',
  footer: '',
  buttons: ['Sim', 'Não', 'Talvez'].map((displayText, at) => ({
    buttonId: `id${at + 1}`,
    buttonText: { displayText },
    type: 1,
  })),
}

/** An hour of the company's clock. */
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:mm')

export const FooterType = z.enum(['none', 'buttons', 'list-disabled'])

export const CampaignSetup = z.object({
  /** Random. For admins and the owner also the token of `POST /api/campaign/v1`; for others its handle. */
  id: z.uuid(),
  /** What anybody of the company names it by; nothing is sent with it. */
  handle: z.uuid(),
  name: z.string(),
  companyId: z.int(),
  /** Owner; null when the user was deleted: then its token makes no campaigns. */
  userId: z.int().nullable(),
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Status of a ticket in which only the campaign wrote; an active ticket is unchanged. */
  ticketSetStatus: TicketStatus,
  /** Seconds, at most and at least, between what one number sends. */
  tMax: z.int(),
  tMin: z.int(),
  /** Seconds after each contact, besides. */
  interval: z.int(),
  /** A campaign without a schedule starts when it is created. */
  autoStart: z.boolean(),
  queueId: z.int().nullable(),
  queue: QueueTexts.nullable(),
  whatsapps: z.array(
    z.object({ id: z.int(), name: z.string(), number: z.string(), lib: Lib, status: z.string() }),
  ),
  jsonButtonOrList: ButtonsMessage.nullable(),
  webhookUrlConcluded: z.string(),
  messageFooterType: FooterType,
  /** Between which hours of the company's clock it sends; null for all day. From after until: over midnight. */
  dailyFrom: clock.nullable(),
  dailyUntil: clock.nullable(),
  /** On which days, 0 is Sunday; empty for all. */
  weekdays: z.array(z.int().min(0).max(6)),
  /** Numbers that are young here begin slowly (`dayCapOf` of campaigns.rules). */
  warmUp: z.boolean(),
  createdAt: instant,
})
export type CampaignSetup = z.infer<typeof CampaignSetup>

/** Where a setup begins (automation §3). */
export const setupDefaults = {
  ticketSetStatus: 'closed',
  tMax: 10,
  tMin: 2,
  interval: 30,
  autoStart: true,
  messageFooterType: 'none',
  warmUp: true,
} as const

const named = z.union([id, z.object({ id }).transform(row => row.id)])

/** Omitted fields of a new one default to `setupDefaults`, of an existing one are kept. */
export const CampaignSetupInput = z.object({
  name: text(2, 100),
  ticketSetStatus: TicketStatus.optional(),
  tMax: oneOf(paceOptions.tMax).optional(),
  tMin: oneOf(paceOptions.tMin).optional(),
  interval: oneOf(paceOptions.interval).optional(),
  autoStart: flag.optional(),
  queueId: idOrNone.optional(),
  /** An admin may make it another’s. */
  userId: idOrNone.optional(),
  /** By id, or sent whole: connections that are not the default. */
  whatsapps: z.array(named, { error: NO_CONNECTION }).min(1, NO_CONNECTION).max(50, 'Too Long!'),
  jsonButtonOrList: jsonOrNull(ButtonsMessage).optional(),
  webhookUrlConcluded: urlOrNone.optional(),
  messageFooterType: FooterType.optional(),
  dailyFrom: clock.nullable().optional(),
  dailyUntil: clock.nullable().optional(),
  weekdays: z.array(z.int().min(0).max(6)).max(7).optional(),
  warmUp: flag.optional(),
})
export type CampaignSetupInput = z.output<typeof CampaignSetupInput>

/** One call to the address of a setup, and its outcome. */
export const CampaignCall = z.object({
  id: z.uuid(),
  campaignId: z.int(),
  url: z.string(),
  ...delivered,
})
export type CampaignCall = z.infer<typeof CampaignCall>

const setupId = z.object({ setupId: z.uuid() })
/** Grants no rights (OP-86). */
const ignored = z.unknown().optional()

export const campaignSetups = {
  list: route('GET', '/CampaignSetup', {
    needs: 'session',
    summary:
      'Setups of campaigns by name, a page at a time. ERR_NO_PERMISSION where the company has no campaigns, as for every call of campaigns.',
    query: pageQuery.extend({ user: ignored }),
    reply: page('campaignSetups', CampaignSetup),
  }),
  show: route('GET', '/campaignSetup/:setupId', {
    needs: 'session',
    summary: 'One setup.',
    params: setupId,
    reply: CampaignSetup,
  }),
  create: route('POST', '/CampaignSetup', {
    needs: 'session',
    summary: 'Adds a setup of the caller; its webhook needs the right to webhooks.',
    body: CampaignSetupInput,
    reply: CampaignSetup,
  }),
  change: route('PUT', '/campaignSetup/:setupId', {
    edits: '/campaignSetup/:setupId',
    needs: 'session',
    summary:
      'Changes a setup; running campaigns follow it from the next contact on. For admins and the owner.',
    params: setupId,
    body: CampaignSetupInput.partial(),
    reply: CampaignSetup,
  }),
  remove: route('DELETE', '/campaignSetup/:setupId', {
    needs: 'session',
    summary:
      'Deletes a setup; for admins and the owner. ERR_SETUP_IN_USE while a campaign with it runs, rests or is planned.',
    params: setupId,
  }),
  showSecret: route('GET', '/campaignSetup/:setupId/secret', {
    needs: 'administration',
    summary: 'What the webhook of a setup is signed with (Standard Webhooks).',
    params: setupId,
    reply: SigningSecret,
  }),
}

/** A setup was changed or deleted. */
export const campaignSetupChannel = channel(
  'campaignSetup-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), campaignSetup: CampaignSetup }),
    z.object({ action: z.literal('delete'), campaignSetupId: z.uuid() }),
  ]),
)
