import { expect, test, vi } from 'vitest'
import { memoryCaches } from '../../testing/caches.ts'
import { SHARED_ABOUT, SHARED_CACHE, type SharedAbout } from './names.ts'
import { receiveShared } from './sharing.ts'

test('of what another app, or any page, shares no more is kept than a composer can use', async () => {
  const kept = memoryCaches('https://balcao.test')
  vi.stubGlobal('caches', kept)
  const form = new FormData()
  form.set('title', 'Bolo')
  form.set('text', 'a'.repeat(1_000_000))
  for (let at = 0; at < 200; at++) form.append('files', new File(['x'], `${at}.txt`))
  const answer = await receiveShared(new Request('https://balcao.test/share', { method: 'POST', body: form }))
  expect(answer.status).toBe(303)
  const about = await (await kept.open(SHARED_CACHE)).match(SHARED_ABOUT)
  const { text, files } = (await about!.json()) as SharedAbout
  expect([text.startsWith('Bolo\na'), text.length, files.length]).toEqual([true, 10_000, 30])
})
