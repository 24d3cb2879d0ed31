import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { refuse } from '../errors.ts'
import type { FileStore, FoundFile, Label } from './files.ts'

const DAY = 24 * 60 * 60 * 1000

/**
 * Files in a folder. A file is written whole under another name, reaches the disk, and only then gets its own; its
 * label lies beside it. What a crash left half written is cleared at a later start.
 */
export async function openDisk(folder: string): Promise<FileStore> {
  const unfinished = join(folder, 'unfinished')
  await mkdir(unfinished, { recursive: true })
  await clearOld(unfinished)
  return {
    async write(path, bytes, label) {
      const place = join(folder, path)
      const draft = join(unfinished, randomBytes(8).toString('hex'))
      try {
        await mkdir(dirname(place), { recursive: true })
        await pipeline(bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
        await writeFile(labelOf(place), JSON.stringify(label), { mode: 0o600 })
        await rename(draft, place)
        await syncFolder(dirname(place))
      } catch (error) {
        await rm(draft, { force: true })
        await rm(labelOf(place), { force: true })
        throw error
      }
    },
    async read(path, range) {
      const place = join(folder, path)
      try {
        // opened at once: what is removed meanwhile is read to its end
        const file = await open(place)
        try {
          const { size } = await file.stat()
          if (range && range.start >= size) refuse('ERR_BAD_REQUEST', { field: 'range' })
          const label = JSON.parse(await readFile(labelOf(place), 'utf8')) as Label
          return { stream: file.createReadStream(range), size, label }
        } catch (error) {
          await file.close()
          throw error
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async remove(path) {
      await rm(join(folder, path), { force: true })
      await rm(labelOf(join(folder, path)), { force: true })
    },
    sizeOf: async path => (await stat(join(folder, path)).catch(unlessThere))?.size ?? null,
    removeFolder: path => rm(join(folder, path), { recursive: true, force: true, maxRetries: 3 }),
    listFolder: path => listFolder(join(folder, path)),
    paths: () => pathsUnder(folder),
  }
}

/** What goes meanwhile counts as gone. */
async function* listFolder(folder: string): AsyncIterable<FoundFile> {
  const entries = await opendir(folder, { recursive: true }).catch(unlessThere)
  for await (const entry of entries ?? []) {
    if (!entry.isFile() || isLabel(entry.name)) continue
    const found = await stat(join(entry.parentPath, entry.name)).catch(unlessThere)
    if (found) yield { name: entry.name, bytes: found.size, writtenAt: found.mtimeMs }
  }
}

/** Each in the folder of its company. */
async function* pathsUnder(folder: string): AsyncIterable<string> {
  for (const company of await readdir(folder)) {
    if (!/^\d+$/.test(company)) continue
    const entries = await opendir(join(folder, company), { recursive: true }).catch(unlessThere)
    for await (const entry of entries ?? [])
      if (entry.isFile() && !isLabel(entry.name)) yield relative(folder, join(entry.parentPath, entry.name))
  }
}

function unlessThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

const LABEL = '.json'
/** A file may be JSON itself: its key has one ending, its label two. */
const isLabel = (name: string) => name.endsWith(LABEL) && name.split('.').length > 2
const labelOf = (place: string) => `${place}${LABEL}`

/** Windows cannot open a folder, and does not need to. */
async function syncFolder(folder: string) {
  const handle = await open(folder).catch(() => null)
  await handle?.sync().finally(() => handle.close())
}

async function clearOld(unfinished: string) {
  for (const name of await readdir(unfinished)) {
    // another process may have completed it meanwhile
    const found = await stat(join(unfinished, name)).catch(unlessThere)
    if (found && found.mtimeMs < Date.now() - DAY) await rm(join(unfinished, name), { force: true })
  }
}
