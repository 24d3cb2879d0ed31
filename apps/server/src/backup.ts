import { resolve } from 'node:path'
import { ConfigError, readConfig } from './platform/config.ts'
import { backUp } from './platform/postgres/embedded/backup.ts'
import { restore } from './platform/postgres/embedded/restore.ts'

/** `npm run backup -- FILE` writes DATA_DIR into a file, beside the running product; `npm run restore -- FILE` reads it into an empty one. */
async function main([command, name]: string[]) {
  if (!name || (command !== 'backup' && command !== 'restore'))
    throw new ConfigError('Say which file: npm run backup -- FILE, or npm run restore -- FILE')
  const { dataDir, databaseUrl, s3 } = readConfig(process.env)
  if (databaseUrl)
    throw new ConfigError('With DATABASE_URL the database is backed up by its own means, such as pg_dump')
  const file = resolve(name)
  if (command === 'backup') {
    await backUp(dataDir, file)
    console.log(`${file} holds all of ${dataDir}.${s3 ? ' Files in S3 are not in it.' : ''}`)
  } else {
    const { companies, messages } = await restore(file, dataDir)
    console.log(`${dataDir} is as it was: ${companies} companies, ${messages} messages.`)
    console.log('Never run it beside the original: WhatsApp ends a session that two use.')
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  error => {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  },
)
