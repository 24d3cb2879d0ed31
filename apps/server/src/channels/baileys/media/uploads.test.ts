import { mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweepUploads } from './uploads.ts'

test('of a folder, only old leavings of uploads are removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-uploads-'))
  const put = async (name: string, hours: number) => {
    await writeFile(join(folder, name), 'x')
    const then = Date.now() / 1_000 - hours * 3_600
    await utimes(join(folder, name), then, then)
  }
  await put('image3EB0ABCDEF0123456789AB-enc', 2)
  await put('audio3EB0ABCDEF0123456789AB-original', 2)
  await put('video3EB0ABCDEF0123456789AB-enc', 0)
  await put('minhas fotos-enc', 2)
  await sweepUploads(folder)
  expect((await readdir(folder)).toSorted()).toEqual(['minhas fotos-enc', 'video3EB0ABCDEF0123456789AB-enc'])
})
