import type { Media } from '@balcao/contract/media.ts'
import { SENT } from '@balcao/contract/messages.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { phoneText } from '../../platform/phone.ts'
import { useMediaText } from './media.text.ts'

/** Name of the author of a customer's message: a member of a group, else the contact. */
export const customerOf = ({ author, contact }: Pick<Message, 'author' | 'contact'>) =>
  author?.name || phoneText(author?.number ?? '') || contact.name

type Ours = Pick<Message, 'source' | 'user'>

/** Name of the company's author of a message; "you" is only the viewer. */
export function colleagueOf({ source, user }: Ours, viewerId: number): string {
  const t = useMediaText.read
  switch (source) {
    case 'greeting':
      return user ? t('greetingOf', { name: user.name }) : t('greeting')
    case 'person':
    case 'contact':
      return user?.id === viewerId ? t('you') : (user?.name ?? t('team'))
    default:
      return t(source)
  }
}

/** Name of a message's author, on either side. */
export const writerOf = (message: Message, viewerId: number): string =>
  message.fromMe ? colleagueOf(message, viewerId) : customerOf(message)

const named = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'vcard',
  'order',
  'poll',
  'ciphertext',
  'media_placeholder',
  'event',
  'viewOnceMessage',
  'chat_event',
  'masked',
  'payment',
  'productMessage',
  'groupInviteMessage',
] as const

/** One row for a message: its text, else the name of its kind. */
export function briefly(message: Pick<Message, 'body' | 'mediaType'>): string {
  if (message.body) return message.body
  if (message.mediaType === null || message.mediaType === 'unknown') return useMediaText.read('message')
  const kind = named.find(one => one === message.mediaType)
  return kind ? useMediaText.read(kind) : useMediaText.read('unsupported', { kind: message.mediaType ?? '?' })
}

/** Placeholder for a file under way: from the customer, to the customer, or back to this screen. */
export function onItsWay({ fromMe, ack, version }: Pick<Message, 'fromMe' | 'ack' | 'version'>): string {
  if (!fromMe) return useMediaText.read('loading')
  return useMediaText.read(version === 0 || ack < SENT ? 'sending' : 'fetching')
}

const BOX = 248
const LEAST = 96
const UNKNOWN = { width: BOX, height: 186 }

/** The box of a picture or film before its bytes are loaded, so that nothing moves when they arrive. */
export function boxOf(media: Media | null): { width: number; height: number } {
  if (!media?.width || !media.height) return UNKNOWN
  const scale = Math.min(BOX / media.width, BOX / media.height, 1)
  return {
    width: Math.max(LEAST, Math.round(media.width * scale)),
    height: Math.max(LEAST, Math.round(media.height * scale)),
  }
}

const units = ['B', 'kB', 'MB', 'GB']

/** 184 kB: what people call the size of a file. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const figures = power > 1 && value < 10 ? 1 : 0
  return `${value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: figures })} ${units[power]}`
}

/** 0:42, and 1:02:05 past the hour. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
