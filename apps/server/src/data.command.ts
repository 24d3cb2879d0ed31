import { resolve } from 'node:path'
import { addFirstLink } from './features/accounts/accounts.actions.ts'
import { firstAdminsIn } from './features/users/users.queries.ts'
import { features } from './features.ts'
import { pathOf } from './platform/access/links.ts'
import { refuseOtherSecret } from './platform/access/sealing-keys.ts'
import { openSecrets } from './platform/access/secrets.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { itemsOf } from './platform/features.ts'
import { refuseOtherPlace } from './platform/files/identity.ts'
import { openPlaces } from './platform/files/places.ts'
import { createLog } from './platform/observe/log.ts'
import { openDatabase, type Sql } from './platform/postgres/db.ts'
import { visitEmbedded } from './platform/postgres/embedded/embedded.ts'
import { isBegun, migrate, migrationNames } from './platform/postgres/migrate.ts'
import { abandonCompany, importCompany, openCompany } from './platform/postgres/transfer/company.import.ts'
import { exportCompany } from './platform/postgres/transfer/company.ts'
import { exportData } from './platform/postgres/transfer/export.ts'
import { importData, NotEmpty, type Opened, openExport } from './platform/postgres/transfer/import.ts'
import type { Command } from './platform/startup/command.ts'
import { databaseAnswers } from './platform/startup/wait-for-servers.ts'
import { openJobs } from './platform/work/jobs.ts'

/**
 * `npm run data -- export FILE` writes all rows and the files of DATA_DIR, with `--company ID` what one company has;
 * `npm run data -- import FILE` reads an export of all into an empty database, with `--company` one company into an installation;
 * `npm run data -- abandon ID` gives up a company that has not arrived completely.
 */
export const dataCommand: Command = async (given, { env, print }) => {
  const [command, name, option, id, ...more] = given
  const isCompany = command === 'export' && option === '--company' && /^\d{1,9}$/.test(id ?? '')
  const isArrival = command === 'import' && option === '--company' && id === undefined
  const isKnown = command === 'export' || command === 'import'
  if (command === 'abandon' && /^\d{1,9}$/.test(name ?? '') && option === undefined)
    return abandon(readConfig(env), Number(name), print)
  if (!name || more.length > 0 || (option && !isCompany && !isArrival) || !isKnown)
    throw new ConfigError(
      'Say what: npm run data -- export FILE or npm run data -- import FILE; of one company: export FILE --company ID, import FILE --company, or abandon ID where that import is given up',
    )
  const config = readConfig(env)
  const file = resolve(name)
  if (isCompany) await exportOne(config, { file, companyId: Number(id) }, print)
  else if (isArrival) await importOne(config, file, print)
  else if (command === 'export') await exportTo(config, file, print)
  else await importFrom(config, file, print)
}

type Print = (line: string) => void

async function exportTo(config: Config, file: string, print: Print) {
  const { tables, files } = await on(config, { make: false }, async url => {
    const { installation } = await openSecrets(config, async () => true)
    return exportData({ url, dataDir: config.dataDir, installation }, file)
  })
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  print(`${file} holds ${Object.keys(tables).length} tables with ${rows} rows, and ${files} files.`)
  if (config.s3 || config.s3Before) print('Files in S3 are not in it.')
  print('What is sealed in it is read with the same JWT_SECRET only, which is not in it.')
}

async function exportOne(
  config: Config,
  { file, companyId }: { file: string; companyId: number },
  print: Print,
) {
  const { company, entries } = await on(config, { make: false }, async url => {
    const { store } = await openPlaces(config)
    return exportCompany({ connection: { connectionString: url }, store, companyId }, file)
  })
  print(
    `${file} holds what ${company.name} has: ${Object.keys(entries).length} tables and files, summed in index.json.`,
  )
  print('Passwords, tokens and the keys of connections are not in it.')
}

async function importOne(config: Config, file: string, print: Print) {
  const opened = await openCompany(file)
  refuseOtherMigrations(opened.index)
  const secrets = await openSecrets(config, async () => true)
  await on(config, { make: false }, async url => {
    const database = openDatabase(url)
    try {
      await refuseOtherSecret(database, secrets, itemsOf(features, 'sealed'))
      await refuseOtherPlace(database, config)
      const { store } = await openPlaces(config)
      const given = { connection: { connectionString: url }, store, carried: itemsOf(features, 'carried') }
      const seal = (id: number) => (value: string) => secrets.seal(id, value)
      const companyId = await importCompany({ ...given, seal }, opened)
      print(`${opened.index.company.name} is company ${companyId}, with every row and file of ${file}.`)
      for (const { email, id } of await database.transaction('', sql => firstLinks(sql, companyId)))
        print(
          `${email} sets a password: ${config.backendUrl}${pathOf(secrets.links, { purpose: 'reset', id })}`,
        )
    } finally {
      await database.close()
    }
  })
  print('Its other users ask for a new password at the login, or get one from an admin.')
  print('Its connections wait to be paired, its webhooks to be switched on.')
}

async function abandon(config: Config, companyId: number, print: Print) {
  const name = await on(config, { make: false }, url => abandonCompany({ connectionString: url }, companyId))
  print(`What came of ${name} (company ${companyId}) is deleted by the running product, in the background.`)
}

/** A link to set a password for each of the first admins: no mail server is needed to get in. */
async function firstLinks(sql: Sql, companyId: number) {
  const links: { email: string; id: string }[] = []
  for (const { id: userId, email } of await firstAdminsIn(sql, companyId))
    links.push({ email, id: await addFirstLink(sql, companyId, { userId, language: 'ptBR' }) })
  return links
}

async function importFrom(config: Config, file: string, print: Print) {
  const opened = await importAll(config, file, { isOurs: true })
  print(
    `All ${opened.manifest.files} files and the rows of ${Object.keys(opened.manifest.tables).length} tables are there.`,
  )
  print('Never run it beside the original: WhatsApp ends a session that two use. DRILL=1 tries it out.')
}

/** Reads an export of all into an empty database; with `isOurs` only with the secret that its content is read with. */
export async function importAll(
  config: Config,
  file: string,
  { isOurs }: { isOurs: boolean },
): Promise<Opened> {
  const opened = await openExport(file)
  refuseOtherMigrations(opened.manifest)
  if (isOurs) await refuseOtherInstallation(config, opened)
  await on(config, { make: true }, async url => {
    await prepareEmpty(url)
    const { store } = await openPlaces(config)
    await importData(url, opened, store)
  })
  return opened
}

/** Makes all tables; throws where there are companies. */
async function prepareEmpty(url: string) {
  const database = openDatabase(url)
  const log = createLog({ logLevel: 'warn' })
  try {
    if (await isBegun(database)) throw new NotEmpty()
    await migrate(database, { log })
    await openJobs({ database, log, working: false }).make()
  } finally {
    await database.close()
  }
}

async function on<T>(
  config: Config,
  { make }: { make: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl)
    return work((await databaseAnswers(config, createLog({ logLevel: 'warn' }))) ?? config.databaseUrl)
  const { url, close } = await visitEmbedded(config.dataDir, { make })
  try {
    return await work(url)
  } finally {
    await close()
  }
}

async function refuseOtherInstallation(config: Config, { manifest }: Opened) {
  const same = config.jwtSecret && (await openSecrets(config, async () => true)).installation
  if (same !== manifest.installation)
    throw new ConfigError(
      'JWT_SECRET takes the one of the installation that was exported (of an embedded one it is the content of DATA_DIR/secret): ' +
        'without it nobody reads its sessions and tokens. Nothing was changed',
    )
}

function refuseOtherMigrations({ migrations, version }: { migrations: string[]; version: string }) {
  if (migrations.join() === migrationNames().sort().join()) return
  throw new ConfigError(
    `It was exported by version ${version}, whose tables are other ones: import it with that version, then upgrade. Nothing was changed`,
  )
}
