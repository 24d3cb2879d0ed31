import type { Message, MessagePush } from './messages.ts'
import { may, type Viewer } from './permissions.rules.ts'

export const FAILED = 0
export const WAITING = 1
export const SENT = 2
export const DELIVERED = 3
export const READ = 4
export const PLAYED = 5

/** The kind of a message whose content is not here: it could not be decrypted yet, or the phone has it alone. */
export const CIPHERTEXT = 'ciphertext'

/** The text of a message was changed on a phone, and the new one could not be decrypted. */
export const UNREADABLE_EDIT = 'ERR_WAPP_EDIT'

/** Why a message failed of which it is unknown whether it was sent: any later receipt of the network counts. */
export const UNKNOWN_OUTCOME = 'ERR_WAPP_UNKNOWN_OUTCOME'

/**
 * Acks only increase; a failure counts only while nothing above "sent" is known, and "sent" may arrive after its
 * failure.
 */
export function nextAck(known: number, reported: number, failReason = ''): number {
  if (reported === FAILED) return known < DELIVERED ? FAILED : known
  if (known === FAILED && reported < DELIVERED && failReason !== UNKNOWN_OUTCOME) return FAILED
  return Math.max(known, reported)
}

type Placed = Pick<Message, 'position' | 'id'>

/** In order of arrival. Imported ones follow their predecessor, ordered by id. */
export const oldestFirst = (a: Placed, b: Placed) => a.position - b.position || (a.id < b.id ? -1 : 1)

/** What one push makes of the messages on the screen. The result equals the page fetched again. */
export function applyMessagePush(
  loaded: Message[],
  push: MessagePush,
  shows: (message: Message) => boolean,
): Message[] {
  if (push.action === 'delete') return loaded.filter(message => message.id !== push.messageId)
  const { message } = push
  const known = loaded.find(other => other.id === message.id)
  if (known) {
    if (known.version > message.version) return loaded
    const changed = loaded.map(other => (other === known ? message : other))
    // one that was on this screen before the server had it is placed now
    return known.position === message.position ? changed : changed.sort(oldestFirst)
  }
  return push.action === 'create' && shows(message) ? [...loaded, message].sort(oldestFirst) : loaded
}

/** Who may edit a message of the company: its author, and admins; a note only its author. */
export const mayRewrite = (viewer: Viewer, { fromMe, userId, isPrivate = false }: Rewritten): boolean =>
  fromMe && ((may(viewer, 'admin') && !isPrivate) || userId === viewer.id)

interface Rewritten {
  fromMe: boolean
  userId: number | null | undefined
  isPrivate?: boolean
}

/** A text with the attendant's signature: the name in bold on its own line above. Empty stays empty. */
export const sign = (name: string, body: string): string => (body ? signatureBy(name) + body : body)

const signatureBy = (name: string) => `*${name}:*\n`

/** A text without the signature of its author. */
export const unsign = (name: string, body: string): string =>
  body.startsWith(signatureBy(name)) ? body.slice(signatureBy(name).length) : body

/** The line of a signed text that names its author; '' when it is not signed. */
export const signatureOf = (body: string): string => /^\*[^\n]+:\*\n/.exec(body)?.[0] ?? ''

const FORWARDED_FILES = new Set(['image', 'video', 'audio', 'document', 'sticker'])

/** Whether a message can be forwarded as it is: no note, a text, a stored file, a location, contact cards. */
export function mayForward({
  isDeleted,
  mediaType,
  media,
  mediaUrl,
  body,
  version,
  dueAt,
  isPrivate,
}: Message): boolean {
  if (isPrivate || isDeleted || version === 0 || dueAt !== null) return false
  if (mediaType === null) return body.trim() !== ''
  if (FORWARDED_FILES.has(mediaType)) return media?.state === 'ready' && mediaUrl !== null
  return mediaType === 'location' || mediaType === 'vcard'
}
