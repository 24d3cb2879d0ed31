import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, deflate } from 'node:zlib'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { postgresClient } from '../outbound/postgres.client.ts'
import { type Repeated, repeat, whenAsked } from '../work/repeat.ts'
import {
  type LogStretch,
  lsnOf,
  positionOfLsn,
  positionOfSegment,
  SEGMENT,
  segmentAt,
  stretchObject,
} from './names.ts'
import { type BackupTarget, openTarget } from './target.ts'

/** How often (ms) the log is sent: so much is lost at most where the machine burns. */
const SEND_MS = 60_000

/** A transaction has its time some moments before its end is in the log: this much (ms) of the log counts as not sent yet. */
const SETTLES_MS = 10_000

/** How slots begin that keep the log of the embedded database until it is sent. */
export const SLOTS = 'balcao_log_'

const LOCK = 7_262_475

/** The key of `settings` that says how far the log is sent. */
export const LOG_STATE = 'backups.log'

export interface LogState {
  /** Until when everything that was committed is at the target; null before the first time. */
  covers: string | null
  /** Why it is not sent; empty while it is. */
  why: string
}

/**
 * Sends the write-ahead log of the embedded database to BACKUP_TO each minute, as far as it is written, in one process of
 * those on DATA_DIR. A replication slot keeps what is not sent, also across crashes and restarts; a target that is away longer
 * than BACKUP_LOG_MB lasts ends the stream, so that the disk does not fill: the next backup begins another. Without
 * BACKUP_TO, slots of before are dropped.
 */
export function sendLog(
  config: Pick<Config, 'backup' | 'dataDir' | 'databaseUrl' | 'drill'>,
  url: string,
  log: Logger,
  everyMs = SEND_MS,
): Repeated | null {
  if (config.databaseUrl || config.drill) return null
  const { backup } = config
  const isWanted = backup !== null && backup.logDays > 0
  const sender = openSender(config, url, log)
  const work = isWanted ? sender.send : sender.forget
  const repeated = isWanted ? repeat(everyMs, work, log) : whenAsked(work, log)
  repeated.now()
  return {
    now: repeated.now,
    async stop() {
      // a target that is silent keeps no stop waiting: the slot keeps what is not sent
      await Promise.race([repeated.stop(), sleep(STOP_MS, null, { ref: false })])
      await sender.close()
    },
  }
}

/** So long (ms) a stop waits for what is being sent. */
const STOP_MS = 5_000

interface Slot {
  name: string
  restart: string
  isLost: boolean
}

function openSender({ backup, dataDir }: Pick<Config, 'backup' | 'dataDir'>, url: string, log: Logger) {
  let client: pg.Client | null = null
  let target: BackupTarget | null = null
  let failing = ''

  async function connected(): Promise<pg.Client> {
    if (client) return client
    const fresh = postgresClient({ connectionString: url })
    fresh.on('error', () => {})
    fresh.once('end', () => {
      if (client === fresh) client = null
    })
    await fresh.connect()
    client = fresh
    return fresh
  }

  async function sendAll(sql: pg.Client) {
    await keepAtMost(sql, backup!.logMb)
    const slot = await slotFor(sql, log)
    target ??= await openTarget(backup!)
    const covers = await sendFrom(sql, slot, { target, folder: join(dataDir, 'postgres', 'pg_wal') })
    await noteState(sql, { covers: new Date(covers).toISOString(), why: '' })
    if (failing) log.info({ target: target.place }, 'the log of the database is sent again')
    failing = ''
  }

  return {
    async send() {
      const sql = await connected()
      const { rows } = await sql.query<{ mine: boolean }>(MINE, [LOCK])
      if (!rows[0]!.mine) return
      await sendAll(sql).catch(async error => {
        if (!(error instanceof ConfigError)) throw error
        if (error.message !== failing)
          log.warn({ why: error.message }, 'the log of the database is not sent: it is kept and tried again')
        failing = error.message
        await noteState(sql, { covers: null, why: error.message })
      })
    },
    /** Once: nothing keeps the log any more. */
    async forget() {
      const sql = await connected()
      await dropSlots(sql, `${SLOTS}%`)
      await sql.query('delete from settings where key = $1', [LOG_STATE])
      await sql.end()
    },
    async close() {
      target?.close()
      await client?.end().catch(() => {})
    },
  }
}

/** Held as long as the session is there. */
const MINE = `select exists (select from pg_locks where locktype = 'advisory' and objid = $1::bigint and pid = pg_backend_pid())
  or pg_try_advisory_lock($1::bigint) as mine`

/** The slot whose stream goes on; a new one where there is none, or the database gave it up for its size. */
async function slotFor(sql: pg.Client, log: Logger): Promise<Slot> {
  const [slot] = await slots(sql)
  if (slot && !slot.isLost) return slot
  if (slot) {
    log.error(
      'the log of the database was not sent in time, and is not complete: a new backup begins it again',
    )
    await dropSlots(sql, slot.name)
  }
  await sql.query('select pg_create_physical_replication_slot($1, true)', [
    `${SLOTS}${randomBytes(6).toString('hex')}`,
  ])
  return (await slots(sql))[0]!
}

/** The stream that the log is sent in now; null where it is not. */
export async function currentStream(sql: Pick<pg.Client, 'query'>): Promise<string | null> {
  const [slot] = await slots(sql)
  return slot && !slot.isLost ? streamOf(slot) : null
}

const streamOf = ({ name }: Slot) => name.slice(SLOTS.length)

async function slots(sql: Pick<pg.Client, 'query'>): Promise<Slot[]> {
  const { rows } = await sql.query<Slot>(
    `select slot_name as name, restart_lsn::text as restart, restart_lsn is null or wal_status = 'lost' as "isLost"
     from pg_replication_slots where slot_name like '${SLOTS}%' order by 3, 1`,
  )
  return rows
}

const dropSlots = (sql: pg.Client, like: string) =>
  sql.query(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like $1 and not active',
    [like],
  )

/** The bound is a setting of the cluster, since whoever starts its server need not know BACKUP_LOG_MB. */
async function keepAtMost(sql: pg.Client, mb: number) {
  const { rows } = await sql.query<{ mb: string }>(
    `select setting as mb from pg_settings where name = 'max_slot_wal_keep_size'`,
  )
  if (Number(rows[0]!.mb) === mb) return
  await sql.query(`alter system set max_slot_wal_keep_size = '${mb}MB'`)
  await sql.query('select pg_reload_conf()')
}

/** Sends all that is written; answers until when what was committed is sent. */
async function sendFrom(
  sql: pg.Client,
  slot: Slot,
  { target, folder }: { target: BackupTarget; folder: string },
) {
  const { rows } = await sql.query<{ now: Date; flushed: string; timeline: number }>(
    `select clock_timestamp() as now, pg_current_wal_flush_lsn()::text as flushed,
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`,
  )
  const { now, flushed, timeline } = rows[0]!
  const end = positionOfLsn(flushed)
  for (let position = positionOfLsn(slot.restart); position < end; ) {
    const segment = segmentAt(timeline, position)
    const begin = positionOfSegment(segment)
    const until = Math.min(begin + SEGMENT, end)
    const stretch: LogStretch = {
      ...{ stream: streamOf(slot), segment, start: position - begin, end: until - begin },
      covers: until === end ? now.getTime() - SETTLES_MS : null,
      sentAt: now.getTime(),
    }
    const bytes = await readStretch(join(folder, segment), stretch)
    const packed = await promisify(deflate)(bytes, { level: constants.Z_BEST_SPEED })
    await target.write(stretchObject(stretch), Readable.from([packed]))
    // what the slot does not keep any more is at the target
    await sql.query('select pg_replication_slot_advance($1, $2::pg_lsn)', [slot.name, lsnOf(until)])
    position = until
  }
  return now.getTime() - SETTLES_MS
}

async function readStretch(path: string, { start, end }: LogStretch): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(end - start)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    if (bytesRead < bytes.length) throw new Error(`${path} is shorter than its log`)
    return bytes
  } finally {
    await file.close()
  }
}

/** A failure keeps how far it was sent. */
const noteState = (sql: pg.Client, state: LogState) =>
  sql.query(
    `insert into settings (key, value) values ($1, $2::text)
     on conflict (key) do update set value = case when $3 then excluded.value
       else ($2::jsonb || jsonb_build_object('covers', settings.value::jsonb->'covers'))::text end`,
    [LOG_STATE, JSON.stringify(state), state.why === ''],
  )
