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
import type { Tx } from '../../../platform/scope.ts'
import { addressees } from '../../contacts/contacts.actions.ts'
import { chatOfContact } from '../../contacts/contacts.queries.ts'
import { post } from '../../messages/messages.actions.ts'
import { choicesPart, type Part, templatePart } from '../../messages/outbox/content.rules.ts'
import { ensureAllKept } from '../../tickets/moves/open.actions.ts'
import { reachesOver, windowOn } from '../../tickets/moves/reach.queries.ts'
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
  /** The user's name; empty without one. */
  signer: string
  /** The company's local time, `YYYY-MM-DDTHH:mm`. */
  local: string
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
export function textsFor(
  sender: CampaignSender,
  person: Recipient,
  { templateOnly }: { templateOnly: boolean },
): RecipientTexts {
  const { messages, local, signer: atendente } = sender
  const message = messages[turnOf(person.position, messages.length)]!
  const [day = '', horas = ''] = local.split('T')
  const data = day.split('-').toReversed().join('/')
  const values = valuesOf(person.name, person.number, person.values)
  Object.assign(values, { data, horas, atendente })
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

/** A recipient whose turn came. */
export interface Addressed {
  sender: CampaignSender
  person: Recipient
}

/** One that gets its messages. */
export interface Ready extends Addressed {
  contact: { id: number; isGroup: boolean }
  texts: RecipientTexts
}

/** What recipients get, in their order; the reason when nothing may be sent to one. Contacts are added when new. */
export async function readyFor(tx: Tx, turns: Addressed[]): Promise<(Ready | { reason: ErrorCode })[]> {
  if (turns.length === 0) return []
  const contacts = await addressees(
    tx,
    turns.map(({ person }) => person),
  )
  const all: (Ready | { reason: ErrorCode })[] = []
  for (const [at, { sender, person }] of turns.entries()) {
    const contact = contacts[at]!
    const { whatsappId, lib } = sender
    // compared with the clock of now: that of the transaction is earlier
    const templateOnly =
      lib === 'cloud' && repliesAreOver(await windowOn(tx, contact.id, whatsappId), databaseNow())
    const texts = textsFor(sender, { ...person, name: person.name || named(contact) }, { templateOnly })
    const reason =
      contact.isGroup || !reachesOver(lib, chatOfContact({ cloudId: '', ...contact }))
        ? 'ERR_WAPP_INVALID_CONTACT'
        : texts.missing.length > 0
          ? 'ERR_CAMPAIGN_VARIABLE'
          : templateOnly && !texts.message.template
            ? 'ERR_WAPP_WINDOW_CLOSED'
            : null
    all.push(reason ? { reason } : { sender, person, contact, texts })
  }
  return all
}

/** When the messages of a recipient leave. `cause` makes their ids (idempotency key); parts after the first are due after `withinMs`. */
export interface Leave {
  cause: string
  now: number
  withinMs: number
}

/**
 * Inserts the messages of recipients, one a connection, into the outbox: on the open ticket of the contact, else on a closed one
 * in the queue of the setup, which disturbs no queue.
 */
export async function postMessages(tx: Tx, ready: (Ready & Leave)[]): Promise<PostedMessages[]> {
  if (ready.length === 0) return []
  const kept = await ensureAllKept(
    tx,
    ready.map(({ contact, sender: { whatsappId, setup, userId } }) => ({
      ...{ contact, whatsappId, userId },
      queueId: setup.queueId,
    })),
  )
  const drafts = ready.map((one, at) => draftsOf(one, kept[at]!.id))
  // a customer who waits for an answer keeps waiting
  for (const isWaiting of [false, true]) {
    const own = drafts.filter((_, at) => kept[at]!.isWaiting === isWaiting).flat()
    if (own.length > 0) await post(tx, own, isWaiting ? 'aside' : 'answer')
  }
  return ready.map(({ contact, texts: { parts, message } }, at) => {
    const bodyOf = (part: PartName) => parts.find(({ name }) => name === part)?.part.body ?? ''
    return {
      contactId: contact.id,
      ticketId: kept[at]!.id,
      greeting: bodyOf('greeting'),
      message: bodyOf('message'),
      mediaUrl: message.mediaUrl,
      posts: parts.map(({ name }, place) => ({ messageId: drafts[at]![place]!.id, part: name })),
    }
  })
}

const draftsOf = ({ sender, contact, texts, cause, now, withinMs }: Ready & Leave, ticketId: number) =>
  texts.parts.map(({ name, part }, place) => {
    const due = now + (name === 'buttons' ? withinMs + 1_000 : withinMs)
    return {
      ...part,
      id: idFrom(`${cause}:${place}`),
      ticketId,
      contactId: contact.id,
      whatsappId: sender.whatsappId,
      source: 'campaign' as const,
      userId: sender.userId,
      createdAt: new Date(now + place).toISOString(),
      ...(place > 0 && { dueAt: new Date(due).toISOString() }),
    }
  })

/** '' for a name that only repeats the number. */
const named = ({ name, number }: { name: string; number: string }) =>
  name === `+${number}` || name === 'WhatsApp' ? '' : name

/** Values of the variables for a recipient, without the clock: columns of the sheet, then name and number. */
const valuesOf = (name: string, number: string, row: Record<string, string>): Record<string, string> => ({
  ...row,
  nome: name,
  name,
  cliente: name,
  primeiroNome: firstName(name),
  numero: number,
  number,
})
