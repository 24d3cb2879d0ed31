import type { Channel } from '@balcao/contract/kit.ts'
import { gapChannel } from '@balcao/contract/live.ts'
import type { Socket } from 'socket.io-client'
import type { z } from 'zod'
import { refreshSession, token } from './call.ts'
import { askAgain } from './query.ts'
import { store, useStore } from './store.ts'

export type LiveState = 'connected' | 'offline' | 'reconnecting' | 'back'

/** How long the screen says that the line is back. */
const BACK_MS = 4_000
/** How long to wait before asking again to be let in, after the server sent this tab away. */
const KNOCK_MS = 1_000
/** All screens hear of a gap at the same moment: within this time each asks at one of its own. */
const SPREAD_MS = 2_000

let socket: Socket | null = null
let company = 0
/** `updates`: pushes heard since the line is back. */
const standing = store<{ state: LiveState; updates: number }>({ state: 'connected', updates: 0 })
/** By the channel's name in the contract: screens may begin to listen before the company is known. */
const handlers = new Map<string, Set<(payload: unknown) => void>>()
/** How many look at each. */
const joined = new Map<string, number>()

/** Hears a channel of the contract until the answered function is called. */
export function listen<C extends Channel>(
  { name }: C,
  handle: (push: z.output<C['payload']>) => void,
): () => void {
  const all = handlers.get(name) ?? new Set()
  handlers.set(name, all)
  const each = handle as (payload: unknown) => void
  all.add(each)
  return () => void all.delete(each)
}

/**
 * Says what this screen looks at, once for all who look there; said again after every reconnection, until each has
 * called the answered function.
 */
export function join(
  event: 'joinTickets' | 'joinChatBox' | 'joinCampaign',
  what: string | number,
): () => void {
  const asked = JSON.stringify([event, what])
  const others = joined.get(asked) ?? 0
  joined.set(asked, others + 1)
  if (others === 0 && socket?.connected) socket.emit(event, what)
  return () => {
    const left = joined.get(asked)! - 1
    if (left > 0) joined.set(asked, left)
    else joined.delete(asked)
  }
}

/** How the line stands, for the banner. */
export const useLiveState = (): LiveState => useStore(standing, ({ state }) => state)

/** How many updates came in since the line is back. */
export const useMissedUpdates = (): number => useStore(standing, ({ updates }) => updates)

/**
 * Opens the one live line of this tab; the answered function closes it. Its script comes beside the first fetches, since
 * nothing that is shown first waits for the line.
 */
export function connect(companyId: number): () => void {
  company = companyId
  let closed = false
  let opened: Socket | undefined
  const open = (): Promise<void> =>
    import('socket.io-client').then(
      ({ io }) => {
        if (closed) return
        opened = io({ transports: ['websocket'], auth: answer => answer({ token: token.read() }) })
        follow(opened)
      },
      () => {
        interrupted()
        setTimeout(() => !closed && void open(), KNOCK_MS)
      },
    )
  void open()
  return () => {
    closed = true
    opened?.disconnect()
    if (socket === opened) socket = null
    become('connected')
  }
}

function follow(opened: Socket) {
  socket = opened
  let known = false
  opened.on('connect', () => {
    enter(opened)
    if (known || standing.read().state !== 'connected') become('back')
    known = true
  })
  opened.on('disconnect', reason => {
    interrupted()
    if (reason === 'io server disconnect') knockLater(opened)
  })
  opened.on('connect_error', () => {
    interrupted()
    if (!opened.active) knockLater(opened)
  })
  opened.onAny(hear)
}

/** What the server could not replay may be anything, also between the first fetch and the first connection. */
function enter(opened: Socket) {
  opened.emit('joinNotification')
  for (const asked of joined.keys()) opened.emit(...(JSON.parse(asked) as [string, unknown]))
  if (!opened.recovered) void askAgain()
}

let asking = false
listen(gapChannel, () => {
  if (asking) return
  asking = true
  setTimeout(() => {
    asking = false
    void askAgain()
  }, Math.random() * SPREAD_MS)
})

function hear(told: string, payload: unknown) {
  const { state, updates } = standing.read()
  if (state === 'back') standing.write({ state, updates: updates + 1 })
  const name = told.endsWith(`-${company}`) ? told.replace(/\d+$/, '{companyId}') : told
  // a channel of a row has the row's number behind its name, which may happen to be the company's
  for (const heard of new Set([name, told])) for (const handle of handlers.get(heard) ?? []) handle(payload)
}

const interrupted = () => become(navigator.onLine ? 'reconnecting' : 'offline')

/** The server sent us away: a fresh token may be let in. When the session is over, the refresh signs out. */
function knockLater(opened: Socket) {
  setTimeout(async () => {
    if (socket !== opened || opened.connected) return
    const session = await refreshSession().catch(() => undefined)
    if (socket !== opened) return
    if (session) opened.connect()
    else if (session === undefined) knockLater(opened)
  }, KNOCK_MS)
}

function become(next: LiveState) {
  standing.write({ state: next, updates: 0 })
  if (next === 'back') setTimeout(() => standing.read().state === 'back' && become('connected'), BACK_MS)
}
