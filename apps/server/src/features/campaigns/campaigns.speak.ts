import type { CampaignSetup } from '@balcao/contract/campaignSetups.ts'
import type { CampaignTemplate } from '@balcao/contract/campaignShapes.ts'
import { turnOf } from '@balcao/contract/campaigns.rules.ts'
import { buttonsAsText, campaignText, seeded, templateText } from '@balcao/contract/campaigns.words.rules.ts'
import { MAX_OVER } from '@balcao/contract/choices.ts'
import { repliesAreOver } from '@balcao/contract/cloud.rules.ts'
import type { Lib } from '@balcao/contract/connections.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { together } from '../../platform/db.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Tx } from '../../platform/scope.ts'
import { clockOf } from '../companies/companies.queries.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { post } from '../messages/messages.actions.ts'
import { choicesPart, type Part, templatePart } from '../messages/messages.content.ts'
import { ownerOf } from '../schedules/schedules.queries.ts'
import { reaches } from '../tickets/tickets.checks.ts'
import { ensureKept } from '../tickets/tickets.open.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { repliesUntilOn } from '../tickets/tickets.window.ts'
import type { CampaignMessageRow } from './campaigns.queries.ts'
import { valuesOf } from './campaigns.values.ts'

/** Somebody who is written to. */
export interface Recipient {
  id: number
  position: number
  name: string
  number: string
  values: Record<string, string>
}

/** In whose name, over what, and how. */
export interface CampaignVoice {
  whatsappId: number
  lib: Lib
  setup: CampaignSetup
  messages: CampaignMessageRow[]
  userId: number | null
}

export type PartName = 'greeting' | 'message' | 'buttons'
export type SpokenPart = { name: PartName; part: Part }

/** What one person gets; nothing leaves while places are missing in it. */
export interface Words {
  told: SpokenPart[]
  message: CampaignMessageRow
  missing: string[]
}

/** The texts of a person: the same again whenever they are asked for. `isSilent`: only a template may be written. */
export async function wordsFor(
  tx: Tx,
  voice: CampaignVoice,
  person: Recipient,
  isSilent: boolean,
): Promise<Words> {
  const message = voice.messages[turnOf(person.position, voice.messages.length)]!
  const [{ day: data, time: horas }, owner] = await together(
    tx.sql,
    () => clockOf(tx),
    () => ownerOf(tx, voice.userId),
  )
  const atendente = owner?.name ?? ''
  const values = { ...valuesOf(person.name, person.number, person.values), data, horas, atendente }
  const random = seeded(person.id)
  const missing: string[] = []
  const fill = (written: string) => {
    const { text, missing: without } = campaignText(written, values, random)
    missing.push(...without)
    return text
  }
  const told = isSilent && message.template ? [templated(message.template, fill)] : pair(voice, message, fill)
  return { told, message, missing: [...new Set(missing)] }
}

function templated(template: CampaignTemplate, fill: (written: string) => string): SpokenPart {
  const { name, language, text } = template
  const variables = template.variables.map(fill)
  return { name: 'message', part: templatePart({ name, language, variables }, templateText(text, variables)) }
}

/** The greeting, the text or file, and the question with buttons where it does not fit below the text. */
function pair(
  { setup, lib }: CampaignVoice,
  message: CampaignMessageRow,
  fill: (written: string) => string,
): SpokenPart[] {
  const { mediaType, mediaUrl, media } = message
  const greeting = fill(message.greeting)
  const body = fill(message.body)
  const offer = setup.messageFooterType === 'buttons' ? setup.jsonButtonOrList : null
  const told: SpokenPart[] = greeting.trim() ? [{ name: 'greeting', part: { body: greeting } }] : []
  if (!offer) return [...told, { name: 'message', part: { body, mediaType, mediaUrl, media } }]
  const question = { ...offer, text: fill(offer.text), footer: fill(offer.footer) }
  const together = [body, question.text, question.footer && `_${question.footer}_`]
    .filter(Boolean)
    .join('\n\n')
  if (mediaUrl === null && lib === 'baileys')
    return [...told, { name: 'message', part: { body: [body, buttonsAsText(question)].join('\n\n') } }]
  if (mediaUrl === null && together.length <= MAX_OVER.buttons)
    return [...told, { name: 'message', part: tapped(together, question.buttons) }]
  return [
    ...told,
    { name: 'message', part: { body, mediaType, mediaUrl, media } },
    {
      name: 'buttons',
      part: lib === 'baileys' ? { body: buttonsAsText(question) } : tapped(question.text, question.buttons),
    },
  ]
}

const tapped = (body: string, buttons: { buttonText: { displayText: string } }[]) =>
  choicesPart(body, { kind: 'buttons', buttons: buttons.map(({ buttonText }) => buttonText.displayText) })

export interface SpokenWords {
  contactId: number
  ticketId: number
  greeting: string
  message: string
  mediaUrl: string | null
  posts: { messageId: string; part: PartName }[]
}

/**
 * Puts what a person gets into the outbox, on his living ticket, else on a closed one of the setup's queue: it disturbs
 * nobody. `cause` is unique; what comes behind the first waits `withinMs`. Or answers why nothing may leave.
 */
export async function speak(
  tx: Tx,
  voice: CampaignVoice,
  person: Recipient,
  { cause, now, withinMs }: { cause: string; now: number; withinMs: number },
): Promise<SpokenWords | { reason: ErrorCode }> {
  const { whatsappId, lib, setup, userId } = voice
  const contact = await recognize(tx, { kind: 'phone', value: person.number }, person.name)
  if (contact.isGroup || !(await reaches(tx, contact.id, whatsappId)))
    return { reason: 'ERR_WAPP_INVALID_CONTACT' }
  // whoever never wrote may be written to until this very moment, which is later than the transaction’s
  const isSilent =
    lib === 'cloud' && repliesAreOver(await repliesUntilOn(tx, contact.id, whatsappId), Date.now())
  const words = await wordsFor(tx, voice, { ...person, name: person.name || named(contact) }, isSilent)
  if (words.missing.length > 0) return { reason: 'ERR_CAMPAIGN_VARIABLE' }
  if (isSilent && !words.message.template) return { reason: 'ERR_WAPP_WINDOW_CLOSED' }
  const ticketId = await ensureKept(tx, contact, whatsappId, { queueId: setup.queueId, userId })
  const ticket = (await loadTicket(tx, ticketId))!
  const posts: SpokenWords['posts'] = []
  for (const [place, { name, part }] of words.told.entries()) {
    const due = now + (name === 'buttons' ? withinMs + 1_000 : withinMs)
    const message = await post(
      tx,
      {
        ...part,
        id: idFrom(`${cause}:${place}`),
        ticketId,
        contactId: contact.id,
        whatsappId,
        source: 'campaign',
        userId,
        createdAt: new Date(now + place).toISOString(),
        ...(place > 0 && { dueAt: new Date(due).toISOString() }),
      },
      // who waits for an answer still does
      ticket.waitingSince === null ? 'answer' : 'aside',
    )
    posts.push({ messageId: message.id, part: name })
  }
  const bodyOf = (part: PartName) => words.told.find(({ name }) => name === part)?.part.body ?? ''
  return {
    contactId: contact.id,
    ticketId,
    greeting: bodyOf('greeting'),
    message: bodyOf('message'),
    mediaUrl: words.message.mediaUrl,
    posts,
  }
}

/** A name that only repeats the number is none. */
const named = ({ name, number }: { name: string; number: string }) =>
  name === `+${number}` || name === 'WhatsApp' ? '' : name
