import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingMeter } from '../../../testing/meter.ts'
import { refusalOf } from '../http/error-answers.ts'
import { type Files, openFiles } from './files.ts'

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

interface Place {
  name: string
  open(): Promise<Files>
  /** What lies there, finished or not. */
  leftovers(): Promise<string[]>
  close(): Promise<void>
}

async function onDisk(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-files-'))
  return {
    name: 'disk',
    open: () => openFiles({ s3: null, dataDir }, meter),
    async leftovers() {
      const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
      return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    },
    close: () => rm(dataDir, { recursive: true }),
  }
}

/** The part of the S3 protocol that the client uses, over objects in memory. */
async function onS3(): Promise<Place> {
  const objects = new Map<string, { body: Buffer; headers: Record<string, string> }>()
  const uploads = new Map<string, { parts: Buffer[]; headers: Record<string, string> }>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://s3.test')
    const body = await buffer(request).catch(() => null)
    if (!body) return
    const upload = searchParams.get('uploadId') ?? ''
    if (request.method === 'POST' && searchParams.has('uploads')) {
      const made = randomBytes(4).toString('hex')
      uploads.set(made, { parts: [], headers: kept(request) })
      return xml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (request.method === 'PUT' && upload) {
      uploads.get(upload)!.parts[Number(searchParams.get('partNumber')) - 1] = body
      return response.setHeader('ETag', '"part"').end()
    }
    if (request.method === 'POST' && upload) {
      const { parts, headers } = uploads.get(upload)!
      objects.set(pathname, { body: Buffer.concat(parts), headers })
      uploads.delete(upload)
      return xml(
        response,
        '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>',
      )
    }
    if (request.method === 'PUT') {
      objects.set(pathname, { body, headers: kept(request) })
      return response.setHeader('ETag', '"whole"').end()
    }
    if (request.method === 'DELETE') {
      if (upload) uploads.delete(upload)
      else objects.delete(pathname)
      return response.writeHead(204).end()
    }
    if (searchParams.has('list-type')) return list(response, objects, searchParams.get('prefix')!)
    send(response, objects.get(pathname), request.headers.range)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const s3 = {
    bucket: 'balcao',
    region: 'sa-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: 'id',
    secretAccessKey: 'key',
    forcePathStyle: true,
  }
  return {
    name: 'S3',
    open: () => openFiles({ s3, dataDir: '/nowhere' }, meter),
    leftovers: async () => [...objects.keys(), ...[...uploads.keys()].map(id => `unfinished ${id}`)],
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const xml = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)

const BUCKET = '/balcao/'

const list = (response: ServerResponse, objects: Map<string, { body: Buffer }>, prefix: string) =>
  xml(
    response,
    `<ListBucketResult><IsTruncated>false</IsTruncated>${[...objects]
      .map(([path, { body }]) => ({ key: path.slice(BUCKET.length), size: body.length }))
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, size }) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`)
      .join('')}</ListBucketResult>`,
  )

const kept = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-') || name === 'content-type'),
  ) as Record<string, string>

function send(
  response: ServerResponse,
  object: { body: Buffer; headers: Record<string, string> } | undefined,
  range?: string,
) {
  if (!object) return xml(response, '<Error><Code>NoSuchKey</Code></Error>', 404)
  for (const [name, value] of Object.entries(object.headers)) response.setHeader(name, value)
  const { body } = object
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (!start) return response.setHeader('content-length', body.length).end(body)
  if (Number(start) >= body.length) return xml(response, '<Error><Code>InvalidRange</Code></Error>', 416)
  response.setHeader(
    'content-range',
    `bytes ${start}-${Math.min(Number(end), body.length - 1)}/${body.length}`,
  )
  response.writeHead(206).end(body.subarray(Number(start), Number(end) + 1))
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
    expect(await place.leftovers()).toHaveLength(before.length + (place.name === 'disk' ? 2 : 1))
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
    expect(left.sort()).toEqual([key, `${key}.json`, 'fresh'].sort())
    await place.close()
  })
})

it.skipIf(process.platform !== 'linux')(
  'on a full disk are refused in words, and it is known until one is kept again',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'balcao-full-'))
    const files = await openFiles({ s3: null, dataDir }, meter)
    const { key } = await files.put(7, png, { ...photo, from: 'cheio' })
    await files.remove(7, key)
    // what is written here finds no room
    await symlink('/dev/full', join(dataDir, 'files', '7', key.slice(0, 2), `${key}.json`))
    const failure = await files.put(7, png, { ...photo, from: 'cheio' }).catch((error: unknown) => error)
    expect([refusalOf(failure).code, files.isFull()]).toEqual(['ERR_DISK_FULL', true])
    await files.put(7, png, photo)
    expect(files.isFull()).toBe(false)
    await rm(dataDir, { recursive: true })
  },
)
