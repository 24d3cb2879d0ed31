import { FAILED } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { alone } from '../../../platform/alone.ts'
import { ApiError, call } from '../../../platform/call.ts'
import { holdFile, localFile, uploadFile } from '../../media/upload.ts'
import { changeThread, put } from '../messages.api.ts'
import {
  arrived,
  findWaiting,
  keepWaiting,
  readWaiting,
  type Waiting,
  waitingIn,
  waitingTickets,
} from '../messages.waiting.ts'

/** Statuses that do not concern the message itself: it is retried when the connection is back. */
const LATER = new Set([0, 401, 408, 425, 429, 502, 503, 504])
/** Timeout of a request on a bad connection. Uploads have none. */
const ANSWER_MS = 20_000
const FIRST_MS = 1_000
const RECALL_MS = 500
const MOST_MS = 30_000

let owner = ''
const sending = new Set<number>()
let timer: ReturnType<typeof setTimeout> | undefined
let pause = FIRST_MS

/** Messages this browser kept for the user are shown and sent; called again when the connection is back. */
export function resumeWaiting(person: string): Promise<void> {
  owner = person
  pause = FIRST_MS
  return goOn()
}

async function goOn() {
  for (const ticketId of await recall()) sendWaiting(ticketId)
}

/** Shows the messages stored by this user's tabs; answers the tickets with waiting ones. */
async function recall(): Promise<number[]> {
  const person = owner
  const before = waitingTickets().flatMap(waitingIn)
  if (!person || !(await readWaiting(person, () => owner === person))) return []
  for (const { id, ticketId } of before) if (!findWaiting(id)) takeOut(id, ticketId)
  const tickets = waitingTickets()
  for (const { id, file, message } of tickets.flatMap(waitingIn)) {
    if (file && message.media && !localFile(id)) holdFile(id, file, message.media)
    put(message)
  }
  return tickets
}

/** Another tab took it back, or has sent it: then the server's comes in its place. */
const takeOut = (id: string, ticketId: number) =>
  changeThread(ticketId, thread => ({
    ...thread,
    messages: thread.messages.filter(one => one.id !== id || one.version > 0),
  }))

/** After logout: nothing is sent. */
export function holdWaiting() {
  owner = ''
  clearTimeout(timer)
}

/** Sends the waiting messages of a ticket in order; a failing one is retried later, and none overtakes it. */
export function sendWaiting(ticketId: number): void {
  if (sending.has(ticketId)) return
  sending.add(ticketId)
  // one tab holds the lock and sends: the others find nothing left
  void alone(`balcao-line-${ticketId}`, () => sendInOrder(ticketId)).finally(() => sending.delete(ticketId))
}

async function sendInOrder(ticketId: number) {
  // messages left by a closed tab go first; a browser without storage delays nothing
  await Promise.race([recall(), new Promise(done => setTimeout(done, RECALL_MS))])
  for (let next = firstIn(ticketId); next; next = firstIn(ticketId)) {
    if ((await post(next)) === 'later') return tryLater()
    pause = FIRST_MS
  }
}

const firstIn = (ticketId: number) =>
  owner ? waitingIn(ticketId).find(one => one.owner === owner && one.message.ack !== FAILED) : undefined

function tryLater() {
  clearTimeout(timer)
  timer = setTimeout(() => void goOn(), pause)
  pause = Math.min(pause * 2, MOST_MS)
}

async function post(waiting: Waiting): Promise<'done' | 'later'> {
  const { id, owner: author, ticketId, message, words } = waiting
  const companyId = Number(author.split('.')[0])
  try {
    // after ten seconds somebody may have answered (both times are of this browser, also after a reload); without a connection
    // what follows fails too
    const isLate = Date.now() - Date.parse(message.createdAt) > 10_000
    const late = isLate && (await import('./late.ts').catch(() => null))
    if (late && (await late.isHeldBack(waiting))) return 'done'
    const sent: Message = localFile(id)
      ? await uploadFile(message, companyId, fieldsOf(id, words))
      : await call(messages.send, {
          params: { ticketId, companyId },
          body: { ...words, id, fromMe: true, read: true },
          signal: AbortSignal.timeout(ANSWER_MS),
        })
    arrived(id)
    put(sent)
    return 'done'
  } catch (error) {
    // cancelled by the user
    if (!findWaiting(id)) return 'done'
    if (mayPassLater(error)) return 'later'
    refused(id, error instanceof ApiError ? error.code || error.message : String(error))
    return 'done'
  }
}

function fieldsOf(id: string, words: Waiting['words']): Record<string, string> {
  const fields: Record<string, string> = { id, body: '', fromMe: 'true' }
  for (const [name, value] of Object.entries(words))
    if (value) fields[name] = typeof value === 'string' ? value : JSON.stringify(value)
  return fields
}

/** A timeout, a cut connection, an ended session or a busy server: what was refused may pass at another try. */
export const mayPassLater = (error: unknown): boolean =>
  error instanceof DOMException ||
  (error instanceof ApiError && (LATER.has(error.status) || error.code === 'ERR_SESSION_EXPIRED'))

/** The server refuses it for good: it stays, with the reason. */
function refused(id: string, failReason: string) {
  const waiting = findWaiting(id)
  if (!waiting) return
  const message = { ...waiting.message, ack: FAILED, failReason }
  keepWaiting({ ...waiting, message })
  put(message)
}
