import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../apps/web/dist', import.meta.url))

/**
 * Gzipped bytes, hardly more than there are: what /tickets waits for (the aim is 260,000), and that with the conversation,
 * which comes beside the lists. What is needed later, dialogs and the live line, comes when it is.
 */
export const BUDGET = { waited: 249_800, whole: 300_000 }
/**
 * The same of the store, which prospects open on a phone, and which comes without the app (decision 033): what it waits
 * for (100,000 at most), and that with the shapes that judge its form, which come while the page is read.
 */
export const STORE_BUDGET = { waited: 99_500, whole: 135_500 }

const SCREEN = /^lists-/
const STORE = /^store-screen-/
const CONVERSATION = /^(lists|talk|conversation)-/
const FORM = /^(store-screen|leads\.shapes)-/

const APP = 'index.html'
const OUTSIDE = 'outside.html'

/** Gzipped bytes of the script of /tickets: the entry, the screen, and all they import. Null when the web app is not built. */
export const measureTickets = () =>
  existsSync(`${dist}/index.html`)
    ? { waited: sum(chunksOf(APP, SCREEN)), whole: sum(chunksOf(APP, CONVERSATION)) }
    : null

/** The same of /store, with the names of the chunks it waits for. */
export function measureStore(): { waited: number; whole: number; chunks: string[] } | null {
  if (!existsSync(`${dist}/${OUTSIDE}`)) return null
  const chunks = chunksOf(OUTSIDE, STORE)
  return { waited: sum(chunks), whole: sum(chunksOf(OUTSIDE, FORM)), chunks: [...chunks.keys()] }
}

const sum = (chunks: Map<string, number>) => [...chunks.values()].reduce((all, size) => all + size, 0)

/** Files loaded by a page that opens the given screen, with their sizes. */
function chunksOf(html: string, asked: RegExp): Map<string, number> {
  const page = readFileSync(`${dist}/${html}`, 'utf8')
  const seen = new Map<string, number>()
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(`${dist}/assets/${file}`)) return
    const text = readFileSync(`${dist}/assets/${file}`, 'utf8')
    seen.set(file, gzipSync(text, { level: 6 }).length)
    for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) visit(name!)
    for (const [, name] of text.matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      if (asked.test(name!)) visit(name!)
  }
  for (const [, path] of page.matchAll(/(?:src|href)="([^"]+\.js)"/g)) visit(basename(path!))
  return seen
}
