import type { Readable } from 'node:stream'
import { titlesOf } from '@balcao/contract/choices.ts'
import { Gone, type Outgoing } from '../../driver.ts'
import type { Said } from '../../features/simulator/simulator.said.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Files } from '../../platform/files.ts'

/** What a phone keeps of a message that reached it; it has its own copy of a file. */
export async function arrive(files: Files, companyId: number, message: Outgoing): Promise<Said> {
  const { content, externalId, quoted } = message
  const also = { kind: 'message' as const, ...(quoted && { quotedId: quoted.externalId }) }
  if (content.kind === 'file') {
    const { name, type } = content.media
    const given = { name, type, unknown: 'keep', from: `${companyId} ${externalId}` } as const
    const { key, size } = await files.put(companyId, await content.open(), given)
    return { ...also, mediaType: content.as, media: { ...content.media, state: 'ready', size }, key }
  }
  if (content.kind === 'location') return { ...also, mediaType: 'location', data: content.place }
  if (content.kind === 'contacts') return { ...also, mediaType: 'vcard', data: content.cards }
  if (content.kind === 'choices') return { ...also, data: { choices: titlesOf(content.choices) } }
  return also
}

/** The bytes that a phone sent. Throws `Gone` when they are not there any more. */
export async function fetchFile(files: Files, companyId: number, source: string): Promise<Readable> {
  try {
    return (await files.open(companyId, source)).stream
  } catch (error) {
    throw error instanceof Refusal ? new Gone() : error
  }
}
