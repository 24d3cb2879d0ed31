import { expect, test, vi } from 'vitest'
import { memoryCaches } from '../../testing/caches.ts'

test('a worker is not used with the page of another version', async () => {
  vi.stubGlobal('__FILES__', ['/theme.js', '/assets/index-b.js'])
  vi.stubGlobal('__BUILD__', 'b')
  const { fetchShell } = await import('./shell.ts')
  const kept = memoryCaches()
  const addAll = vi.fn(async (_files: string[]) => {})
  vi.stubGlobal('caches', { ...kept, open: async (name: string) => ({ ...(await kept.open(name)), addAll }) })
  let version = 'a'
  vi.stubGlobal('fetch', async () => new Response(`<script src="/assets/index-${version}.js"></script>`))
  await expect(fetchShell()).rejects.toThrow('assets/index-a.js')
  expect(addAll).not.toHaveBeenCalled()
  version = 'b'
  await fetchShell()
  expect(addAll).toHaveBeenCalledWith(['/theme.js', '/assets/index-b.js'])
})
