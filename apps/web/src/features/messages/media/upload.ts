import type { FileKind, Media } from '@balcao/contract/media.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { rememberBytes, upload } from '../../../platform/bytes.ts'
import { store, useStore, writeKey } from '../../../platform/store.ts'
import type { Words } from '../messages.waiting.ts'

/** A file that was chosen and has not left. */
export interface Attachment {
  key: string
  file: File
  kind: FileKind
  width: number | null
  height: number | null
  seconds: number | null
  /** Leaves as a sticker, as its sender wished. */
  asSticker?: boolean
}

interface Leaving {
  file: File
  /** From 0 to 1. */
  sent: number
  stop: AbortController
}

/** Files that this screen sends, by message: until the server has them, they are shown from here. */
const leaving = store<ReadonlyMap<string, Leaving>>(new Map())

/** What was measured before a file left: its box keeps its shape when the server cannot tell. */
const measured = new Map<string, Media>()

/** What is known of a message's file, here and at the server. */
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

/** How much of the file of a message left, from 0 to 1; null when nothing is on its way. */
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

/** What is known of a file while it is on its way. */
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

/** Sends a message's file in a request of its own, under the id chosen here: sent twice it is still one. */
export async function uploadFile(message: Message, companyId: number, words: Words): Promise<Message> {
  const file = localFile(message.id)
  if (!file) throw new DOMException('called off', 'AbortError')
  const stop = new AbortController()
  writeKey(leaving, message.id, { file, sent: 0, stop })
  const sent = await upload(messages.send, {
    params: { ticketId: message.ticketId, companyId },
    fields: {
      id: message.id,
      body: words.body ?? '',
      fromMe: 'true',
      ...(words.quotedMsg && { quotedMsg: words.quotedMsg }),
      ...(words.isVoice && { isVoice: '1' }),
      ...(words.isSticker && { isSticker: '1' }),
    },
    files: { medias: file },
    signal: stop.signal,
    onProgress(bytes) {
      // called off meanwhile it is not to come back
      if (!stop.signal.aborted)
        writeKey(leaving, message.id, { file, sent: Math.min(1, bytes / file.size), stop })
    },
  })
  if (sent.mediaUrl) {
    rememberBytes(sent.mediaUrl, file)
    writeKey(leaving, message.id, undefined)
  }
  return sent
}
