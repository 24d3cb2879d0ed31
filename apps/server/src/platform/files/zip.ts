import { createWriteStream, type Dirent, existsSync, rmSync } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { ConfigError } from '../config.ts'

export type Adding = ReturnType<typeof adder>

/**
 * Writes a ZIP file; one of that name is replaced when the new one is complete and on the disk. Throws ConfigError where
 * it cannot be written.
 */
export async function writeZip(file: string, fill: (adding: Adding) => Promise<void>): Promise<void> {
  const partial = `${file}.partial`
  try {
    await zipInto(fill, bytes => pipeline(bytes, createWriteStream(partial, { mode: 0o600 })))
    const handle = await open(partial, 'r')
    await handle.sync()
    await handle.close()
    await rename(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    const { code, path, message } = error as NodeJS.ErrnoException
    throw code && path === partial ? new ConfigError(`${file} cannot be written (${message})`) : error
  }
}

/** Makes a ZIP file while `write` reads it; the first failure of either is thrown. */
export async function zipInto(
  fill: (adding: Adding) => Promise<void>,
  write: (bytes: Readable) => Promise<void>,
): Promise<void> {
  const zip = new yazl.ZipFile()
  const bytes = zip.outputStream as Readable
  const filled = async () => {
    try {
      await fill(adder(zip))
      zip.end()
    } catch (error) {
      bytes.destroy(error as Error)
      throw error
    }
  }
  const written = write(bytes).catch(error => {
    // whoever adds waits for its reader, which is gone
    bytes.destroy(error as Error)
    throw error
  })
  await Promise.all([written, filled()])
}

/** Adds one file after the other, so that few are open at once. One that is gone meanwhile is left out. */
function adder(zip: yazl.ZipFile) {
  async function stream(bytes: NodeJS.ReadableStream, name: string) {
    const ended = new Promise<void>((done, fail) => bytes.once('close', done).once('error', fail))
    zip.addReadStream(bytes, name, { mode: 0o100600 })
    await ended
  }
  async function file(path: string, name: string) {
    if (name.endsWith('/')) return zip.addEmptyDirectory(name, { mode: 0o40700 })
    const handle = await open(path, 'r').catch(missing)
    if (!handle) return
    const { size } = await handle.stat()
    await stream(handle.createReadStream(size > 0 ? { end: size - 1 } : {}), name)
  }
  async function tree(path: string, name: string): Promise<void> {
    const entries = await readdir(path, { withFileTypes: true }).catch(notAFolder)
    if (!entries) return existsSync(path) ? file(path, name) : undefined
    for (const entry of entries) await tree(join(path, entry.name), `${name}/${entry.name}`)
  }
  const text = (name: string, content: string) =>
    zip.addBuffer(Buffer.from(content), name, { mode: 0o100600 })
  return { file, tree, text, stream }
}

function missing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return null
  throw error
}

function notAFolder(error: NodeJS.ErrnoException): Dirent[] | null {
  if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return null
  throw error
}
