import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../apps/web/dist', import.meta.url))

/**
 * Gzipped bytes that the script of /tickets may have: hardly more than it has. The aim is 260,000; the shapes that read
 * what a message carries (a place, cards, a link, choices) bring 20,000 of it. What the screen needs later, dialogs and
 * the live line, comes beside or on demand.
 */
export const BUDGET = 306_000

/** Chunks that open with the tickets screen; dialogs, charts and editors come when they are opened. */
const ON_TICKETS = /^(tickets?|messages?)-(screen|list|page)|^(tickets|messages|conversation|composer)-/

/** Of the store, which prospects open on a phone: the start that all screens share, and no chunk of another screen. */
export const STORE_BUDGET = 250_000

const ON_STORE = /^store-/

/** Gzipped bytes of the script that /tickets loads: the entry, all it imports, and the screen's own chunks. Null when the web app is not built. */
export const weighTickets = () => weigh(ON_TICKETS)
/** The same of /store. */
export const weighStore = () => weigh(ON_STORE)

function weigh(opens: RegExp): { bytes: number; chunks: string[] } | null {
  if (!existsSync(`${dist}/index.html`)) return null
  const page = readFileSync(`${dist}/index.html`, 'utf8')
  const seen = new Map<string, number>()
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(`${dist}/assets/${file}`)) return
    const text = readFileSync(`${dist}/assets/${file}`, 'utf8')
    seen.set(file, gzipSync(text, { level: 6 }).length)
    for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) visit(name!)
    for (const [, name] of text.matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      if (opens.test(name!)) visit(name!)
  }
  for (const [, path] of page.matchAll(/(?:src|href)="([^"]+\.js)"/g)) visit(basename(path!))
  return { bytes: [...seen.values()].reduce((sum, size) => sum + size, 0), chunks: [...seen.keys()] }
}
