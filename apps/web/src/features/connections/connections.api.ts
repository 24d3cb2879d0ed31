import { type Connection, type ConnectionInput, connections } from '@balcao/contract/connections.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'

type Input = z.input<typeof ConnectionInput>

const of = (whatsappId: number) => ({ params: { whatsappId } })

export const addConnection = (body: Input) => call(connections.create, { body })
export const changeConnection = (whatsappId: number, body: Partial<Input>, seen?: Seen) =>
  call(connections.change, { ...of(whatsappId), body, seen })
export const removeConnection = ({ id }: Connection, query: { heirId: number } | { closeTickets: true }) =>
  call(connections.remove, { ...of(id), query })
export const heirOf = (whatsappId: number, heirId: number) => ({
  queryKey: ['connections', 'heir', whatsappId, heirId] as const,
  queryFn: () => call(connections.heir, { ...of(whatsappId), query: { heirId } }),
})
export const startSession = (whatsappId: number) => call(connections.start, of(whatsappId))
export const renewSession = (whatsappId: number, number?: string) =>
  call(connections.renew, { ...of(whatsappId), body: number ? { number } : {} })
export const endSession = (whatsappId: number) => call(connections.disconnect, of(whatsappId))
