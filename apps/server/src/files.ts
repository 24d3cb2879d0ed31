import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, readConfig } from './platform/config.ts'
import { moveFiles, movePlaces } from './platform/files/places.ts'
import { runProgram } from './platform/startup/command.ts'
import { openDataDir } from './platform/startup/data-dir-lock.ts'

const EVERY_MS = 5_000

/** `npm run files -- move` moves all files into where the product writes them now: the bucket, or with FILES_IN=disk DATA_DIR. */
runProgram(async ([command, ...more]) => {
  if (command !== 'move' || more.length > 0) throw new ConfigError('Say what: npm run files -- move')
  const config = readConfig(process.env)
  if (config.drill)
    throw new ConfigError('DRILL is set: the files are those of the original, and stay where they are')
  if (!config.s3 && !config.s3Before)
    throw new ConfigError('S3_BUCKET is required: files are moved into it, or with FILES_IN=disk out of it')
  await openDataDir(config.dataDir)
  const { from, to, names } = await movePlaces(config)
  let count = 0
  let printedAt = performance.now()
  await moveFiles(from, to, () => {
    count++
    if (performance.now() - printedAt < EVERY_MS) return
    printedAt = performance.now()
    console.log(`${count} files moved`)
  })
  if (config.s3) await removeEmptyFolders(join(config.dataDir, 'files'))
  console.log(`${count} files moved from ${names.from} to ${names.to}: none is left there.`)
})

/** Of companies: the product then knows that nothing is left. A file that comes meanwhile keeps its folder. */
async function removeEmptyFolders(folder: string) {
  for (const company of await readdir(folder)) {
    if (!/^\d+$/.test(company)) continue
    const entries = await readdir(join(folder, company), { recursive: true, withFileTypes: true })
    const folders = entries
      .filter(entry => entry.isDirectory())
      .map(entry => join(entry.parentPath, entry.name))
    // the deepest first; one that is not empty stays, with those above it
    for (const path of [...folders.sort().reverse(), join(folder, company)]) await rmdir(path).catch(() => {})
  }
}
