import type { FileKind, Media } from '@balcao/contract/media.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { rememberBytes, upload } from '../../platform/bytes.ts'
import { ofPerson, ownStore } from '../../platform/person.ts'
import { useStore, writeKey } from '../../platform/store.ts'

/** A chosen file, not yet sent. */
export interface Attachment {
  key: string
  file: File
  kind: FileKind
  width: number | null
  height: number | null
  seconds: number | null
  /** Sent as a sticker. */
  asSticker?: boolean
}

interface Leaving {
  file: File
  /** From 0 to 1. */
  sent: number
  stop: AbortController
}

/** Files that this screen sends, by message: until the server has them, they are shown from here. */
const leaving = ownStore<ReadonlyMap<string, Leaving>>(new Map())

/** Dimensions measured before an upload: the box keeps its shape when the server cannot measure them. */
const measured = new Map<string, Media>()
ofPerson(() => measured.clear())

/** A message's file as known here and at the server. */
export function mediaKnown({ id, media }: Pick<Message, 'id' | 'media'>): Media | null {
  const own = measured.get(id)
  if (!media || !own) return media
  const { seconds, width, height } = own
  return {
    ...media,
    seconds: media.seconds ?? seconds,
    width: media.width ?? width,
    height: media.height ?? height,
  }
}

export const localFile = (messageId: string): File | undefined => leaving.read().get(messageId)?.file

/** Uploaded share of a message's file, from 0 to 1; null when no upload is running. */
export const useSent = (messageId: string): number | null =>
  useStore(leaving, all => all.get(messageId)?.sent) ?? null

export function holdFile(messageId: string, file: File, media: Media) {
  measured.set(messageId, media)
  writeKey(leaving, messageId, { file, sent: 0, stop: new AbortController() })
}

/** Calls off an upload; the message never was. */
export function letGo(messageId: string) {
  leaving.read().get(messageId)?.stop.abort()
  writeKey(leaving, messageId, undefined)
}

/** A message's file while it is uploaded. */
export const mediaOf = (
  { file, width, height, seconds }: Omit<Attachment, 'key'>,
  isVoice: boolean,
): Media => ({
  state: 'ready',
  name: file.name,
  type: file.type,
  size: file.size,
  seconds,
  width,
  height,
  isVoice,
})

/** Uploads a message's file in a request of its own, under the id chosen here as an idempotency key. */
export async function uploadFile(
  message: Message,
  companyId: number,
  fields: Record<string, string>,
): Promise<Message> {
  const file = localFile(message.id)
  if (!file) throw new DOMException('called off', 'AbortError')
  const stop = new AbortController()
  writeKey(leaving, message.id, { file, sent: 0, stop })
  // called off, or another user is logged in
  const isHeld = () => leaving.read().get(message.id)?.stop === stop
  const sent = await upload(messages.send, {
    params: { ticketId: message.ticketId, companyId },
    fields,
    files: { medias: file },
    signal: stop.signal,
    onProgress(bytes) {
      if (isHeld()) writeKey(leaving, message.id, { file, sent: Math.min(1, bytes / file.size), stop })
    },
  })
  if (sent.mediaUrl && isHeld()) {
    rememberBytes(sent.mediaUrl, file)
    writeKey(leaving, message.id, undefined)
  }
  return sent
}
