import type { Channel } from '@balcao/contract/kit.ts'
import { gapChannel } from '@balcao/contract/live.ts'
import type { Socket } from 'socket.io-client'
import type { z } from 'zod'
import { refreshSession, token } from './call.ts'
import { askAgain, whenFetched } from './query.ts'
import { withoutTurns } from './shown-text.ts'
import { store, useStore } from './store.ts'

export type LiveState = 'connected' | 'offline' | 'reconnecting' | 'back'

/** How long the screen shows that the connection is back. */
const BACK_MS = 4_000
/** Delay before reconnecting after the server disconnected this tab. */
const KNOCK_MS = 1_000
/** All screens notice a gap at the same moment: each requests at a random moment within this time. */
const SPREAD_MS = 2_000

let socket: Socket | null = null
let company = 0
/** `updates`: pushes received since the connection is back. */
const connection = store<{ state: LiveState; updates: number }>({ state: 'connected', updates: 0 })
/** By the channel's name in the contract: screens may subscribe before the company is known. */
const handlers = new Map<string, Set<(payload: unknown) => void>>()
/** Number of viewers of each room. */
const joined = new Map<string, number>()

/** Subscribes to a channel of the contract; answers the function that unsubscribes. */
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
 * Joins the room of what this screen shows, once for all its viewers; joined again after every reconnection,
 * until each has called the answered function.
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

/** Sends what this screen shows or does; lost where there is no connection. */
export const report = (event: string, what: unknown) => void (socket?.connected && socket.emit(event, what))

/** Another one for each connection; none while there is no connection. */
export const lineNow = () => (socket?.connected ? socket.id : undefined)

/** State of the connection to the server, for the banner. */
export const useLiveState = (): LiveState => useStore(connection, ({ state }) => state)

/** How many updates came in since the connection is back. */
export const useMissedUpdates = (): number => useStore(connection, ({ updates }) => updates)

/**
 * Opens the one socket of this tab; the answered function closes it. Its script is loaded after the first
 * fetches, since nothing that is shown first depends on it.
 */
export function connect(companyId: number): () => void {
  company = companyId
  let closed = false
  let opened: Socket | undefined
  const open = async (): Promise<void> => {
    if (closed) return
    await import('socket.io-client').then(
      ({ io }) => {
        if (closed) return
        opened = io({ transports: ['websocket'], auth: answer => answer({ token: token.read() }) })
        follow(opened)
      },
      () => {
        interrupted()
        setTimeout(() => void open(), KNOCK_MS)
      },
    )
  }
  void whenFetched().then(open)
  // a connection that the browser knows is lost would stay open until a heartbeat is missed, half a minute
  // later
  const cut = () => opened?.io.engine.close()
  window.addEventListener('offline', cut)
  return () => {
    closed = true
    window.removeEventListener('offline', cut)
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
    if (known || connection.read().state !== 'connected') become('back')
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
  opened.onAny(dispatch)
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

function dispatch(sentAs: string, payload: unknown) {
  const { state, updates } = connection.read()
  if (state === 'back') connection.write({ state, updates: updates + 1 })
  const name = sentAs.endsWith(`-${company}`)
    ? `${sentAs.slice(0, -String(company).length)}{companyId}`
    : sentAs
  const shown = withoutTurns(payload)
  // the channel of a row ends with the row's id, which may happen to equal the company's
  for (const channel of new Set([name, sentAs]))
    for (const handle of handlers.get(channel) ?? []) handle(shown)
}

const interrupted = () => become(navigator.onLine ? 'reconnecting' : 'offline')

/**
 * The server disconnected this tab: it may reconnect with a fresh token. When the session is over, the
 * refresh signs out.
 */
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
  connection.write({ state: next, updates: 0 })
  if (next === 'back') setTimeout(() => connection.read().state === 'back' && become('connected'), BACK_MS)
}
