import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countingMeter } from '../../../testing/meter.ts'
import { type S3Server, s3Server } from '../../../testing/s3.ts'
import { type FileStore, type Files, openFiles } from './files.ts'
import { moveFiles, movePlaces, type PlacesConfig } from './places.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const photo = { name: 'férias.png', type: 'image/png' }
const { meter } = countingMeter()

let server: S3Server
let dataDir: string
beforeAll(async () => {
  server = await s3Server()
  dataDir = await mkdtemp(join(tmpdir(), 'balcao-places-'))
})
afterAll(async () => {
  server.close()
  await rm(dataDir, { recursive: true })
})

const warned: string[] = []
const open = (places: PlacesConfig) =>
  openFiles(places, meter, { warn: (...given: unknown[]) => void warned.push(given.join(' ')), info() {} })
const read = async (files: Files, company: number, key: string) => {
  const { stream, name } = await files.open(company, key)
  return [name, await buffer(stream)]
}
const onDisk = async () =>
  (await readdir(join(dataDir, 'files'), { recursive: true })).filter(name => /^\d.*\.png$/.test(name)).length

/** A store of which the third write fails, or brings other bytes. */
function faulty(store: FileStore, write: FileStore['write']): FileStore {
  let writes = 0
  return { ...store, write: (...given) => (++writes === 3 ? write(...given) : store.write(...given)) }
}

async function* other() {
  yield Buffer.from('other')
}

test('files are moved into a bucket and back while they are served: each is found all the time, none is lost by a broken move', async () => {
  const disk = await open({ s3: null, dataDir })
  expect(disk.isMoving()).toBe(false)
  const keys: [number, string][] = []
  for (const company of [7, 7, 7, 7, 8]) keys.push([company, (await disk.put(company, png, photo)).key])
  const all = async (files: Files) => {
    for (const [company, key] of keys) expect(await read(files, company, key)).toEqual([photo.name, png])
    expect(await files.sizeOf(7)).toEqual({ files: 4, bytes: 4 * png.length })
  }

  const bucket = { s3: server.s3, dataDir }
  const files = await open(bucket)
  expect(warned).toEqual([
    expect.stringMatching(/^files lie in .*files and are found there: npm run files -- move/),
  ])
  expect(files.isMoving()).toBe(true)
  await all(files)
  const [, gone] = keys[0]!
  await files.remove(7, gone)
  await expect(files.open(7, gone)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' })
  keys[0] = [7, (await files.put(7, png, photo)).key]
  expect([server.objects.size, await onDisk()]).toEqual([1, 4])

  const { from, to } = await movePlaces(bucket)
  const breaks = faulty(to, () => Promise.reject(new Error('the network is gone')))
  await expect(moveFiles(from, breaks, () => {})).rejects.toThrow('the network is gone')
  await all(files)
  const changes = faulty(to, (path, _bytes, label) => to.write(path, other(), label))
  await moveFiles(from, changes, () => {}).catch(error => expect(String(error)).toMatch(/was not the same/))
  await all(files)
  let moved = 0
  await moveFiles(from, to, () => moved++)
  expect([server.objects.size, await onDisk()]).toEqual([5, 0])
  await all(files)

  const back = { s3: null, s3Before: server.s3, dataDir }
  const later = await open(back)
  await all(later)
  const reversed = await movePlaces(back)
  await moveFiles(reversed.from, reversed.to, () => {})
  expect([server.objects.size, await onDisk()]).toEqual([0, 5])
  await all(await open({ s3: null, dataDir }))
})

test('a drill reads the bucket of the original: what it removes or adds changes nothing there', async () => {
  const original = { s3: server.s3, dataDir }
  const { key } = await (await open(original)).put(10, png, photo)
  const copyDir = await mkdtemp(join(tmpdir(), 'balcao-drill-'))
  const drill = await open({ s3: null, s3Before: server.s3, drill: true, dataDir: copyDir })
  expect(await read(drill, 10, key)).toEqual([photo.name, png])
  await drill.put(10, png, photo)
  await drill.remove(10, key)
  await drill.removeAll(10)
  expect(server.paths().filter(path => path.includes('/10/'))).toEqual([expect.stringContaining(key)])
  await (await open(original)).removeAll(10)
  await rm(copyDir, { recursive: true })
})

test('a file that is removed while it is moved stays removed', async () => {
  const disk = await open({ s3: null, dataDir })
  const { key } = await disk.put(9, png, photo)
  const { from, to } = await movePlaces({ s3: server.s3, dataDir })
  const slow: FileStore = {
    ...to,
    async write(...given) {
      await to.write(...given)
      await disk.remove(9, key)
    },
  }
  await moveFiles(from, slow, () => {})
  expect(server.paths().filter(path => path.includes(key))).toEqual([])
})
