import type { Heard } from '../../driver.ts'
import type { SimulatorRow } from '../../features/simulator/simulator.queries.ts'

/** What a row of the simulated network says, in the product's words. */
export function heardOf({ said, ...row }: SimulatorRow): Heard[] {
  const { number, name, externalId, fromMe, body, ack, createdAt: at } = row
  const chat = { kind: 'phone' as const, value: number }
  if (fromMe) return [{ kind: 'ack', chat, externalId, ack, at: new Date().toISOString() }]
  if (said.kind === 'typing') return []
  if (said.kind !== 'message') {
    const target = { externalId: said.targetId, fromMe: said.targetFromMe }
    if (said.kind === 'delete') return [{ kind: 'delete', chat, fromMe: false, target, at }]
    if (said.kind === 'edit')
      return [{ kind: 'edit', chat, externalId, fromMe: false, name, target, body, at }]
    return [{ kind: 'reaction', chat, fromMe: false, name, target, emoji: body, at }]
  }
  const { media, key, data, quotedId, mediaType = null, isForwarded = false } = said
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
