import type { CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import type { CampaignTemplate } from '@balcao/contract/campaignShapes.ts'
import { turnOf } from '@balcao/contract/campaigns.rules.ts'
import {
  buttonsAsText,
  campaignText,
  firstName,
  seeded,
  templateText,
} from '@balcao/contract/campaigns.words.rules.ts'
import { MAX_OVER } from '@balcao/contract/choices.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import { databaseNow } from '../../../platform/clock.ts'
import { idFrom } from '../../../platform/ids.ts'
import { together } from '../../../platform/postgres/db.ts'
import type { Tx } from '../../../platform/scope.ts'
import { clockOf } from '../../companies/companies.queries.ts'
import { addressee } from '../../contacts/contacts.actions.ts'
import { post } from '../../messages/messages.actions.ts'
import { choicesPart, type Part, templatePart } from '../../messages/outbox/content.rules.ts'
import { ownerOf } from '../../schedules/schedules.queries.ts'
import { ensureAllKept } from '../../tickets/moves/open.actions.ts'
import { reaches, repliesUntilOn } from '../../tickets/moves/reach.queries.ts'
import { loadTicket } from '../../tickets/tickets.queries.ts'
import type { CampaignMessageRow } from '../campaigns.queries.ts'
import { buttonsOffered, writtenFor } from './written.rules.ts'

/** A row of the list that may get messages. */
export interface Recipient {
  id: number
  position: number
  name: string
  number: string
  values: Record<string, string>
}

/** Connection, setup and messages of a campaign; `userId` signs them. */
export interface CampaignSender {
  whatsappId: number
  lib: Lib
  setup: CampaignSetup
  messages: CampaignMessageRow[]
  userId: number | null
  /** What fills a placeholder without a value. */
  standIns: Record<string, string>
}

export type PartName = 'greeting' | 'message' | 'buttons'

export type CampaignPart = { name: PartName; part: Part }

/** What one recipient gets. `missing`: variables without a value; then nothing is sent. */
export interface RecipientTexts {
  parts: CampaignPart[]
  message: CampaignMessageRow
  missing: string[]
}

/** The texts of a recipient, the same at each call. `templateOnly`: the 24 hours for free text are over. */
export async function textsFor(
  tx: Tx,
  sender: CampaignSender,
  person: Recipient,
  { templateOnly }: { templateOnly: boolean },
): Promise<RecipientTexts> {
  const message = sender.messages[turnOf(person.position, sender.messages.length)]!
  const [{ day: data, time: horas }, owner] = await together(
    tx.sql,
    () => clockOf(tx),
    () => ownerOf(tx, sender.userId),
  )
  const atendente = owner?.name ?? ''
  const values = { ...valuesOf(person.name, person.number, person.values), data, horas, atendente }
  const random = seeded(person.id)
  const filled = writtenFor(sender.setup, message, templateOnly).map(written =>
    campaignText(written, values, random, sender.standIns),
  )
  const texts = filled.map(({ text }) => text)
  const parts =
    templateOnly && message.template
      ? [templated(message.template, message, texts)]
      : pair(sender, message, texts)
  return { parts, message, missing: [...new Set(filled.flatMap(({ missing }) => missing))] }
}

function templated(
  { name, language, text, withFile }: CampaignTemplate,
  { mediaType, mediaUrl, media }: CampaignMessageRow,
  variables: string[],
): CampaignPart {
  const body = templateText(text, variables)
  const file = withFile ? { mediaType, mediaUrl, media } : undefined
  return { name: 'message', part: templatePart({ name, language, variables }, body, { file }) }
}

/** Greeting, then text or file, then the buttons as a message of their own where they do not fit below the text. */
function pair(
  { setup, lib }: CampaignSender,
  message: CampaignMessageRow,
  [greeting = '', body = '', asked = '', footer = '']: string[],
): CampaignPart[] {
  const { mediaType, mediaUrl, media } = message
  const offer = buttonsOffered(setup)
  const parts: CampaignPart[] = greeting.trim() ? [{ name: 'greeting', part: { body: greeting } }] : []
  if (!offer) return [...parts, { name: 'message', part: { body, mediaType, mediaUrl, media } }]
  const question = { ...offer, text: asked, footer }
  const together = [body, question.text, question.footer && `_${question.footer}_`]
    .filter(Boolean)
    .join('\n\n')
  if (mediaUrl === null && lib === 'baileys')
    return [...parts, { name: 'message', part: { body: [body, buttonsAsText(question)].join('\n\n') } }]
  if (mediaUrl === null && together.length <= MAX_OVER.buttons)
    return [...parts, { name: 'message', part: tapped(together, question.buttons) }]
  return [
    ...parts,
    { name: 'message', part: { body, mediaType, mediaUrl, media } },
    {
      name: 'buttons',
      part: lib === 'baileys' ? { body: buttonsAsText(question) } : tapped(question.text, question.buttons),
    },
  ]
}

const tapped = (body: string, buttons: { buttonText: { displayText: string } }[]) =>
  choicesPart(body, { kind: 'buttons', buttons: buttons.map(({ buttonText }) => buttonText.displayText) })

export interface PostedMessages {
  contactId: number
  ticketId: number
  greeting: string
  message: string
  mediaUrl: string | null
  posts: { messageId: string; part: PartName }[]
}

/**
 * Inserts the messages of a recipient into the outbox, on the open ticket of the contact, else on a closed one in the queue
 * of the setup, which disturbs no queue. `cause` makes the ids (idempotency key); parts after the first are due after
 * `withinMs`. Returns the reason when nothing may be sent.
 */
export async function postMessages(
  tx: Tx,
  sender: CampaignSender,
  person: Recipient,
  { cause, now, withinMs }: { cause: string; now: number; withinMs: number },
): Promise<PostedMessages | { reason: ErrorCode }> {
  const { whatsappId, lib, setup, userId } = sender
  const contact = await addressee(tx, person.number, person.name)
  if (contact.isGroup || !(await reaches(tx, contact.id, whatsappId)))
    return { reason: 'ERR_WAPP_INVALID_CONTACT' }
  // compared with the clock of now: that of the transaction is earlier
  const templateOnly =
    lib === 'cloud' && repliesAreOver(await repliesUntilOn(tx, contact.id, whatsappId), databaseNow())
  const texts = await textsFor(
    tx,
    sender,
    { ...person, name: person.name || named(contact) },
    { templateOnly },
  )
  if (texts.missing.length > 0) return { reason: 'ERR_CAMPAIGN_VARIABLE' }
  if (templateOnly && !texts.message.template) return { reason: 'ERR_WAPP_WINDOW_CLOSED' }
  const place = { queueId: setup.queueId, userId }
  const [ticketId] = (await ensureAllKept(tx, [contact], whatsappId, place)) as [number]
  const ticket = (await loadTicket(tx, ticketId))!
  const drafts = texts.parts.map(({ name, part }, place) => {
    const due = now + (name === 'buttons' ? withinMs + 1_000 : withinMs)
    return {
      ...part,
      id: idFrom(`${cause}:${place}`),
      ticketId,
      contactId: contact.id,
      whatsappId,
      source: 'campaign' as const,
      userId,
      createdAt: new Date(now + place).toISOString(),
      ...(place > 0 && { dueAt: new Date(due).toISOString() }),
    }
  })
  // a customer who waits for an answer keeps waiting
  await post(tx, drafts, ticket.waitingSince === null ? 'answer' : 'aside')
  const posts = texts.parts.map(({ name }, place) => ({ messageId: drafts[place]!.id, part: name }))
  const bodyOf = (part: PartName) => texts.parts.find(({ name }) => name === part)?.part.body ?? ''
  return {
    contactId: contact.id,
    ticketId,
    greeting: bodyOf('greeting'),
    message: bodyOf('message'),
    mediaUrl: texts.message.mediaUrl,
    posts,
  }
}

/** '' for a name that only repeats the number. */
const named = ({ name, number }: { name: string; number: string }) =>
  name === `+${number}` || name === 'WhatsApp' ? '' : name

/** Values of the variables for a recipient, without the clock: columns of the sheet, then name and number. */
const valuesOf = (name: string, number: string, row: Record<string, string>) => ({
  ...row,
  nome: name,
  name,
  cliente: name,
  primeiroNome: firstName(name),
  numero: number,
  number,
})
