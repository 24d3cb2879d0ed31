import type { Media } from '@balcao/contract/media.ts'
import type { simulator } from '@balcao/contract/simulator.ts'
import type { z } from 'zod'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import type { PhoneContent } from './simulator.table.ts'

export type { PhoneContent }

export type PhoneInput = z.output<typeof simulator.write.body>

/** The messages of one call, in order. Refuses with ERR_BAD_REQUEST when it is empty. */
export function sentPartsOf(
  written: PhoneInput,
  files: StoredFile[],
): { body: string; content: PhoneContent }[] {
  const { body = '', quotedId, isForwarded, location, contacts, mediaType } = written
  const also = { ...(quotedId && { quotedId }), ...(isForwarded && { isForwarded }) }
  const message = (fields: object): PhoneContent => ({ kind: 'message', ...also, ...fields })
  if (files.length > 0)
    return files.map((file, at) => ({
      body: at === 0 ? body : '',
      content: message({
        mediaType: written.isSticker ? 'sticker' : file.kind,
        media: mediaOf(file, written),
        key: file.key,
      }),
    }))
  if (location) return [{ body, content: message({ mediaType: 'location', data: location }) }]
  if (contacts) return [{ body, content: message({ mediaType: 'vcard', data: cardsOf(contacts) }) }]
  if (mediaType) return [{ body, content: message({ mediaType }) }]
  return body
    ? [{ body, content: message({}) }]
    : refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
}

const mediaOf = (
  { name, type, size, seconds, width, height }: StoredFile,
  { isVoice = false }: { isVoice?: boolean },
): Media => ({ state: 'ready', name, type, size, seconds, width, height, isVoice })

const cardsOf = (contacts: { name: string; number: string }[]) => ({
  contacts: contacts.map(({ name, number }) => ({ name, phones: [{ number, onWhatsApp: true }] })),
})
