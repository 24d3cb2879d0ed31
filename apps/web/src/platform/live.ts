import { type Channel, channelName } from '@balcao/contract/kit.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'
import { refreshSession, token } from './call.ts'
import { queryClient } from './query.ts'

export type LineState = 'connected' | 'offline' | 'reconnecting' | 'back'

/** How long the screen says that the line is back. */
const BACK_MS = 4_000

let socket: Socket | null = null
let state: LineState = 'connected'
const watchers = new Set<() => void>()
const handlers = new Map<Channel, Set<(payload: unknown) => void>>()
const joined = new Set<string>()

/** Opens the one live line of this tab. After a gap that the server could not bridge everything is fetched afresh. */
export function connect(companyId: number): () => void {
  let everConnected = false
  const line = io({ transports: ['websocket'], auth: answer => answer({ token: token.read() }) })
  socket = line
  line.on('connect', () => {
    line.emit('joinNotification')
    for (const asked of joined) line.emit(...(JSON.parse(asked) as [string, unknown]))
    // what was fetched before the line stood, or during a gap the server could not bridge, may have missed news
    if (!line.recovered) void queryClient.invalidateQueries()
    if (everConnected) {
      become('back')
      setTimeout(() => state === 'back' && become('connected'), BACK_MS)
    } else become('connected')
    everConnected = true
  })
  line.on('disconnect', reason => {
    become(navigator.onLine ? 'reconnecting' : 'offline')
    if (reason === 'io server disconnect') void comeBack(line)
  })
  line.on('connect_error', () => {
    become(navigator.onLine ? 'reconnecting' : 'offline')
    if (!line.active) void comeBack(line)
  })
  line.onAny((name: string, payload: unknown) => {
    for (const [channel, hearing] of handlers)
      if (channelName(channel, companyId) === name) for (const handle of hearing) handle(payload)
  })
  return () => {
    line.disconnect()
    if (socket === line) socket = null
  }
}

/** The server refused the token: a fresh one may be let in. Without one, the next call signs out. */
async function comeBack(line: Socket) {
  const session = await refreshSession().catch(() => null)
  if (session && socket === line) line.connect()
}

/** Hears a channel of the contract until the answered function is called. */
export function listen<C extends Channel>(
  channel: C,
  handle: (push: z.output<C['payload']>) => void,
): () => void {
  const all = handlers.get(channel) ?? new Set()
  handlers.set(channel, all)
  const each = handle as (payload: unknown) => void
  all.add(each)
  return () => void all.delete(each)
}

/** Says what this screen looks at; said again after every reconnection, until the answered function is called. */
export function join(event: 'joinTickets' | 'joinChatBox', what: string | number): () => void {
  const asked = JSON.stringify([event, what])
  joined.add(asked)
  if (socket?.connected) socket.emit(event, what)
  return () => void joined.delete(asked)
}

/** Hears a channel for as long as a component stands. `handle` must be stable or cheap to replace. */
export function useLive<C extends Channel>(channel: C, handle: (push: z.output<C['payload']>) => void) {
  useEffect(() => listen(channel, handle), [channel, handle])
}

function become(next: LineState) {
  state = next
  for (const tell of watchers) tell()
}

export const useLine = (): LineState =>
  useSyncExternalStore(
    tell => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    () => state,
  )
