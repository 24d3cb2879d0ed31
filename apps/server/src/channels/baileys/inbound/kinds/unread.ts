import type { UnknownData } from '@balcao/contract/kinds.ts'
import { proto } from 'baileys'
import { MESSAGE_FIELDS } from '../../library/message-fields.ts'
import { type UnreadField, unreadFieldsOf } from '../../library/unread-fields.ts'
import { attempt } from '../text.ts'
import type { KindReading, KindShown } from './kind.ts'
import { NEWER } from './newer.ts'

/** What the schema of the library lacks, and what cannot be read by its number. */
export const unread: KindShown = {
  name: 'a kind that is newer than the library',
  bubble: 'that the product does not show it yet, and to look on the phone',
  words: '–',
  bot: 'nothing',
}

/** Newer fields between programs: nothing that a person wrote. */
export const SILENT_NEWER = new Set<string>(['groupRootKeyShare', 'pollAddOptionMessage'])

const named = new Map(MESSAGE_FIELDS.map(([number, name, type]) => [number, { name, type }]))

/** What is behind the unread fields of a message without any other content: a wrapper, or a known type under a new number. */
export function behindUnread(message: proto.IMessage): proto.IMessage | null {
  for (const field of unreadFieldsOf(message)) {
    const content = attempt(() => byNumber(field))
    if (content) return content
  }
  return null
}

/** The content of a message whose fields cannot be read; null where there are none but silent ones. */
export function unreadContent(message: proto.IMessage): (KindReading & { mediaType: string }) | null {
  const field = unreadFieldsOf(message).find(({ number }) => !SILENT_NEWER.has(named.get(number)?.name ?? ''))
  if (!field) return null
  const read = attempt(() => NEWER[named.get(field.number)?.name ?? '']?.(field.bytes))
  if (read?.mediaType && read.body) return { ...read, mediaType: read.mediaType }
  const data: UnknownData = { field: field.number, name: named.get(field.number)?.name ?? '' }
  return { mediaType: 'unknown', data }
}

interface Decoder {
  decode(bytes: Uint8Array): object
}

const isDecoder = (given: unknown): given is Decoder => typeof given === 'function' && 'decode' in given

function byNumber({ number, bytes }: UnreadField): proto.IMessage | null {
  const { type = '' } = named.get(number) ?? {}
  if (type === 'FutureProofMessage') return proto.Message.FutureProofMessage.decode(bytes).message ?? null
  const decoder: unknown = Reflect.get(proto.Message, type)
  const older = olderOf(number, type)
  return isDecoder(decoder) && older ? { [older]: decoder.decode(bytes) } : null
}

/** The field that had the same type before, by which a newer one is read. */
export const olderOf = (number: number, type: string): string | undefined =>
  MESSAGE_FIELDS.find(([other, , of]) => of === type && other < number)?.[1]
