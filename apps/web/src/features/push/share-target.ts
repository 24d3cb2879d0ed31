import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../../platform/query.ts'
import { SHARED_ABOUT, SHARED_CACHE, type SharedAbout, sharedFile } from '../../worker/names.ts'

export interface Shared {
  text: string
  files: File[]
}

/** What another app shared last, until it is taken or dropped; null for nothing. */
export const sharedOptions = queryOptions({
  queryKey: ['shared'],
  queryFn: readShared,
  staleTime: 0,
  gcTime: 0,
})

export async function dropShared(): Promise<void> {
  queryClient.setQueryData(sharedOptions.queryKey, null)
  await caches.delete(SHARED_CACHE)
}

async function readShared(): Promise<Shared | null> {
  if (!('caches' in globalThis)) return null
  const cache = await caches.open(SHARED_CACHE)
  const about = await cache.match(SHARED_ABOUT)
  if (!about) return null
  const { text, files } = (await about.json()) as SharedAbout
  const kept = await Promise.all(
    files.map(async ({ name, type }, at) => {
      const bytes = await (await cache.match(sharedFile(at)))?.blob()
      return bytes ? [new File([bytes], name, { type })] : []
    }),
  )
  return { text, files: kept.flat() }
}
