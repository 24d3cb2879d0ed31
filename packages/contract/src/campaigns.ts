import { z } from 'zod'
import { Added, CampaignCounts, Forecast, NamedPerson, Preview } from './campaignPeople.ts'
import { CampaignCall, CampaignSetup } from './campaignSetups.ts'
import {
  channel,
  id,
  idList,
  idOrNone,
  instant,
  jsonForm,
  moment,
  page,
  pageNumber,
  pageQuery,
  route,
} from './kit.ts'
import { MAX_BODY } from './messages.ts'

/** So many people one campaign has at most, and so many are named in one call. */
export const MAX_RECIPIENTS = 200_000
export const MAX_NAMED = 20_000
export const MAX_MESSAGES = 20
/** Cut in the manager (automation §9). */
export const PANEL_LETTERS = 54
/** How many months ahead each screen plans (OP-10); the server takes the later. */
export const AHEAD_MONTHS = { creator: 1, manager: 2 }
/** Manual numbers of so many digits or fewer are left out (automation §5). */
export const SHORT_NUMBER = 9
/** Files that a campaign takes, by what their content is (automation §9). */
export const campaignFileTypes = [
  'image/png',
  'image/jpeg',
  'application/pdf',
  'video/mp4',
  'audio/mpeg',
  'audio/ogg',
]

/** `created` waits to be started, `scheduled` for its time, `pause` for somebody; OP-09. */
export const CampaignStatus = z.enum(['created', 'scheduled', 'start', 'pause', 'finalized'])
export type CampaignStatus = z.infer<typeof CampaignStatus>

export const CampaignAction = z.enum(['start', 'pause', 'finalized'])
export type CampaignAction = z.infer<typeof CampaignAction>

/** Why it stopped by itself; null when somebody paused it. */
export const PauseReason = z.enum(['disconnected', 'refused', 'quality', 'noSetup'])
export type PauseReason = z.infer<typeof PauseReason>

/** Why nothing leaves at this moment though it runs: its number is away, its own hours, the plan’s hour, a young number’s day. */
export const WaitReason = z.enum(['gap', 'window', 'hour', 'day', 'connection'])
export type WaitReason = z.infer<typeof WaitReason>

/** What Meta approved; a variable holds places (`{{nome}}`), `text` the words, the first variable as `{{1}}`. */
export const CampaignTemplate = z.object({
  name: z.string().min(1).max(512),
  language: z.string().min(2).max(20),
  variables: z.array(z.string().max(1_024)).max(50).default([]),
  text: z.string().max(4_096).default(''),
})
export type CampaignTemplate = z.output<typeof CampaignTemplate>

/** One of the pairs that are told in turn: a greeting, and a text or file behind it. */
export const CampaignMessage = z.object({
  id: z.int(),
  greeting: z.string(),
  body: z.string(),
  typeMessage: z.enum(['text', 'media']),
  mediaUrl: z.string().nullable(),
  /** The same address: there is one server. */
  mediaUrlVt: z.string().nullable(),
  /** Of its file; empty without one. */
  mediaName: z.string(),
  mediaType: z.string().nullable(),
  /** What goes instead of both over the official API to whom only templates may be written. */
  template: CampaignTemplate.nullable(),
})
export type CampaignMessage = z.infer<typeof CampaignMessage>

/** `pending` waits for its turn; `sending` is in the outbox; OP-92. */
export const DispatchStatus = z.enum(['pending', 'sending', 'sent', 'sentFail'])
export type DispatchStatus = z.infer<typeof DispatchStatus>

/** One person of a campaign, and what became of it. */
export const CampaignDispatch = z.object({
  id: z.int(),
  campaignId: z.int(),
  name: z.string(),
  number: z.string(),
  /** When its turn came; null before. */
  schedule: instant.nullable(),
  status: DispatchStatus,
  /** As this person got them; empty before. */
  greeting: z.string(),
  message: z.string(),
  mediaUrlVt: z.string().nullable(),
  greetingSendAt: instant.nullable(),
  messageSendAt: instant.nullable(),
  ticketId: z.int().nullable(),
  contactId: z.int().nullable(),
  /** Why it failed: a code of the catalogue, or what WhatsApp answered; empty otherwise. */
  reason: z.string(),
  /** How far the message got: 0 to 5, as of messages. */
  ack: z.int(),
  answeredAt: instant.nullable(),
  optedOut: z.boolean(),
})
export type CampaignDispatch = z.infer<typeof CampaignDispatch>

export const Campaign = z.object({
  id: z.int(),
  name: z.string(),
  /** Null when it was deleted. */
  campaignSetup: CampaignSetup.nullable(),
  campaignSetupId: z.uuid().nullable(),
  userId: z.int().nullable(),
  status: CampaignStatus,
  /** When it begins by itself; null when it does not. */
  schedule: instant.nullable(),
  initialized: instant.nullable(),
  finalized: instant.nullable(),
  campaignMessages: z.array(CampaignMessage),
  counts: CampaignCounts,
  /** Why it stands in `pause`; null by hand. */
  pauseReason: PauseReason.nullable(),
  /** What WhatsApp answered, or the connection’s name; empty without. */
  pauseDetail: z.string(),
  /** Why nothing leaves now, and until when as far as it is known; null when something may. */
  waits: z.object({ reason: WaitReason, until: instant.nullable() }).nullable(),
  createdAt: instant,
})
export type Campaign = z.infer<typeof Campaign>

const MessageInput = z.object({
  greeting: z.string().max(4_096, 'Too Long!').default(''),
  body: z.string().max(MAX_BODY, 'Too Long!').nullable().default(''),
  typeMessage: z.enum(['text', 'media']).optional(),
  /** Names the file among those sent along; without it they are taken in order. */
  mediaName: z.string().max(200).nullable().optional(),
  /** A file of another message of the company's campaigns. */
  mediaUrl: z.string().max(200).nullable().optional(),
  template: CampaignTemplate.nullable().optional(),
})

/** Where people come from; all of it together, each person once. */
export const Recipients = z.object({
  /** Typed, pasted, or read by the screen. */
  sendList: z.array(NamedPerson).max(MAX_NAMED, 'Too Long!').optional(),
  /** Contacts of these categories. */
  categoryIds: idList.optional(),
  /** Contacts with tickets of these tags that began within these days. */
  tagIds: idList.optional(),
  dateInitial: moment.optional(),
  dateFinal: moment.optional(),
  /** A spreadsheet that is read by now (`POST /contacts/sheets`). */
  sheetId: idOrNone.optional(),
})
export type Recipients = z.output<typeof Recipients>

const Plan = z.object({
  name: z
    .string({ error: 'Adicione o nome da campanha' })
    .trim()
    .min(1, 'Adicione o nome da campanha')
    .max(100, 'Too Long!'),
  /** When it begins by itself; null or empty: by hand, or at once where its setup says so. */
  schedule: z
    .union([moment, z.literal('').transform(() => null)])
    .nullable()
    .optional(),
})

/** Of a whole campaign, as the creator sends it. */
export const CampaignInput = Plan.extend({
  /** For messages that have none of their own. */
  greeting: z.string().max(4_096, 'Too Long!').optional(),
  messages: z.array(MessageInput).min(1, 'Adicione ao menos uma mensagem').max(MAX_MESSAGES, 'Too Long!'),
  /** The caller’s own words about it, for the webhook (OP-95). */
  myId: z.union([z.string().max(200), z.number()]).optional(),
  myDetails: z.union([z.string().max(2_000), z.looseObject({})]).optional(),
}).extend(Recipients.shape)
export type CampaignInput = z.output<typeof CampaignInput>

/** The documents’ form: all of it as JSON in the field `campaign`. */
const campaignForm = z.preprocess(given => {
  const { campaign } = (given ?? {}) as { campaign?: unknown }
  if (campaign === undefined) return given
  if (typeof campaign !== 'string') return campaign
  try {
    return JSON.parse(campaign)
  } catch {
    return campaign
  }
}, CampaignInput)

/** A campaign that is made empty, or changed: what is left out stays. Others of its fields are read past. */
export const CampaignChange = Plan.extend({
  campaignSetupId: z.uuid({ error: 'Selecione a Configuração da campanha' }),
  messages: CampaignInput.shape.messages.optional(),
  greeting: CampaignInput.shape.greeting,
})
export type CampaignChange = z.output<typeof CampaignChange>

const campaignId = z.object({ campaignId: id })
/** Nobody's rights follow from it (OP-86). */
const ignored = z.unknown().optional()
const Picked = z.object({ id: z.int(), name: z.string(), number: z.string() })
const statusChoice = DispatchStatus.or(z.enum(['answered', 'optedOut', ''])).optional()

export const campaigns = {
  list: route('GET', '/Campaign', {
    needs: 'session',
    says: 'Campaigns of the company, the newest first, a page at a time.',
    query: pageQuery.extend({ user: ignored }),
    reply: page('campaigns', Campaign),
  }),
  show: route('GET', '/Campaign/:campaignId', {
    needs: 'session',
    says: 'One campaign with the first page of its people.',
    params: campaignId,
    reply: z.object({ campaign: Campaign, dispatchs: z.array(CampaignDispatch) }),
  }),
  create: route('POST', '/Campaign', {
    needs: 'session',
    says: 'Makes a campaign without people, which waits to be filled and started; multipart as `campaign` (JSON) with `messageMedias`, or the fields themselves.',
    files: 'also',
    body: jsonForm(CampaignChange),
    reply: Campaign,
  }),
  createWhole: route('POST', '/api/campaign/v1', {
    needs: 'nobody',
    says: 'Makes a whole campaign; the bearer is the id of its setup. Multipart: `campaign` (JSON: name, schedule, messages, sendList, and categoryIds, tagIds, sheetId) and `messageMedias`. Without a schedule it begins as its setup says.',
    files: 'also',
    body: campaignForm,
    reply: Campaign,
    limit: { counts: 'calls', caller: 60 },
  }),
  change: route('PUT', '/campaign/:campaignId', {
    needs: 'session',
    says: 'Changes name, setup, messages or time; `schedule` null unschedules. For admins and the owner. ERR_CAMPAIGN_RUNNING for setup and messages of one that began, ERR_CAMPAIGN_FINALIZED.',
    params: campaignId,
    files: 'also',
    body: jsonForm(CampaignChange.partial()),
    reply: Campaign,
  }),
  remove: route('DELETE', '/campaign/:campaignId', {
    needs: 'session',
    says: 'Deletes a campaign; what waits never leaves. For admins and the owner.',
    params: campaignId,
  }),
  process: route('POST', '/CampaignProcess/:campaignId/:action', {
    needs: 'session',
    says: 'Starts, pauses or finalizes it; answers it with the status that it had before a start. For admins and the owner. ERR_CAMPAIGN_FINALIZED, ERR_CAMPAIGN_EMPTY, ERR_CAMPAIGN_NO_SETUP, ERR_WAPP_NOT_INITIALIZED when none of its connections is there.',
    params: campaignId.extend({ action: CampaignAction }),
    reply: Campaign,
  }),
  forecast: route('GET', '/Campaign/:campaignId/forecast', {
    needs: 'session',
    says: 'How many can be written to, how fast, and when the last one leaves.',
    params: campaignId,
    reply: Forecast,
  }),
  preview: route('GET', '/Campaign/:campaignId/preview', {
    needs: 'session',
    says: 'What five people of the list would get, each message in turn.',
    params: campaignId,
    reply: z.array(Preview),
  }),
  test: route('POST', '/Campaign/:campaignId/test', {
    needs: 'session',
    says: 'Sends each message of it to one number, such as one’s own. ERR_WAPP_NOT_INITIALIZED.',
    params: campaignId,
    body: z.object({ number: z.string().trim().min(8, 'Too Short!').max(30, 'Too Long!') }),
    reply: z.object({ sent: z.int() }),
    limit: { counts: 'calls', caller: 10 },
  }),
  addRecipients: route('POST', '/Campaign/:campaignId/recipients', {
    needs: 'session',
    says: 'Adds people, each number once; for admins and the owner. ERR_CAMPAIGN_FINALIZED, ERR_SHEET_NOT_READY.',
    params: campaignId,
    body: Recipients,
    reply: Added,
  }),
  clearRecipients: route('DELETE', '/Campaign/:campaignId/recipients', {
    needs: 'session',
    says: 'Takes out everybody who still waits; for admins and the owner.',
    params: campaignId,
    reply: Campaign,
  }),
  dispatches: route('GET', '/CampaignDispatch/:campaignId', {
    needs: 'session',
    says: 'People of a campaign in order, 40 a page, with the counts of all of them.',
    params: campaignId,
    query: z.object({
      pageNumber: pageNumber.optional(),
      searchParam: z.string().max(100).optional(),
      status: statusChoice,
    }),
    reply: z.object({
      campaignDispatches: z.array(CampaignDispatch),
      hasMore: z.boolean(),
      count: z.int(),
      sentCount: z.int(),
      failCount: z.int(),
    }),
  }),
  removeDispatch: route('DELETE', '/CampaignDispatch/:dispatchId', {
    needs: 'session',
    says: 'Takes one person out; what left stays. For admins and the owner of the campaign.',
    params: z.object({ dispatchId: id }),
  }),
  report: route('GET', '/Campaign/:campaignId/report', {
    needs: 'session',
    says: 'Counts of a campaign, failures by reason.',
    params: campaignId,
    reply: z.object({
      counts: CampaignCounts,
      reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
    }),
  }),
  export: route('GET', '/Campaign/:campaignId/export', {
    needs: 'session',
    says: 'Everybody of a campaign and what became of them as a spreadsheet.',
    params: campaignId,
    query: z.object({ language: z.enum(['ptBR', 'en', 'es']).optional() }),
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 10 },
  }),
  template: route('GET', '/campaigns/template', {
    needs: 'session',
    says: 'An empty spreadsheet with the columns number, name_opcional, email_opcional.',
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 20 },
  }),
  listCalls: route('GET', '/Campaign/:campaignId/calls', {
    needs: 'administration',
    says: 'What its webhook was told, the newest first, a page at a time.',
    params: campaignId,
    query: pageQuery,
    reply: page('calls', CampaignCall),
  }),
  callAgain: route('POST', '/campaignCalls/:callId', {
    needs: 'administration',
    says: 'Tells the webhook again, under the first id.',
    params: z.object({ callId: z.uuid() }),
    reply: CampaignCall,
  }),
  ofTicket: route('GET', '/tickets/:ticketId/campaign', {
    needs: 'session',
    says: 'The campaign that a ticket answers; null when it answers none.',
    params: z.object({ ticketId: id }),
    reply: z.object({ campaign: z.object({ id: z.int(), name: z.string() }).nullable() }),
  }),
  contactsAll: route('GET', '/contactsall', {
    needs: 'session',
    says: 'Contacts with a number of the chosen categories, all of them without a choice; 20,000 at most.',
    query: z.object({ selectedContactCategories: idList.optional() }),
    reply: z.object({ contacts: z.array(Picked) }),
  }),
  tagContacts: route('GET', '/tagcontacts', {
    needs: 'session',
    says: 'Contacts whose tickets with one of the tags began within the days, the last 30 unless said; each once, 20,000 at most.',
    query: z.object({
      tags: idList.optional(),
      dateInitial: moment.optional(),
      dateFinal: moment.optional(),
    }),
    reply: z.object({ uniqueContacts: z.array(Picked) }),
  }),
}

/**
 * What happens in one campaign, to those who look at it (`joinCampaign`). Its name holds the campaign's id:
 * `campaignChannelOf`.
 */
export const campaignChannel = channel(
  'campaign-{campaignId}',
  z.discriminatedUnion('action', [
    /** Many of its people changed: all of it is asked for again. */
    z.object({ action: z.literal('refresh'), campaign: Campaign }),
    z.object({
      action: z.enum(['update', 'create']),
      campaignDispatch: CampaignDispatch,
      campaign: Campaign.pick({ id: true, status: true, counts: true, waits: true }),
      sentCount: z.int(),
      failCount: z.int(),
    }),
  ]),
)

export const campaignChannelOf = (campaignId: number) => ({
  ...campaignChannel,
  name: campaignChannel.name.replace('{campaignId}', String(campaignId)),
})

/** Campaigns of the list changed: whoever shows it asks again. */
export const campaignsChannel = channel(
  'campaigns-{companyId}',
  z.object({ action: z.enum(['create', 'update', 'delete']), campaignId: z.int() }),
)
