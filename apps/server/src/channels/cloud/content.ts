import { cut } from '@balcao/contract/cut.rules.ts'
import { orderWords } from '@balcao/contract/kinds.rules.ts'
import type { FormData } from '@balcao/contract/kinds.ts'
import type { CardData, OrderData, PlaceData, UnsupportedData } from '@balcao/contract/media.ts'
import type { InboundFile } from '../../driver.ts'
import { formAnswers, formLines } from '../form-answers.ts'
import type { GraphProduct, GraphReferral } from './referral.ts'
import { asText, listedIn } from './values.ts'

/** What a person sees of a message. */
export interface GraphContent {
  body: string
  mediaType: string | null
  file?: InboundFile
  data?: object
  tapId?: string
}

interface GraphFile {
  id: string
  mime_type?: string
  sha256?: string
  caption?: string
  filename?: string
  voice?: boolean
}

interface GraphItem {
  product_retailer_id?: string
  quantity?: number | string
  item_price?: number | string
  currency?: string
}

/** A message in Meta's form: its content is under the name of its type. */
export interface GraphMessage {
  id: string
  timestamp?: string
  type?: string
  from?: string
  to?: string
  from_user_id?: string
  to_user_id?: string
  from_parent_user_id?: string
  /** Page "Group messages webhook reference": written in a group, which another program made. */
  group_id?: string
  to_parent_user_id?: string
  /** Of a card: why it was sent. */
  origin?: string
  context?: {
    id?: string
    forwarded?: boolean
    frequently_forwarded?: boolean
    referred_product?: GraphProduct
  }
  referral?: GraphReferral
  text?: { body?: string }
  image?: GraphFile
  video?: GraphFile
  audio?: GraphFile
  document?: GraphFile
  sticker?: GraphFile
  location?: { latitude?: number; longitude?: number; name?: string; address?: string }
  contacts?: { name?: { formatted_name?: string }; phones?: { phone?: string; wa_id?: string }[] }[]
  reaction?: { message_id?: string; emoji?: string }
  button?: { text?: string }
  interactive?: {
    button_reply?: { id?: string; title?: string }
    list_reply?: { id?: string; title?: string; description?: string }
    nfm_reply?: { body?: string; response_json?: string }
  }
  /** Page "order messages webhook reference". */
  order?: { text?: string; product_items?: GraphItem[] }
  system?: { type?: string; wa_id?: string; user_id?: string; body?: string }
  edit?: { original_message_id?: string; message?: GraphMessage }
  revoke?: { original_message_id?: string }
  /** Page "unsupported messages webhook reference". */
  unsupported?: { type?: string }
  errors?: { code?: number; title?: string; message?: string; error_data?: { details?: string } }[]
}

const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const

/** Reads a message; null when its kind is not known here, or what belongs to it is missing. */
export function graphContentOf(message: GraphMessage): GraphContent | null {
  const { type = '' } = message
  const kind = FILES.find(name => name === type)
  const file = kind && message[kind]
  if (kind && file) return { body: asText(file.caption), mediaType: kind, file: fileOf(file) }
  switch (type) {
    case 'text':
      return text(message.text?.body)
    case 'button':
      return text(message.button?.text)
    case 'interactive':
      return answerOf(message)
    case 'location':
      return placeOf(message)
    case 'contacts':
      return cardsOf(message)
    case 'order':
      return orderOf(message)
    case 'unsupported':
      return unsupportedOf(message)
    default:
      return null
  }
}

const text = (body: unknown): GraphContent | null =>
  typeof body === 'string' && body ? { body, mediaType: null } : null

/** What was tapped, or a form that was filled in. */
function answerOf({ interactive: given }: GraphMessage): GraphContent | null {
  if (given?.nfm_reply) return formOf(given.nfm_reply)
  const tapped = given?.button_reply ?? given?.list_reply
  const answer = text(tapped?.title)
  const tapId = asText(tapped?.id)
  return answer && tapId ? { ...answer, tapId } : answer
}

/** A form that was filled in: its answers, one a line, since they are all that the customer sent. */
function formOf({ body, response_json: json }: { body?: string; response_json?: string }): GraphContent {
  const fields = formAnswers(asText(json))
  if (fields.length === 0) return { body: asText(body), mediaType: null }
  return { body: formLines(fields), mediaType: null, data: { fields } satisfies FormData }
}

function fileOf({
  id,
  mime_type: type = '',
  sha256 = '',
  filename = '',
  voice = false,
}: GraphFile): InboundFile {
  return {
    name: filename,
    type: type.split(';')[0]!.trim(),
    size: 0,
    seconds: null,
    width: null,
    height: null,
    isVoice: voice,
    source: JSON.stringify({ id, sha256 }),
  }
}

function placeOf({ location }: GraphMessage): GraphContent | null {
  const { latitude, longitude } = location ?? {}
  const [name, address] = [asText(location?.name), asText(location?.address)]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  const body = [name, address].filter(Boolean).join('\n')
  // off the earth there is no map to be drawn
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return { body, mediaType: 'location' }
  const data: PlaceData = { latitude, longitude, name, address, isLive: false }
  return { body, mediaType: 'location', data }
}

const CARDS_MOST = 100

function cardsOf({ contacts }: GraphMessage): GraphContent | null {
  const given = listedIn(contacts)
  if (given.length === 0) return null
  const cards: CardData = {
    contacts: given
      .filter((_, at) => at < CARDS_MOST)
      .map(({ name, phones }) => ({
        name: asText(name?.formatted_name),
        phones: listedIn(phones).map(({ phone, wa_id: id }) => ({
          number: asText(phone) || asText(id),
          onWhatsApp: Boolean(id),
        })),
      })),
  }
  return { body: cards.contacts.map(({ name }) => name).join(', '), mediaType: 'vcard', data: cards }
}

const ITEMS_MOST = 100

function orderOf({ order }: GraphMessage): GraphContent {
  const given = Array.isArray(order?.product_items) ? order.product_items : []
  const items = given.filter((_, at) => at < ITEMS_MOST)
  const data: OrderData = {
    items: items.map(item => ({
      product: cut(asText(item?.product_retailer_id), 200),
      name: '',
      quantity: numberOf(item?.quantity) ?? 1,
      price: numberOf(item?.item_price),
      currency: /^[A-Z]{3}$/.test(item?.currency ?? '') ? item!.currency! : '',
    })),
    ...{ note: asText(order?.text), title: '', count: null, total: null, currency: '' },
  }
  return { body: orderWords(asText(order?.text), data), mediaType: 'order', data }
}

/** What the official API does not bring: why, and which kind it is where Meta says so. */
function unsupportedOf({ unsupported, errors }: GraphMessage): GraphContent {
  const error = Array.isArray(errors) ? errors[0] : undefined
  const reason = asText(error?.error_data?.details) || asText(error?.message) || asText(error?.title)
  const data: UnsupportedData = {
    kind: cut(asText(unsupported?.type), 50),
    code: Number.isSafeInteger(error?.code) ? error!.code! : null,
    reason: cut(reason, 300),
  }
  return { body: '', mediaType: 'unsupported', data }
}

/** Meta writes numbers as such, or as texts. */
function numberOf(given: unknown): number | null {
  const isGiven = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '')
  return isGiven && Number.isFinite(Number(given)) ? Number(given) : null
}
