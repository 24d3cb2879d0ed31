import { FAILED } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import { alone } from '../../../platform/alone.ts'
import { ApiError, call } from '../../../platform/call.ts'
import { holdFile, localFile, uploadFile } from '../media/upload.ts'
import { put } from '../messages.api.ts'
import {
  dropWaiting,
  findWaiting,
  keepWaiting,
  readWaiting,
  type Waiting,
  waitingIn,
  waitingTickets,
} from '../messages.waiting.ts'

/** Answers that say nothing about the message: the way was closed, and it goes again when it is open. */
const LATER = new Set([0, 401, 408, 425, 429, 502, 503, 504])
/** A request that nobody answers on a bad line. A file takes as long as it takes. */
const ANSWER_MS = 20_000
const FIRST_MS = 1_000
const RECALL_MS = 500
const MOST_MS = 30_000

let owner = ''
const walking = new Set<number>()
let timer: ReturnType<typeof setTimeout> | undefined
let pause = FIRST_MS

/** What this person's browser kept is shown and leaves; called again when the line is back. */
export function resumeWaiting(person: string): Promise<void> {
  owner = person
  pause = FIRST_MS
  return goOn()
}

async function goOn() {
  for (const ticketId of await recall()) sendWaiting(ticketId)
}

/** What the tabs of this person have kept is shown; answers in which tickets it waits. */
async function recall(): Promise<number[]> {
  const person = owner
  await readWaiting(person)
  if (owner !== person || !person) return []
  const tickets = waitingTickets()
  for (const { id, file, message } of tickets.flatMap(waitingIn)) {
    if (file && message.media && !localFile(id)) holdFile(id, file, message.media)
    put(message)
  }
  return tickets
}

/** Nobody is logged in here any more: nothing leaves. */
export function holdWaiting() {
  owner = ''
  clearTimeout(timer)
}

/** Sends what waits in a ticket, one behind the other; what cannot leave now leaves later, and nothing overtakes it. */
export function sendWaiting(ticketId: number): void {
  if (walking.has(ticketId)) return
  walking.add(ticketId)
  // of several tabs one sends: the others find nothing left
  void alone(`balcao-line-${ticketId}`, () => walk(ticketId)).finally(() => walking.delete(ticketId))
}

async function walk(ticketId: number) {
  // what another tab left behind when it was closed goes first; a browser that keeps nothing holds nobody up
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

async function post({ id, owner: author, ticketId, message, words }: Waiting): Promise<'done' | 'later'> {
  const companyId = Number(author.split('.')[0])
  try {
    const sent: Message = localFile(id)
      ? await uploadFile(message, companyId, words)
      : await call(messages.send, {
          params: { ticketId, companyId },
          body: { ...words, id, fromMe: true, read: true },
          signal: AbortSignal.timeout(ANSWER_MS),
        })
    dropWaiting(id)
    put(sent)
    return 'done'
  } catch (error) {
    // called off by hand
    if (!findWaiting(id)) return 'done'
    const isApi = error instanceof ApiError
    if (isApi && (LATER.has(error.status) || error.code === 'ERR_SESSION_EXPIRED')) return 'later'
    if (error instanceof DOMException) return 'later'
    refused(id, isApi ? error.code || error.message : String(error))
    return 'done'
  }
}

/** The server does not take it, now or later: it stays, and says why. */
function refused(id: string, failReason: string) {
  const waiting = findWaiting(id)
  if (!waiting) return
  const message = { ...waiting.message, ack: FAILED, failReason }
  keepWaiting({ ...waiting, message })
  put(message)
}
