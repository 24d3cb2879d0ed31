import type { Readable } from 'node:stream'
import { titlesOf } from '@balcao/contract/choices.ts'
import { Gone, type InboundEvent, type Outgoing } from '../../driver.ts'
import type { SimulatorRow } from '../../features/simulator/simulator.queries.ts'
import type { PhoneContent } from '../../features/simulator/simulator.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Files } from '../../platform/files/files.ts'

/** The events of a row of the simulated network. */
export function eventsOf({ content, ...row }: SimulatorRow): InboundEvent[] {
  const { number, name, externalId, fromMe, body, ack, createdAt: at } = row
  const chat = { kind: 'phone' as const, value: number }
  if (fromMe) return [{ kind: 'ack', chat, externalId, ack, at: databaseTime() }]
  if (content.kind === 'typing') return []
  if (content.kind !== 'message') {
    const target = { externalId: content.targetId, fromMe: content.targetFromMe }
    if (content.kind === 'vote')
      return [
        {
          kind: 'answer',
          chat,
          fromMe: false,
          name,
          target,
          answer: { to: 'poll', choices: content.choices },
          at,
        },
      ]
    if (content.kind === 'delete') return [{ kind: 'delete', chat, fromMe: false, target, at }]
    if (content.kind === 'edit')
      return [{ kind: 'edit', chat, externalId, fromMe: false, name, target, body, at }]
    return [{ kind: 'reaction', chat, fromMe: false, name, target, emoji: body, at }]
  }
  const { media, key, data, quotedId, mediaType = null, isForwarded = false } = content
  return [
    {
      kind: 'message',
      chat,
      externalId,
      fromMe: false,
      name,
      body,
      mediaType,
      isForwarded,
      ...(media && key && { file: { ...media, source: key } }),
      ...(data && { data }),
      ...(quotedId && { quotedExternalId: quotedId }),
      at,
    },
  ]
}

/** The content of a sent message on the phone, which has its own copy of a file. */
export async function phoneContentOf(
  files: Files,
  companyId: number,
  message: Outgoing,
): Promise<PhoneContent> {
  const { content, externalId, quoted, isForwarded } = message
  const also = {
    kind: 'message' as const,
    ...(quoted && { quotedId: quoted.externalId }),
    ...(isForwarded && { isForwarded }),
  }
  if (content.kind === 'file') {
    const { name, type } = content.media
    const given = { name, type, unknown: 'keep', from: `${companyId} ${externalId}` } as const
    const { key, size } = await files.put(companyId, await content.open(), given)
    return { ...also, mediaType: content.as, media: { ...content.media, state: 'ready', size }, key }
  }
  if (content.kind === 'location') return { ...also, mediaType: 'location', data: content.place }
  if (content.kind === 'contacts') return { ...also, mediaType: 'vcard', data: content.cards }
  if (content.kind === 'poll') {
    const { options: choices, isMultiple } = content
    return { ...also, mediaType: 'poll', data: { choices, isMultiple, votes: [] } }
  }
  if (content.kind === 'choices') return { ...also, data: { choices: titlesOf(content.choices) } }
  return also
}

/** The bytes that a phone sent. Throws `Gone` when they were removed. */
export async function fetchFile(files: Files, companyId: number, source: string): Promise<Readable> {
  try {
    return (await files.open(companyId, source)).stream
  } catch (error) {
    throw error instanceof Refusal ? new Gone() : error
  }
}
