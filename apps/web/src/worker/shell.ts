import { isOutside } from '@balcao/contract/pages.rules.ts'
import type { FetchEvent } from './self.ts'

/** The files that the app starts with, and a name of them all; written by the build. */
declare const __FILES__: string[]
declare const __BUILD__: string

const CACHES = 'balcao-shell-'
const OWN = CACHES + __BUILD__
const PAGE = '/tickets'
/** Files that were loaded besides. */
const MOST = 300

/** Addresses that are no pages of the app, though a browser goes there. */
const NOT_PAGES = /^\/(api|media|socket\.io|assets|health|metrics|branding|share)(\/|$)|\.\w+$/i

/** The page and what it needs, before this version is used. */
export async function fetchShell(): Promise<void> {
  const cache = await caches.open(OWN)
  const page = await fetch(PAGE, { headers: { accept: 'text/html' }, cache: 'no-cache' })
  if (!page.ok) throw new Error(`the page of the app was answered by ${page.status}`)
  refuseOtherVersion(await page.clone().text())
  await cache.put(PAGE, page)
  await cache.addAll(__FILES__)
}

/** While processes of two versions answer, the page may be the other one's: with these files it would not open. */
function refuseOtherVersion(html: string): void {
  for (const [, name] of html.matchAll(ASSETS))
    if (!__FILES__.includes(`/${name}`)) throw new Error(`the page of another version needs ${name}`)
}
/** As the build finds them in the page (vite.config.ts). */
const ASSETS = /"\/(assets\/[^"]+\.(?:js|css))"/g

/** No page of an earlier version is open any more. */
export async function dropOtherShells(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(CACHES) && name !== OWN) await caches.delete(name)
}

/** The page, or a file of the app; null for what is neither. */
export function shellAnswer(event: FetchEvent, path: string): Promise<Response> | null {
  const { request } = event
  if (request.method !== 'GET') return null
  if (request.mode === 'navigate') return NOT_PAGES.test(path) || isOutside(path) ? null : page(request)
  if (path.startsWith('/assets/')) return asset(event)
  return __FILES__.includes(path) ? fromServer(request) : null
}

/** The server's page is of the newest version; the kept one fits the kept files. */
const page = (request: Request) =>
  fetch(request).catch(async error => (await (await caches.open(OWN)).match(PAGE)) ?? Promise.reject(error))

/** Its name changes with its content. */
async function asset(event: FetchEvent): Promise<Response> {
  const { request } = event
  const cache = await caches.open(OWN)
  const kept = await cache.match(request.url)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200) event.waitUntil(keep(cache, request.url, answer.clone()))
  return answer
}

async function keep(cache: Cache, url: string, answer: Response): Promise<void> {
  // without space it is fetched again
  await cache.put(url, answer).catch(() => {})
  const more = (await cache.keys()).filter(one => !isOfStart(one.url))
  for (const one of more.slice(0, Math.max(0, more.length - MOST))) await cache.delete(one)
}

const isOfStart = (url: string) => [PAGE, ...__FILES__].includes(new URL(url).pathname)

const fromServer = (request: Request) =>
  fetch(request).catch(async error => (await caches.match(request.url)) ?? Promise.reject(error))
