import { z } from 'zod'
import { CampaignCounts, NamedPerson } from './campaignPeople.ts'
import { CampaignSetup } from './campaignSetups.ts'
import { anyObject, idList, idOrNone, instant, moment } from './kit.ts'
import { MAX_BODY } from './messages.input.ts'

/** Limits of recipients: of one campaign, and in one call. */
export const MAX_RECIPIENTS = 200_000
export const MAX_NAMED = 20_000
/** Bytes of so many with their names and e-mails, in one call. */
export const LIST_BYTES = 4 * 1_048_576
export const MAX_MESSAGES = 20
/** Placeholders that a word of their own stands for. */
export const MAX_STAND_INS = 50
/** Cut in the manager (automation §9). */
export const PANEL_LETTERS = 54
/** Months ahead that each screen allows (OP-10); the server accepts the larger. */
export const AHEAD_MONTHS = { creator: 1, manager: 2 }
/** Manual numbers of so many digits or fewer are skipped (automation §5). */
export const SHORT_NUMBER = 9
/** Files that a campaign accepts, by content (automation §9). */
export const campaignFileTypes = [
  'image/png',
  'image/jpeg',
  'application/pdf',
  'video/mp4',
  'audio/mpeg',
  'audio/ogg',
]

/** `created` waits for its start, `scheduled` for its time, `pause` for a user; OP-09. */
export const CampaignStatus = z.enum(['created', 'scheduled', 'start', 'pause', 'finalized'])
export type CampaignStatus = z.infer<typeof CampaignStatus>

export const CampaignAction = z.enum(['start', 'pause', 'finalized'])
export type CampaignAction = z.infer<typeof CampaignAction>

/** Reason of an automatic pause; null when a user paused it. */
export const CampaignPauseReason = z.enum([
  'disconnected',
  'refused',
  'quality',
  'noSetup',
  'empty',
  'plan',
  'late',
  'ownerLeft',
])
export type CampaignPauseReason = z.infer<typeof CampaignPauseReason>

/**
 * Why a running campaign sends nothing now: number disconnected, its own hours, the plan’s hourly limit, a new
 * number’s daily limit, or WhatsApp restricts the number.
 */
export const WaitReason = z.enum(['gap', 'window', 'hour', 'day', 'connection', 'restricted'])
export type WaitReason = z.infer<typeof WaitReason>

/** Whom of a finished campaign another one writes to: who did not get it, who got it and did not answer, or both. */
export const FollowUp = z.enum(['failed', 'silent', 'both'])
export type FollowUp = z.infer<typeof FollowUp>

/**
 * A template approved by Meta; a variable contains placeholders (`{{nome}}`), `text` is the body, the first variable
 * as `{{1}}`.
 */
export const CampaignTemplate = z.object({
  name: z.string().min(1).max(512),
  language: z.string().min(2).max(20),
  variables: z.array(z.string().max(1_024)).max(50).default([]),
  text: z.string().max(4_096).default(''),
  /** The file of the message is that of the template's header. */
  withFile: z.boolean().default(false),
})
export type CampaignTemplate = z.output<typeof CampaignTemplate>

/** One of the pairs used in rotation: a greeting, and a text or file after it. */
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
  /** Replaces both over the official API for recipients to whom only templates may be sent. */
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
  /** Time of its dispatch; null before. */
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
  /** The text of the button that they chose first. */
  answerButton: z.string().nullable(),
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
  /** What fills a placeholder without a value, by its name. */
  standIns: z.record(z.string(), z.string()),
  counts: CampaignCounts,
  /** Reason of `pause`; null when a user paused it. */
  pauseReason: CampaignPauseReason.nullable(),
  /** What WhatsApp answered, or the connection’s name; empty without. */
  pauseDetail: z.string(),
  /** The finished campaign whose people it has, and which; null for others. */
  followsId: z.int().nullable(),
  followsWhom: FollowUp.nullable(),
  /** Why nothing is sent now, and until when if known; null when sending is possible. */
  waits: z.object({ reason: WaitReason, until: instant.nullable() }).nullable(),
  createdAt: instant,
})
export type Campaign = z.infer<typeof Campaign>

const MessageInput = z.object({
  greeting: z.string().max(4_096, 'Too Long!').default(''),
  body: z.string().max(MAX_BODY, 'Too Long!').nullable().default(''),
  typeMessage: z.enum(['text', 'media']).optional(),
  /** Names the uploaded file; otherwise files are assigned in order. */
  mediaName: z.string().max(200).nullable().optional(),
  /** A file of another message of the company's campaigns. */
  mediaUrl: z.string().max(200).nullable().optional(),
  template: CampaignTemplate.nullable().optional(),
})

/** Sources of recipients, combined without duplicates. */
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
  /** Who stays out, whatever names them. */
  without: z
    .object({
      /** Everybody of these campaigns; who answered one of them. */
      campaignIds: idList.optional(),
      answeredIds: idList.optional(),
      /** Contacts of these categories; contacts that ever had a ticket of these tags. */
      categoryIds: idList.optional(),
      tagIds: idList.optional(),
    })
    .optional(),
})
export type Recipients = z.output<typeof Recipients>

const Plan = z.object({
  name: z
    .string({ error: 'Adicione o nome da campanha' })
    .trim()
    .min(1, 'Adicione o nome da campanha')
    .max(100, 'Too Long!'),
  /** Start time; null or empty: started manually, or at once where its setup requests so. */
  schedule: z
    .union([moment, z.literal('').transform(() => null)])
    .nullable()
    .optional(),
})

const NO_MESSAGE = 'Adicione ao menos uma mensagem'

/** Of a whole campaign, as the creator sends it. */
export const CampaignInput = Plan.extend({
  /** For messages that have none of their own. */
  greeting: z.string().max(4_096, 'Too Long!').optional(),
  messages: z.array(MessageInput, { error: NO_MESSAGE }).min(1, NO_MESSAGE).max(MAX_MESSAGES, 'Too Long!'),
  /** The caller’s own reference, for the webhook (OP-95). */
  myId: z.union([z.string().max(200), z.number()]).optional(),
  myDetails: z.union([z.string().max(2_000), anyObject(20_000)]).optional(),
}).extend(Recipients.shape)
export type CampaignInput = z.output<typeof CampaignInput>

/** A new empty campaign, or a change: omitted fields are kept. Other fields are ignored. */
export const CampaignChange = Plan.extend({
  campaignSetupId: z.uuid({ error: 'Selecione a Configuração da campanha' }),
  messages: CampaignInput.shape.messages.optional(),
  greeting: CampaignInput.shape.greeting,
  /** What fills a placeholder without a value, by its name; empty leaves those recipients out. Also of one that began. */
  standIns: z
    .record(z.string().min(1).max(200), z.string().trim().max(100, 'Too Long!'))
    .refine(all => Object.keys(all).length <= MAX_STAND_INS, 'Too Long!')
    .optional(),
})
export type CampaignChange = z.output<typeof CampaignChange>
