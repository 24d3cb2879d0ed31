import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { openSecrets } from './platform/access/secrets.ts'
import { ConfigError, readConfig } from './platform/config.ts'
import { Memory } from './platform/memory.ts'
import { createLog } from './platform/observe/log.ts'
import { openDatabase } from './platform/postgres/db.ts'
import { visitEmbedded } from './platform/postgres/embedded/embedded.ts'
import { isBegun, migrate } from './platform/postgres/migrate.ts'
import { scopes } from './platform/scope.ts'
import { databaseAnswers } from './platform/startup/wait-for-servers.ts'
import { makeStandardPlan } from './seed/first-start.ts'
import { makeMaster } from './seed/master.ts'

/** `npm run master -- EMAIL`: makes a master of the platform, or gives one a new password. */
async function main([email]: string[]) {
  if (!email) throw new ConfigError('Say whose: npm run master -- EMAIL')
  const password = process.env.MASTER_PASSWORD || (await ask(`Password for ${email}: `))
  const config = readConfig({ ...process.env, MASTER_EMAIL: email, MASTER_PASSWORD: password || 'none' })
  const embedded = config.databaseUrl ? null : await visitEmbedded(config.dataDir, { make: true })
  const database = openDatabase(embedded?.url ?? config.databaseUrl!)
  const log = createLog(config)
  if (config.databaseUrl) await databaseAnswers(database, config.databaseUrl, log)
  // whoever begins a database makes its secret: none is made beside one that is begun
  await openSecrets(config, () => isBegun(database))
  await migrate(database, { log })
  const anonymous = () => {
    throw new Error('nothing is announced here')
  }
  const platformScope = scopes({
    database,
    memory: new Memory(),
    log,
    timeZone: config.tzDefault,
    publish: anonymous,
    involve: anonymous,
    enqueue: anonymous,
  }).platform()
  await makeStandardPlan(platformScope)
  const done = await makeMaster(platformScope, { email, password, platformName: config.platformName })
  await database.close()
  await embedded?.close()
  console.log(
    done === 'made'
      ? `${email} is master of the platform and can log in.`
      : `${email} is master of the platform, with the new password; its sessions were ended.`,
  )
}

/** What is typed is not shown; what a pipe brings is read to the end of its line. */
function ask(question: string): Promise<string> {
  const dark = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: dark, terminal: stdin.isTTY === true })
  if (stdin.isTTY) stdout.write(question)
  return new Promise(done => {
    lines.once('line', line => {
      done(line)
      lines.close()
      if (stdin.isTTY) stdout.write('\n')
    })
    lines.once('close', () => done(''))
  })
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  error => {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  },
)
