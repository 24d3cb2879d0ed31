import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingMeter } from '../../../testing/meter.ts'
import { s3Server } from '../../../testing/s3.ts'
import { refusalOf } from '../http/error-answers.ts'
import { type Files, openFiles } from './files.ts'
import { s3Accepts } from './s3.ts'

const { meter, counted } = countingMeter()
/** A company of which nothing is kept. */
let newest = 70

const MB = 1024 * 1024
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const photo = { name: 'foto.png', type: 'image/png' }

/** A file of this size that begins like a picture or a PDF, in pieces as a network brings them. */
async function* pieces(start: Buffer, size: number) {
  yield start
  for (let sent = start.length; sent < size; sent += 64 * 1024)
    yield Buffer.alloc(Math.min(64 * 1024, size - sent), sent % 251)
}

/** What a process reads that is frozen on the way, and then finds that its source is gone. */
async function* sleeping(isWoken: Promise<void>) {
  yield* pieces(png, MB)
  await isWoken
  throw new Error('the source is gone')
}

/** A file that breaks off. */
async function* failing(error: Error) {
  yield* pieces(png, MB)
  throw error
}

interface Place {
  open(): Promise<Files>
  /** What lies there, finished or not. */
  leftovers(): Promise<string[]>
  close(): Promise<void>
}

async function onDisk(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-files-'))
  return {
    open: () => openFiles({ s3: null, dataDir }, meter),
    async leftovers() {
      const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
      return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    },
    close: () => rm(dataDir, { recursive: true }),
  }
}

async function onS3(): Promise<Place> {
  const server = await s3Server()
  return {
    open: () => openFiles({ s3: server.s3, dataDir: '/nowhere' }, meter),
    leftovers: async () => server.paths(),
    close: async () => server.close(),
  }
}

describe.each([
  ['on disk', onDisk],
  ['on S3', onS3],
])('files %s', (_where, start) => {
  let place: Place
  let files: Files
  beforeAll(async () => {
    place = await start()
    files = await place.open()
  })
  afterAll(() => place.close())

  it('are counted as they are kept, replaced and removed', async () => {
    const company = ++newest
    const first = await files.put(company, png, { ...photo, from: 'um' })
    await files.put(company, png, photo)
    expect(counted(company)).toEqual({ files: 2, bytes: 2 * png.length })
    await files.put(company, Buffer.concat([png, Buffer.alloc(10)]), { ...photo, from: 'um' })
    expect(counted(company)).toEqual({ files: 2, bytes: 2 * png.length + 10 })
    for (let times = 0; times < 2; times++) await files.remove(company, first.key)
    expect(counted(company)).toEqual({ files: 1, bytes: png.length })
  })

  it('come back as they were, with their name, type, size, sum and measures', async () => {
    const kept = await files.put(7, png, { ...photo, name: 'Férias à praia.png' })
    expect(kept).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{32}\.png$/),
      name: 'Férias à praia.png',
      type: 'image/png',
      kind: 'image',
      size: png.length,
      sha256: createHash('sha256').update(png).digest('hex'),
      seconds: null,
      width: 1,
      height: 1,
    })
    const { stream, ...about } = await files.open(7, kept.key)
    expect(about).toEqual({ size: png.length, name: 'Férias à praia.png', type: 'image/png', inline: true })
    expect(await buffer(stream)).toEqual(png)
  })

  it('are counted by company, and are all gone when it goes', async () => {
    const other = await files.put(99, png, photo)
    const company = 98
    expect(await files.sizeOf(company)).toEqual({ files: 0, bytes: 0 })
    for (let at = 0; at < 3; at++) await files.put(company, png, photo)
    expect(await files.sizeOf(company)).toEqual({ files: 3, bytes: 3 * png.length })
    await files.removeAll(company)
    expect(await files.sizeOf(company)).toEqual({ files: 0, bytes: 0 })
    expect((await files.sizeOf(99)).files).toBe(1)
    await files.remove(99, other.key)
  })

  it('survive a restart', async () => {
    const { key } = await files.put(7, png, photo)
    const { stream, name } = await (await place.open()).open(7, key)
    expect([name, await buffer(stream)]).toEqual(['foto.png', png])
  })

  it('that are large pass through piece by piece', async () => {
    const size = 30 * MB
    const given = { name: 'contrato.pdf', type: 'application/pdf' }
    const kept = await files.put(7, Readable.from(pieces(Buffer.from('%PDF-1.7'), size)), given)
    expect(kept).toMatchObject({ size, type: 'application/pdf', kind: 'document' })
    const sum = createHash('sha256')
    for await (const chunk of (await files.open(7, kept.key)).stream) sum.update(chunk)
    expect(sum.digest('hex')).toBe(kept.sha256)
  })

  it('are read in part, as players ask for', async () => {
    const { key } = await files.put(7, png, photo)
    const part = await files.open(7, key, { start: 1, end: 3 })
    expect(part.size).toBe(png.length)
    expect((await buffer(part.stream)).toString()).toBe('PNG')
    const rest = await files.open(7, key, { start: 60, end: 999_999 })
    expect(await buffer(rest.stream)).toEqual(png.subarray(60))
    await expect(files.open(7, key, { start: 999, end: 1000 })).rejects.toMatchObject({
      code: 'ERR_BAD_REQUEST',
    })
  })

  it('of one company are not found by another, and no key leads elsewhere', async () => {
    const { key } = await files.put(7, png, photo)
    for (const [company, name] of [
      [8, key],
      [7, `../7/${key}`],
      [7, `${key}.json`],
      [7, '../../secret'],
      [7, ''],
    ] as const)
      await expect(files.open(company, name)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' })
    await files.remove(8, key)
    const { stream } = await files.open(7, key)
    stream.destroy()
  })

  it('that are removed are gone, and removing again is no error', async () => {
    const before = await place.leftovers()
    const { key } = await files.put(7, png, photo)
    await files.remove(7, key)
    await files.remove(7, key)
    await files.remove(7, '../../secret')
    await expect(files.open(7, key)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' })
    expect(await place.leftovers()).toEqual(before)
  })

  it('never share a name, however many arrive at once', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => files.put(7, png, photo)))
    expect(new Set(all.map(({ key }) => key)).size).toBe(30)
  })

  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing that may hold scripts', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a program', 'MZ\x90\0\x03\0\0\0'],
    ['nothing', ''],
  ])('that are %s are refused, and leave nothing', async (_what, content) => {
    const before = await place.leftovers()
    const refused = files.put(7, Buffer.from(content, 'latin1'), photo)
    await expect(refused).rejects.toMatchObject({ code: 'ERR_FILE_TYPE' })
    expect(await place.leftovers()).toEqual(before)
  })

  it('that a customer sent are kept even so, and only ever saved', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const kept = await files.put(7, page, { name: 'a.html', type: 'text/html', unknown: 'keep' })
    expect(kept).toMatchObject({ type: 'application/octet-stream', kind: 'document' })
    const { stream, inline } = await files.open(7, kept.key)
    expect(inline).toBe(false)
    expect(await buffer(stream)).toEqual(page)
    expect(await files.put(7, Buffer.alloc(0), { name: '', type: '', unknown: 'keep' })).toMatchObject({
      size: 0,
      name: 'file.bin',
    })
  })

  it('that are too large for their kind are refused while they arrive, and leave nothing', async () => {
    const before = await place.leftovers()
    const source = Readable.from(pieces(png, 40 * MB))
    await expect(files.put(7, source, photo)).rejects.toMatchObject({
      code: 'ERR_FILE_TOO_LARGE',
      details: { limit: 16 * MB },
    })
    expect(source.destroyed).toBe(true)
    expect(await files.put(7, Readable.from(pieces(png, 16 * MB)), photo)).toMatchObject({ size: 16 * MB })
    expect(await place.leftovers()).toHaveLength(before.length + 1)
  })

  it('whose sender hangs up leave nothing', async () => {
    const before = await place.leftovers()
    async function* broken() {
      yield* pieces(png, 12 * MB)
      throw new Error('the sender hung up')
    }
    await expect(files.put(7, broken(), photo)).rejects.toThrow('the sender hung up')
    expect(await place.leftovers()).toEqual(before)
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\fotos\\eu.png', 'eu.png'],
    ['nota\u202Egnp.exe\r\n', 'notagnp.exe'],
    [`${'a'.repeat(300)}.png`, `${'a'.repeat(100)}${'a'.repeat(96)}.png`],
    ['\0', 'file.png'],
  ])('named %j are called %j', async (given, name) => {
    expect((await files.put(7, png, { ...photo, name: given })).name).toBe(name)
  })
})

describe('files on disk', () => {
  it('are readable by this user alone', async () => {
    const place = await onDisk()
    await (await place.open()).put(7, png, photo)
    for (const path of await place.leftovers()) expect((await stat(path)).mode & 0o077).toBe(0)
    await place.close()
  })

  it('that another process has kept meanwhile stay, whole and with their name, when a frozen one wakes and fails', async () => {
    const place = await onDisk()
    const [files, heir] = [await place.open(), await place.open()]
    const { promise: isWoken, resolve: wake } = Promise.withResolvers<void>()
    const frozen = files.put(7, sleeping(isWoken), { ...photo, from: 'um' }).catch((error: unknown) => error)
    const { key } = await heir.put(7, png, { ...photo, from: 'um' })
    wake()
    expect(await frozen).toBeInstanceOf(Error)
    const { stream, ...about } = await heir.open(7, key)
    expect(about).toEqual({ size: png.length, name: 'foto.png', type: 'image/png', inline: true })
    expect(await buffer(stream)).toEqual(png)
    expect((await place.leftovers()).map(path => path.split('/').at(-1))).toEqual([key])
    await place.close()
  })

  it('that an earlier version kept, their label beside them, are read, counted and replaced', async () => {
    const place = await onDisk()
    const files = await place.open()
    const { key } = await files.put(7, png, { ...photo, from: 'um' })
    const [path] = await place.leftovers()
    await writeFile(path!, png)
    await expect(files.open(7, key)).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' })
    await writeFile(`${path}.json`, JSON.stringify({ name: 'antes.png', type: 'image/png' }))
    const { stream, ...about } = await files.open(7, key, { start: 1, end: 3 })
    expect(about).toEqual({ size: png.length, name: 'antes.png', type: 'image/png', inline: true })
    expect((await buffer(stream)).toString()).toBe('PNG')
    expect(await files.sizeOf(7)).toEqual({ files: 1, bytes: png.length })
    await files.put(7, png, { ...photo, from: 'um' })
    const replaced = await files.open(7, key)
    expect([replaced.name, await buffer(replaced.stream)]).toEqual(['foto.png', png])
    await files.remove(7, key)
    expect(await place.leftovers()).toEqual([])
    await place.close()
  })

  it('that a crash left unfinished are cleared a day later', async () => {
    const place = await onDisk()
    const files = await place.open()
    const { key } = await files.put(7, png, photo)
    const folder = (await place.leftovers())[0]!.split('/files/')[0]!
    for (const [name, hours] of [
      ['old', 25],
      ['fresh', 1],
    ] as const) {
      const path = join(folder, 'files', 'unfinished', name)
      await writeFile(path, 'half')
      await utimes(path, new Date(), Date.now() / 1000 - hours * 3600)
    }
    await place.open()
    const left = (await place.leftovers()).map(path => path.split('/').at(-1))
    expect(left.sort()).toEqual([key, 'fresh'].sort())
    await place.close()
  })
})

it('on a full disk are refused in words, and it is known until one is kept again', async () => {
  const place = await onDisk()
  const files = await place.open()
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
  const failure = await files.put(7, failing(full), photo).catch((error: unknown) => error)
  expect([refusalOf(failure).code, files.isFull()]).toEqual(['ERR_DISK_FULL', true])
  await files.put(7, png, photo)
  expect(files.isFull()).toBe(false)
  await place.close()
})

describe('a server of files', () => {
  const s3 = { bucket: 'balcao', region: 'sa-east-1', accessKeyId: 'id', secretAccessKey: 'key' }
  const at = (port: number) => ({ ...s3, endpoint: `http://127.0.0.1:${port}`, forcePathStyle: true })

  it('that does not answer is named as such, and not as the database; a start is not refused', async () => {
    const lines: string[] = []
    const log = { warn: (...line: unknown[]) => lines.push(JSON.stringify(line)), info: () => {} }
    const files = await openFiles({ s3: at(9), dataDir: '/nowhere' }, meter, log)
    const failures = await Promise.all(
      [files.put(7, png, photo), files.open(7, `${'0'.repeat(32)}.png`)].map(work =>
        work.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    )
    expect(failures.map(error => refusalOf(error).code)).toEqual([
      'ERR_FILE_STORE_UNAVAILABLE',
      'ERR_FILE_STORE_UNAVAILABLE',
    ])
    expect(files.server?.state()).toMatchObject({ isUp: false, why: expect.stringContaining('ECONNREFUSED') })
    expect(lines).toEqual([expect.stringContaining('the server of files does not answer')])
    files.close()
    await s3Accepts(at(9))
  })

  it.each([
    [
      'NoSuchBucket',
      404,
      /^S3_BUCKET names a bucket that is not there \(127\.0\.0\.1:\d+, bucket balcao: NoSuchBucket\)$/,
    ],
    ['InvalidAccessKeyId', 403, /^S3_ACCESS_KEY_ID is not known there/],
    ['SignatureDoesNotMatch', 403, /^S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID/],
  ])('that answers %s ends a start in one line that names the variable', async (code, status, line) => {
    const server = createServer((_request, response) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`),
    ).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    await expect(s3Accepts(at((server.address() as AddressInfo).port))).rejects.toThrow(line)
    server.closeAllConnections()
    server.close()
  })
})
