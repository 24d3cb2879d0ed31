import { readdir, stat, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseNow } from '../../../platform/clock.ts'

/** How Baileys names what it writes down of a file on its way out. */
const UPLOAD = /^(image|video|audio|document|sticker)3EB0[0-9A-F]{18}-(enc|original)$/
const OLD_MS = 3_600_000

/** Removes what a process that was killed in the middle of an upload left behind; of others nothing is that old. */
export async function sweepUploads(folder = tmpdir()): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(name => UPLOAD.test(name))) {
    const path = join(folder, name)
    const age = await stat(path).then(
      ({ mtimeMs }) => databaseNow() - mtimeMs,
      () => 0,
    )
    if (age > OLD_MS) await unlink(path).catch(() => {})
  }
}
