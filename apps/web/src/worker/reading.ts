import { claimsOf, READ_CACHE, SHARED_CACHE } from './names.ts'
import type { FetchEvent } from './self.ts'

/** Answers that are kept for reading without a connection, and how many of a kind; anything else never is. */
const KEPT: [path: RegExp, most: number][] = [
  // the last conversations
  [/^\/messages\/\d+$/i, 20],
  [/^\/tickets\/\d+\/(history|pins|members|bot|flow|campaign)$/i, 80],
  [/^\/tickets\/[\w-]+$/i, 40],
  [/^\/contacts\/\d+(\/optOut)?$/i, 40],
  [/^\/tickets$/i, 30],
  [
    /^\/(branding|settings|queue|users\/list|users\/availability(\/own)?|availability\/settings|whatsapp|tags\/list|views|mentions|drafts|ticketAttendants|closing-reasons\/choices|optOutSettings|categorycontacts\/list|quickAnswers|chat\/rooms|companyByCompany\/\d+|pause-reasons)$/i,
    60,
  ],
]
/** Longer answers are not kept. */
const MOST_LETTERS = 400_000
/** Not shown any more after so long. */
const KEPT_MS = 7 * 24 * 3_600_000

const KEPT_AT = 'x-kept-at'
const SESSION = '/auth/session'
const ENTERING = /^\/auth\/(refresh_token|login)$/i
const LEAVING = /^\/auth\/logout$/i

/** Windows that the server answered since they were loaded: their session is not answered from here. */
const answered = new Set<string>()

/** Whoever left, until they are back: an answer that comes later is not kept. */
const left = new Set<string>()

/** What a user may read is kept apart from what others may. */
interface Reader {
  cache: string
  token: string
}

/**
 * The answer to a call of the app: the server's, else, where the server is not reached, what it answered before to the same
 * user. Null for calls that are none of its business.
 */
export function answerOf(event: FetchEvent, path: string): Promise<Response> | null {
  const { request, clientId } = event
  if (request.method === 'POST' && ENTERING.test(path)) return entering(request, clientId)
  const reader = readerOf(request)
  if (!reader) return null
  if (request.method === 'DELETE' && LEAVING.test(path)) {
    left.add(reader.cache)
    event.waitUntil(forgetRead())
    return null
  }
  const kind = request.method === 'GET' ? KEPT.find(([kept]) => kept.test(path)) : undefined
  return kind ? reading(event, reader, kind) : null
}

async function reading(event: FetchEvent, { cache }: Reader, kind: (typeof KEPT)[number]): Promise<Response> {
  const { request, clientId } = event
  try {
    const answer = await fetch(request)
    answered.add(clientId)
    // the session ended
    if (answer.status === 401) await forgetRead()
    if (answer.ok) event.waitUntil(keep(cache, request.url, answer.clone(), kind))
    return answer
  } catch (error) {
    const kept = await found(cache, request.url)
    if (kept) return kept
    throw error
  }
}

/** A user who entered is known without a connection by the token that the page still has. */
async function entering(request: Request, clientId: string): Promise<Response> {
  const reader = readerOf(request)
  try {
    const answer = await fetch(request)
    answered.add(clientId)
    if (answer.ok) await enter(answer.clone())
    // the session ended while the app was closed; what was shared waits for who logs in now
    else if (answer.status === 401 && !LOGIN.test(request.url)) await dropReadBy(() => true)
    return answer
  } catch (error) {
    const isStarting = !answered.has(clientId) && reader !== null && !LOGIN.test(request.url)
    const kept = isStarting ? await found(reader.cache, SESSION) : undefined
    if (!kept) throw error
    const { user } = (await kept.json()) as { user: unknown }
    return Response.json({ token: reader!.token, user })
  }
}

const LOGIN = /\/login$/i

/** What another user read in this browser is deleted. */
async function enter(answer: Response): Promise<void> {
  const { token, user } = (await answer.json()) as { token: string; user: unknown }
  const name = cacheOf(token)
  if (!name) return
  left.delete(name)
  await dropReadBy(other => other !== name)
  await put(name, SESSION, JSON.stringify({ user }))
}

async function keep(
  name: string,
  url: string,
  answer: Response,
  [path, most]: (typeof KEPT)[number],
): Promise<void> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return
  const text = await answer.text()
  if (text.length > MOST_LETTERS || left.has(name)) return
  await put(name, url, text)
  const cache = await caches.open(name)
  // the oldest first
  const alike = (await cache.keys()).filter(one => path.test(pathOf(one.url)))
  for (const one of alike.slice(0, Math.max(0, alike.length - most))) await cache.delete(one)
}

/** As the last one, also where it was kept before. */
async function put(name: string, url: string, text: string): Promise<void> {
  const cache = await caches.open(name)
  await cache.delete(url)
  const headers = { 'content-type': 'application/json', [KEPT_AT]: String(Date.now()) }
  // without space nothing is kept, and the answer counts
  await cache.put(url, new Response(text, { headers })).catch(() => {})
}

async function found(name: string, url: string): Promise<Response | undefined> {
  const kept = await (await caches.open(name)).match(url)
  const at = Number(kept?.headers.get(KEPT_AT) ?? 0)
  return Date.now() - at < KEPT_MS ? kept : undefined
}

/** Deletes what users read in this browser, and what was shared. */
async function forgetRead(): Promise<void> {
  await dropReadBy(() => true)
  await caches.delete(SHARED_CACHE)
}

async function dropReadBy(isOne: (cache: string) => boolean): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(READ_CACHE) && isOne(name)) await caches.delete(name)
}

function readerOf(request: Request): Reader | null {
  const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  const cache = token && cacheOf(token)
  return token && cache ? { token, cache } : null
}

/** By whom the token names; null for what is none, and for a visit, of which nothing is kept. */
function cacheOf(token: string): string | null {
  const { sub, company, visit } = claimsOf(token) ?? {}
  return sub && company && !visit ? `${READ_CACHE}${company}-${sub}` : null
}

export const pathOf = (url: string) => new URL(url).pathname.replace(/(.)\/$/, '$1')
