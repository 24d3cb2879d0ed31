import type { Media } from '@balcao/contract/media.ts'
import type { simulator } from '@balcao/contract/simulator.ts'
import type { z } from 'zod'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Said } from './simulator.table.ts'

export type { Said }

type Written = z.output<typeof simulator.write.body>

/** What one call of the phone comes to, one message after the other. Refuses with ERR_BAD_REQUEST when it says nothing. */
export function saidPartsOf(written: Written, files: StoredFile[]): { body: string; said: Said }[] {
  const { body = '', quotedId, isForwarded, location, contacts, mediaType } = written
  const also = { ...(quotedId && { quotedId }), ...(isForwarded && { isForwarded }) }
  const message = (content: object): Said => ({ kind: 'message', ...also, ...content })
  if (files.length > 0)
    return files.map((file, at) => ({
      body: at === 0 ? body : '',
      said: message({
        mediaType: written.isSticker ? 'sticker' : file.kind,
        media: mediaOf(file, written),
        key: file.key,
      }),
    }))
  if (location) return [{ body, said: message({ mediaType: 'location', data: location }) }]
  if (contacts) return [{ body, said: message({ mediaType: 'vcard', data: cardsOf(contacts) }) }]
  if (mediaType) return [{ body, said: message({ mediaType }) }]
  return body
    ? [{ body, said: message({}) }]
    : refuse('ERR_BAD_REQUEST', { field: 'body', message: 'Required' })
}

const mediaOf = (
  { name, type, size, seconds, width, height }: StoredFile,
  { isVoice = false }: { isVoice?: boolean },
): Media => ({ state: 'ready', name, type, size, seconds, width, height, isVoice })

const cardsOf = (contacts: { name: string; number: string }[]) => ({
  contacts: contacts.map(({ name, number }) => ({ name, phones: [{ number, onWhatsApp: true }] })),
})
