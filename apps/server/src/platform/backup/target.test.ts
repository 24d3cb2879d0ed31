import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { freshFolder } from '../../../testing/process.ts'
import { openProxiedWire } from '../../../testing/proxy.ts'
import { s3Server } from '../../../testing/s3.ts'
import type { BackupConfig } from '../config.ts'
import { basesAt, sendFiles, writeBase } from './base.ts'
import { restorable, restoreFiles } from './restored.ts'
import { removeOld } from './retention.ts'
import { type BackupTarget, openTarget } from './target.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})
const folder = () => {
  const { path, remove } = freshFolder()
  closing.push(remove)
  return path
}
const KEY = 'b1f0c9a7e5d3428697a0b1c2d3e4f506'
const DAY = 24 * 3_600_000
const configOf = (to: BackupConfig['to'], key = KEY): BackupConfig => ({
  ...{ to, key, keep: { daily: 1, weekly: 0, monthly: 0 }, logDays: 0, logMb: 64, mail: null },
})
const opened = async (to: BackupConfig['to'], key?: string) => {
  const target = await openTarget(configOf(to, key))
  closing.push(target.close)
  return target
}

const bucket = await s3Server()
closing.push(bucket.close)
const places: { what: string; to: BackupConfig['to'] }[] = [
  { what: 'a folder', to: { folder: join(folder(), 'backups') } },
  { what: 'a bucket', to: { s3: bucket.s3, prefix: 'casa/' } },
]

/** A DATA_DIR with files of people. */
function data(files: Record<string, string>) {
  const dataDir = folder()
  for (const [name, content] of Object.entries(files)) {
    const path = join(dataDir, 'files', '7', name.slice(0, 2))
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return dataDir
}
const keyOf = (begin: string) => `${begin}${'0'.repeat(30)}.png`
const [one, other, third] = [keyOf('aa'), keyOf('bb'), keyOf('cc')]
const rows = (content: string) => ({
  kind: 'rows' as const,
  async pack(write: (bytes: Readable) => Promise<void>) {
    await write(Readable.from([Buffer.from(content)]))
    return { log: null }
  },
})
const namesIn = async (target: BackupTarget, under: string) => {
  const names: string[] = []
  for await (const { path } of target.under(under)) names.push(path)
  return names.sort()
}

test.each(places)(
  '$what: what is there already is not sent again, and what no backup holds any more is removed, nothing else',
  async ({ to }) => {
    const target = await opened(to)
    const now = Date.now() - 3 * DAY
    const dataDir = data({ [one]: 'um', [other]: 'dois' })
    const first = await writeBase(target, rows('all rows'), { dataDir, now })
    expect(first.index).toMatchObject({ files: 2, fileBytes: 6 })
    expect((await sendFiles(target, dataDir)).sent).toBe(0)
    const later = data({ [other]: 'dois', [third]: 'três' })
    await writeBase(target, rows('all rows'), { dataDir: later, now: Date.now() + 600_000 })
    const [newest] = await restorable(target)
    const out = folder()
    await restoreFiles(target, newest!, out)
    expect(readFileSync(join(out, '7', 'cc', third), 'utf8')).toBe('três')
    // of an operator, beside those of the product
    if ('folder' in to) writeFileSync(join(to.folder, 'notes.txt'), 'mine')
    else bucket.objects.set('/balcao/casa/notes.txt', { body: Buffer.from('mine'), headers: {} })
    await removeOld(target, configOf(to), Date.now() + 900_000)
    expect(await basesAt(target)).toHaveLength(1)
    expect(await namesIn(target, 'files/')).toEqual([`files/7/bb/${other}`, `files/7/cc/${third}`])
    const left = 'folder' in to ? readdirSync(to.folder) : bucket.paths()
    expect(left.filter(name => name.endsWith('notes.txt'))).toHaveLength(1)
    await expect(restorable(await opened(to, `${KEY}0`))).rejects.toThrow(
      'sealed with another BACKUP_KEY than this',
    )
  },
)

test.each(places)(
  '$what: a backup that breaks off is none, and the next one clears what it left',
  async ({ to }) => {
    const target = await opened(to, `${KEY}1`)
    const dataDir = data({ [one]: 'um' })
    const broken = {
      kind: 'rows' as const,
      async pack(write: (bytes: Readable) => Promise<void>) {
        await write(Readable.from([Buffer.from('all rows')]))
        throw new Error('the database is gone')
      },
    }
    await expect(writeBase(target, broken, { dataDir, now: Date.now() })).rejects.toThrow(
      'the database is gone',
    )
    expect(await basesAt(target)).toEqual([])
    async function* failing() {
      yield Buffer.alloc(100_000)
      throw new Error('the source is gone')
    }
    await expect(target.write('bases/20260101T000000Z/data', failing())).rejects.toThrow('the source is gone')
    expect(await namesIn(target, 'bases/20260101T000000Z/')).toEqual([])
    await writeBase(target, rows('all rows'), { dataDir, now: Date.now() + 60_000 })
    expect((await namesIn(target, 'bases/')).length).toBe(3)
    if (!('folder' in to)) expect(bucket.paths().filter(name => name.startsWith('unfinished'))).toEqual([])
  },
)

test.each(['hold', 'reset'] as const)(
  'a bucket that turns to %s is named in one line, and is written to when it is back',
  async way => {
    const wire = await openProxiedWire(bucket.s3.endpoint!)
    closing.push(wire.close)
    const s3 = { ...bucket.s3, endpoint: wire.over(bucket.s3.endpoint!).replace(/\/$/, '') }
    const limits = {
      graceMs: 300,
      bytesPerSecond: 1_000_000,
      connectMs: 300,
      answerMs: 300,
      sendBytesPerSecond: 1_000_000,
    }
    const target = await openTarget(configOf({ s3, prefix: 'longe/' }), limits)
    closing.push(target.close)
    wire[way]()
    await expect(target.write('files/x', Readable.from([Buffer.from('um')]))).rejects.toThrow(
      /^127\.0\.0\.1:\d+, balcao\/longe\/ does not accept or answer \(/,
    )
    wire.flow()
    await expect
      .poll(() => target.write('files/x', Readable.from([Buffer.from('um')])).catch(() => 0))
      .toBeGreaterThan(0)
    expect(await text((await target.read('files/x'))!)).toBe('um')
  },
)

test('a folder that cannot be written is named in one line', async () => {
  const file = join(folder(), 'a-file')
  writeFileSync(file, '')
  const target = await opened({ folder: file })
  await expect(target.write('files/x', Readable.from([Buffer.from('um')]))).rejects.toThrow(
    `${file} does not accept or answer (`,
  )
})
