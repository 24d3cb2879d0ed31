import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Platform } from '../../platform/app.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { and, desc, eq, ne, sql as tag } from '../../platform/sql.ts'
import { users } from '../users/users.table.ts'
import { type NumberTold, numberAskedTopic, numberToldTopic } from './connections.events.ts'
import { whatsapps } from './connections.table.ts'

/** Nobody waits longer for a network that hangs. */
const PATIENCE_MS = 5_000
const DAY_MS = 86_400_000
/** A number that is asked for many others is one that WhatsApp shuts out. */
const ASKED_A_DAY = 200

export interface FoundNumber {
  exists: boolean
  /** As WhatsApp writes it; as it was asked for where nobody has it. */
  number: string
}

/** What this process knows, and how often it asked today. */
interface Known {
  answers: LRUCache<string, FoundNumber>
  day: number
  asked: number
}
const known = new WeakMap<Platform, Known>()

/**
 * Whether a number has WhatsApp, asked over the notification centre, else over another connection of the company that
 * runs the platform; a customer's is never used for strangers. Refuses with ERR_NO_DEF_WAPP_FOUND where none is
 * connected, with ERR_WAPP_CHECK_CONTACT where it does not answer in time, and with ERR_TOO_MANY_REQUESTS.
 */
export async function lookUpNumber(platform: Platform, number: string): Promise<FoundNumber> {
  const memory = memoryOf(platform)
  const before = memory.answers.get(number)
  if (before) return before
  const whatsappId = await platform.scopes.platform().transaction(connectionThatAsks)
  if (whatsappId === null) return refuse('ERR_NO_DEF_WAPP_FOUND')
  if (memory.asked >= ASKED_A_DAY) return refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 3600 })
  memory.asked += 1
  const told = await ask(platform, whatsappId, number)
  if (!told || told.failed) return refuse('ERR_WAPP_CHECK_CONTACT', { field: 'number' })
  const found = { exists: told.number !== null, number: told.number ?? number }
  memory.answers.set(number, found)
  return found
}

function memoryOf(platform: Platform): Known {
  const day = Math.floor(Date.now() / DAY_MS)
  const memory = known.get(platform) ?? { answers: new LRUCache({ max: 5_000, ttl: DAY_MS }), day, asked: 0 }
  if (memory.day !== day) Object.assign(memory, { day, asked: 0 })
  known.set(platform, memory)
  return memory
}

/** Numbers of the official API are not among them: Meta answers no such question. */
async function connectionThatAsks(sql: Sql): Promise<number | null> {
  const isOperators = tag`exists (
    select from ${users} u where u.company_id = ${whatsapps.companyId} and u.master = 1)`
  const [row] = await sql
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(
      and(
        eq(whatsapps.status, 'CONNECTED'),
        ne(whatsapps.lib, 'cloud'),
        tag`(${whatsapps.saasNotificationCenter} or ${isOperators})`,
      ),
    )
    .orderBy(desc(whatsapps.saasNotificationCenter), desc(whatsapps.isDefault), whatsapps.id)
    .limit(1)
  return row?.id ?? null
}

/** Asks the process that runs the connection; null where none answers in time. */
function ask({ signals }: Platform, whatsappId: number, number: string): Promise<NumberTold | null> {
  const question = randomUUID()
  return new Promise(resolve => {
    const end = (told: NumberTold | null) => {
      clearTimeout(timer)
      deafen()
      resolve(told)
    }
    const timer = setTimeout(() => end(null), PATIENCE_MS)
    const deafen = signals.listen(numberToldTopic(question), told => end(told as NumberTold))
    signals.notify(numberAskedTopic(whatsappId), { question, number })
  })
}
