import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type Examined,
  examineAround,
  examineDatabase,
  examineMachine,
  groupsOf,
} from './features/systemControl/doctor/doctor.worker.ts'
import { exitCodeOf, type Finding, finding, linesOf } from './features/systemControl/doctor/findings.rules.ts'
import { databasePart, packetOf, writePacket } from './features/systemControl/doctor/packet.export.ts'
import { features } from './features.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { whyItFailed } from './platform/observe/log-errors.ts'
import { type Database, openDatabase } from './platform/postgres/db.ts'
import { visitEmbedded } from './platform/postgres/embedded/embedded.ts'
import { runProgram } from './platform/startup/command.ts'
import { serverBehind } from './platform/startup/wait-for-servers.ts'

/**
 * `npm run doctor`: looks at everything that an installation needs, beside the running product or without it, and writes
 * nothing. `--json`: for programs; `--packet FILE`: also a file for who helps, without data of people. Ends with 0, or 1 where
 * something is to be looked at, or 2 where something does not work.
 */
runProgram(async (args, { env, print }) => {
  const { json, packet } = optionsIn(args)
  if (packet !== undefined && existsSync(packet))
    throw new ConfigError(`${packet} is there already: name a new file`)
  const config = configOr(env)
  const { findings, database } = Array.isArray(config)
    ? { findings: config, database: null }
    : await examine({ config, env, features }, { isForPacket: packet !== undefined })
  if (json) print(JSON.stringify(findings, null, 2))
  else for (const line of linesOf(findings)) print(line)
  if (packet !== undefined && !Array.isArray(config))
    writePacket(packet, packetOf(config, env, findings, database))
  process.exitCode = exitCodeOf(findings)
})

function optionsIn(args: string[]): { json: boolean; packet: string | undefined } {
  try {
    const options = { json: { type: 'boolean', default: false }, packet: { type: 'string' } } as const
    const { values } = parseArgs({ args, options })
    if (values.packet === '') throw new Error('--packet takes a file')
    return { json: values.json, packet: values.packet }
  } catch (error) {
    throw new ConfigError(`Say npm run doctor -- [--json] [--packet FILE] (${(error as Error).message})`)
  }
}

/** What is wrong with the variables is a line each. */
function configOr(env: NodeJS.ProcessEnv): Config | Finding[] {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
      .split('\n')
      .map(line => finding('variables', 'bad', line, 'correct it: a start is refused'))
  }
}

async function examine(examined: Examined, { isForPacket }: { isForPacket: boolean }) {
  const findings = await examineMachine(examined)
  const reached = await reach(examined.config)
  if (!('database' in reached)) findings.push(reached)
  else findings.push(...(await examineDatabase(reached.database, examined)))
  findings.push(...(await examineAround(examined)))
  if (!('database' in reached)) return { findings, database: null }
  const database = isForPacket ? await databasePart(reached.database, groupsOf(features)) : null
  await reached.leave()
  return { findings, database }
}

/** The embedded database is started where the product does not run, and stopped again; none is made. */
async function reach(config: Config): Promise<{ database: Database; leave(): Promise<void> } | Finding> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !existsSync(dataDir))
    return finding('database', 'warn', 'DATA_DIR is not there', 'the first start makes it')
  try {
    const embedded = databaseUrl ? null : await visitEmbedded(dataDir, { make: false })
    const directUrl = databaseUrl ? await serverBehind(config) : null
    const database = openDatabase(embedded?.url ?? databaseUrl!, 2, { directUrl })
    const leave = async () => {
      await database.close()
      await embedded?.close()
    }
    const failure = await database.ping().then(
      () => null,
      (error: unknown) => error,
    )
    if (failure === null) return { database, leave }
    await leave()
    return unreached(whyItFailed(failure))
  } catch (error) {
    return unreached(error instanceof ConfigError ? error.message : whyItFailed(error))
  }
}

const unreached = (why: string) =>
  finding(
    'database',
    'bad',
    `cannot be reached (${why})`,
    'look at DATABASE_URL or DATA_DIR, and at the server',
  )
