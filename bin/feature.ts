import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOf, stepsOf } from './feature/files.ts'
import { finished } from './prepare/run.js'
import { here } from './rules/house.ts'

const args = process.argv.slice(2)
const name = args.find(arg => !arg.startsWith('-'))

try {
  if (!name) throw new Error('Say which: npm run feature NAME, or npm run feature NAME -- --write')
  const files = filesOf(name)
  if (args.includes('--write')) await write(files.filter(({ path }) => !existsSync(join(here, path))))
  for (const { path, says } of files)
    console.log(`${existsSync(join(here, path)) ? '✓' : ' '} ${path.padEnd(58)} ${says}`)
  console.log(`\nThen:\n  ${stepsOf(name).join('\n  ')}`)
  if (!args.includes('--write'))
    console.log(`\nTo write the files that are missing: npm run feature ${name} -- --write`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

/** A file that stands is never touched. */
async function write(files: ReturnType<typeof filesOf>) {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(here, path)), { recursive: true })
    writeFileSync(join(here, path), text)
  }
  if (files.length > 0) await format(files.map(({ path }) => path))
}

function format(paths: string[]) {
  return finished(
    process.execPath,
    [join(here, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', ...paths],
    {
      cwd: here,
      quiet: true,
    },
  )
}
