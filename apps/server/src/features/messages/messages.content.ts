import { type Choices, titlesOf } from '@balcao/contract/choices.ts'
import type { CardData, ChoiceData, PlaceData } from '@balcao/contract/media.ts'
import type { MessageInput } from '@balcao/contract/messages.ts'
import type { z } from 'zod'
import { refuse } from '../../platform/errors.ts'
import { addressOf } from '../../platform/files.served.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Tx } from '../../platform/scope.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { numbersOf } from '../contacts/contacts.queries.ts'
import { findLocation } from '../locations/locations.queries.ts'
import type { messages } from './messages.table.ts'

/** What one message says, as its row holds it. */
export type Part = Required<Pick<typeof messages.$inferInsert, 'body'>> &
  Pick<typeof messages.$inferInsert, 'mediaType' | 'mediaUrl' | 'media' | 'dataJson'>

/**
 * What a draft comes to: a message for each file, or one. Refuses with ERR_BAD_REQUEST when it says nothing, or sends
 * a template where the network has none; ERR_FILE_TYPE for a sticker that is none; ERR_NOT_FOUND, ERR_NO_CONTACT_FOUND, ERR_WAPP_INVALID_CONTACT for what it names.
 */
export async function messagePartsOf(
  tx: Tx,
  whatsappId: number,
  draft: MessageInput,
  files: StoredFile[],
): Promise<Part[]> {
  const body = draft.body ?? ''
  if (draft.isSticker) return [stickerOf(files, body)]
  if (files.length > 0)
    return files.map((file, at) => partOf(file, at === 0 ? body : '', draft.isVoice ?? false))
  if (draft.contactIds)
    return [{ body: '', mediaType: 'vcard', dataJson: asJson(await cardsOf(tx, draft.contactIds)) }]
  if (draft.location || draft.locationId)
    return [{ body: '', mediaType: 'location', dataJson: asJson(await placeOf(tx, draft)) }]
  if (draft.choices) return [choicesPart(body, draft.choices)]
  if (draft.template) return [await templateOf(tx, whatsappId, draft.template, body)]
  return body.trim() ? [{ body }] : refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
}

function partOf({ key, kind, ...about }: StoredFile, body: string, isVoice: boolean): Part {
  const media = { state: 'ready' as const, ...about, isVoice: isVoice && kind === 'audio' }
  return { body, mediaType: kind, mediaUrl: addressOf(key), media }
}

/** WhatsApp shows WebP as stickers and nothing else, one a message. */
function stickerOf(files: StoredFile[], body: string): Part {
  const [file] = files
  if (files.length !== 1 || file?.type !== 'image/webp')
    return refuse('ERR_FILE_TYPE', { field: 'isSticker' })
  if (body.trim()) return refuse('ERR_BAD_REQUEST', { field: 'body', message: 'A sticker has no words' })
  return { ...partOf(file, '', false), mediaType: 'sticker' }
}

/** Words with what may be tapped below them. */
export const choicesPart = (body: string, choices: Choices): Part => ({
  body,
  dataJson: asJson(offerOf(choices)),
})

const offerOf = (offer: Choices): Offered & { offer: Choices } => ({ choices: titlesOf(offer), offer })
type Offered = z.infer<typeof ChoiceData>

async function placeOf(tx: Tx, { locationId, location }: MessageInput): Promise<PlaceData> {
  const { latitude, longitude, name = '' } = location ?? (await findLocation(tx, locationId!))
  return { latitude, longitude, name, address: '', isLive: false }
}

async function cardsOf(tx: Tx, contactIds: number[]): Promise<CardData> {
  const known = await numbersOf(tx, contactIds)
  return {
    contacts: contactIds.map(id => {
      const { name, number } = known.get(id) ?? refuse('ERR_NO_CONTACT_FOUND', { field: 'contactIds' })
      if (!number) return refuse('ERR_WAPP_INVALID_CONTACT', { field: 'contactIds' })
      return { name, phones: [{ number, onWhatsApp: true }] }
    }),
  }
}

type Template = NonNullable<MessageInput['template']>

/** The text is what the screen showed of it; the network puts together what the customer sees. */
async function templateOf(tx: Tx, whatsappId: number, template: Template, body: string): Promise<Part> {
  const { lib } = await findConnection(tx, whatsappId)
  if (lib !== 'cloud')
    return refuse('ERR_BAD_REQUEST', {
      field: 'template',
      message: 'Only on connections of the official API',
    })
  return templatePart(template, body)
}

/** A template of the official API; `body` is what people of the company read of it. */
export function templatePart(template: Template, body: string): Part {
  const data: Offered & { template: Template } = { choices: [], template }
  return { body: body || template.name, dataJson: asJson(data) }
}

const asJson = (data: object) => JSON.stringify(data)
