import { Readable } from 'node:stream'
import { cut, withoutLast } from '@balcao/contract/cut.rules.ts'
import { LRUCache } from 'lru-cache'
import type { LinkPreview } from '../driver.content.ts'
import type { Platform } from '../platform/app.ts'
import { perProduct } from '../platform/memory.ts'
import type { Outside } from '../platform/outbound/outbound.ts'
import { thumbnailOf } from './thumbnail.ts'

/** The longest delay of a message by its preview. */
const PATIENCE_MS = 4_000
/** What describes a page is at its beginning. */
const MOST_READ = 256 * 1024
const MOST_PICTURE = 2 * 1024 * 1024
/** A campaign sends the same link to everyone. */
const KEPT = { max: 500, ttl: 15 * 60_000 }
const MAX_TITLE = 200
const MAX_DESCRIPTION = 300

interface Deps {
  outbound: Pick<Outside, 'fetchOutside' | 'receiveOutside'>
  patienceMs?: number
}

/** What a phone shows of the first link of a text; null without a link, a title, or an answer in time. Never throws. */
export function openLinkPreviews({ outbound, patienceMs = PATIENCE_MS }: Deps) {
  const known = new LRUCache<string, { preview: Omit<LinkPreview, 'matched'> | null }>(KEPT)
  return async (text: string): Promise<LinkPreview | null> => {
    const matched = firstAddressIn(text)
    if (!matched) return null
    const kept = known.get(matched) ?? { preview: await withinPatience(describe(matched)) }
    known.set(matched, kept)
    return kept.preview && { matched, ...kept.preview }
  }

  async function withinPatience<T>(work: Promise<T>): Promise<T | null> {
    const late = AbortSignal.timeout(patienceMs)
    const over = new Promise<null>(done => late.addEventListener('abort', () => done(null)))
    return Promise.race([work.catch(() => null), over])
  }

  async function describe(url: string) {
    const head = await outbound.receiveOutside(
      url,
      { timeoutMs: patienceMs, headers: { accept: 'text/html' } },
      async ({ status, headers, body }) =>
        status === 200 && String(headers['content-type']).includes('html') ? beginning(body) : '',
    )
    const { title, description, picture } = describedIn(head)
    if (!title) return null
    return { title, description, thumbnail: picture ? await stampOf(picture, url) : '' }
  }

  async function stampOf(picture: string, page: string): Promise<string> {
    const address = URL.parse(picture, page)?.href
    const given = { timeoutMs: patienceMs, maxBytes: MOST_PICTURE }
    const reply = address ? await outbound.fetchOutside(address, given).catch(() => null) : null
    return reply?.status === 200 ? thumbnailOf(async () => Readable.from([reply.body])) : ''
  }
}

export const linkPreviewsOf = perProduct(({ outbound }: Platform) =>
  openLinkPreviews({ outbound: outbound.by({ target: 'pages', companyId: null }) }),
)

/** The first address of a text, without the punctuation behind it. */
export const firstAddressIn = (text: string): string =>
  withoutLast(/https?:\/\/[^\s<>"']+/i.exec(text)?.[0] ?? '', ').,;:!?]')

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let last = ''
  for await (const bytes of body) {
    const piece = decoder.decode(bytes, { stream: true })
    text += piece
    last = last.slice(-HEAD_END.length) + piece
    if (text.length >= MOST_READ || last.includes(HEAD_END)) break
  }
  return cut(text, MOST_READ)
}

const HEAD_END = '</head>'

// neither goes on behind the next beginning: a page of beginnings would cost the square of its length
const META = /<meta\s(?:(?!<meta\s)[^>]){1,2000}>/gi
const TITLE = /<title(?:(?!<title)[^>]){0,500}>([^<]{1,2000})/i

/** What a page says of itself (Open Graph, ogp.me), else its title. */
export function describedIn(html: string) {
  const metas = new Map(
    [...html.matchAll(META)].map(([tag]) => [
      attributeOf(tag, 'property') || attributeOf(tag, 'name'),
      attributeOf(tag, 'content'),
    ]),
  )
  const [, named = ''] = TITLE.exec(html) ?? []
  return {
    title: lineOf(metas.get('og:title') || named, MAX_TITLE),
    description: lineOf(metas.get('og:description') || metas.get('description') || '', MAX_DESCRIPTION),
    picture: plain(metas.get('og:image') ?? ''),
  }
}

const attributeOf = (tag: string, name: string) =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)?.slice(1).find(Boolean) ?? ''

const lineOf = (text: string, most: number) => cut(plain(text).replace(/\s+/g, ' ').trim(), most)

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const plain = (html: string) =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return SIGNS[String(name).toLowerCase()] ?? whole
    const point = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return point > 31 && point <= 0x10ffff ? String.fromCodePoint(point) : ' '
  })
