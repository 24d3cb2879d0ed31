import {
  type CampaignChange,
  type CampaignInput,
  campaignFileTypes,
} from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import type { Tx } from '../../platform/scope.ts'
import { fileOfMessage, messagesOf, replaceMessages } from './campaigns.queries.ts'

type MessageInput = CampaignInput['messages'][number]

/**
 * Replaces the messages of a campaign. Refuses with ERR_BAD_REQUEST ("Adicione uma mensagem") for an empty one, or one whose
 * template needs a file that is not there, ERR_FILE_TYPE, and ERR_NOT_FOUND for a file of no campaign.
 */
export async function writeMessages(
  tx: Tx,
  campaignId: number,
  { messages = [], greeting }: Pick<CampaignChange, 'messages' | 'greeting'>,
  files: StoredFile[],
): Promise<void> {
  const unused = [...files]
  const rows = []
  for (const [place, input] of messages.entries()) {
    const file = input.typeMessage === 'text' ? none : await fileOf(tx, input, unused, place)
    const body = input.body ?? ''
    if (body.trim() === '' && !file.mediaUrl)
      refuse('ERR_BAD_REQUEST', { field: `messages.${place}.body`, message: 'Adicione uma mensagem' })
    if (input.template?.withFile && !file.mediaUrl)
      refuse('ERR_BAD_REQUEST', {
        field: `messages.${place}.mediaName`,
        message: 'The template needs a file',
      })
    rows.push({
      place,
      greeting: input.greeting.trim() ? input.greeting : (greeting ?? ''),
      body,
      typeMessage: file.mediaUrl ? ('media' as const) : ('text' as const),
      ...file,
      template: input.template ?? null,
    })
  }
  if (unused.length > 0)
    refuse('ERR_BAD_REQUEST', { field: 'messageMedias', message: 'A file without a message' })
  const before = await messagesOf(tx, campaignId)
  await replaceMessages(tx, campaignId, rows)
  await removeFiles(
    tx,
    before.flatMap(({ mediaUrl }) => mediaUrl ?? []),
  )
}

const none = { mediaUrl: null, mediaType: null, media: null }

/** The uploaded file of this name, else the stored one of this address, else the next uploaded one. */
async function fileOf(
  tx: Tx,
  { mediaName, mediaUrl, typeMessage }: MessageInput,
  unused: StoredFile[],
  place: number,
) {
  const named = mediaName ? unused.findIndex(({ name }) => name === mediaName) : -1
  if (named < 0 && mediaUrl) return fileOfMessage(tx, mediaUrl)
  const wanted = named >= 0 || typeMessage === 'media'
  const [file] = wanted ? unused.splice(Math.max(0, named), 1) : []
  if (file) return withFile(file)
  if (typeMessage !== 'media') return none
  return refuse('ERR_BAD_REQUEST', { field: `messages.${place}.mediaName`, message: 'Adicione uma mensagem' })
}

function withFile({ key, kind, ...about }: StoredFile) {
  const [type] = about.type.split(';')
  if (!campaignFileTypes.includes(type!)) return refuse('ERR_FILE_TYPE', { field: 'messageMedias' })
  const media = { state: 'ready' as const, ...about, isVoice: false }
  return { mediaUrl: addressOf(key), mediaType: kind as string, media }
}
