import { cut } from '@balcao/contract/cut.rules.ts'
import { SHARED_ABOUT, SHARED_CACHE, type SharedAbout, sharedFile } from './names.ts'

/** As the manifest names it. */
export const SHARE = '/share'

/** Leads to the app, which asks for whom it is; without it where it is too large for this browser. */
export async function receiveShared(request: Request): Promise<Response> {
  await keepShared(request).catch(async error => {
    console.warn('what another app shares is not kept', error)
    await caches.delete(SHARED_CACHE)
  })
  return Response.redirect(new URL('/tickets', request.url), 303)
}

/** Of what is shared no more is kept: it comes from another app, or from any page that posts a form. */
const MOST_FILES = 30
const MOST_LETTERS = 10_000

/** In place of what was shared before. */
async function keepShared(request: Request): Promise<void> {
  const form = await request.formData()
  const shared = form.getAll('files').filter((one): one is File => one instanceof File && one.size > 0)
  const files = shared.filter((_, at) => at < MOST_FILES)
  const words = ['title', 'text', 'url'].map(name => form.get(name)).filter(one => typeof one === 'string')
  const about: SharedAbout = {
    text: cut([...new Set(words.map(one => one.trim()).filter(Boolean))].join('\n'), MOST_LETTERS),
    files: files.map(({ name, type }) => ({ name, type })),
  }
  await caches.delete(SHARED_CACHE)
  const cache = await caches.open(SHARED_CACHE)
  for (const [at, file] of files.entries()) await cache.put(sharedFile(at), new Response(file))
  await cache.put(SHARED_ABOUT, Response.json(about))
}
