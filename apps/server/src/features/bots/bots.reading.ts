import { type Script, scriptOf, surroundingsOf } from '@balcao/contract/bots.script.rules.ts'
import type { BotSetup } from '@balcao/contract/bots.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, ne } from '../../platform/sql.ts'
import { isSuspended } from '../companies/companies.standing.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { aroundOf } from './bots.around.ts'
import { scriptCommandsOf } from './bots.commands.ts'
import { findSetup } from './bots.queries.ts'
import { speakerOn } from './bots.sessions.ts'

/** The bot that speaks on a connection; null where none does, or the company has no bots. */
export const readSpeaker = (tx: Tx, whatsappId: number) =>
  once(tx, `speaker ${whatsappId}`, () => speakerOn(tx, whatsappId))

/** Whether nobody is answered, because the company does not pay. */
export const readSuspended = (tx: Tx) => once(tx, 'suspended', () => isSuspended(tx))

/** A bot with all that it is made of. */
export const readScript = (tx: Tx, botSetupId: number, whatsappId: number | null) =>
  once(tx, `script ${botSetupId} ${whatsappId}`, async (): Promise<{ script: Script; setup: BotSetup }> => {
    const setup = await findSetup(tx, botSetupId)
    const commands = await scriptCommandsOf(tx, botSetupId)
    const around = await aroundOf(tx, setup, commands, whatsappId)
    return { setup, script: scriptOf(setup, commands, surroundingsOf(around)) }
  })

/** The connections of the company: its bots do not talk to each other. */
export const readOwnNumbers = (tx: Tx) =>
  once(tx, 'numbers', async () => {
    const rows = await tx.sql
      .select({ number: whatsapps.number })
      .from(whatsapps)
      .where(and(eq(whatsapps.companyId, tx.companyId), ne(whatsapps.number, '')))
    return new Set(rows.map(({ number }) => number))
  })

const known = new WeakMap<Tx, Map<string, Promise<unknown>>>()

/** Many customers are taken in by one commit, which reads once what is the same for all of them and changes none of it. */
function once<T>(tx: Tx, name: string, read: () => Promise<T>): Promise<T> {
  const all = known.get(tx) ?? new Map<string, Promise<unknown>>()
  known.set(tx, all)
  const first = (all.get(name) as Promise<T> | undefined) ?? read()
  all.set(name, first)
  return first
}
