import { mayManageBot } from '@balcao/contract/bots.script.rules.ts'
import { type BotSetup, type BotSetupInput, botDefaults } from '@balcao/contract/bots.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files/served.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { leaveToPeople } from '../tickets/tickets.actions.ts'
import { deleteWaitingCalls } from './bots.calls.queries.ts'
import { commandRows, filesOf, insertCommands } from './bots.commands.queries.ts'
import { botChanged } from './bots.events.ts'
import {
  connectionsOf,
  connectSetup,
  deleteSetup,
  findSetup,
  insertSetup,
  lockSetup,
  moveBots,
  requireBots,
  updateSetup,
} from './bots.queries.ts'
import { checkConnect, checkSetup } from './bots.references.queries.ts'

/** Adds a bot of the caller. Refuses with ERR_BOT_CONNECTION_TAKEN, and the codes of what it points to. */
export const addSetup = (scope: Scope, { whatsapps = [], ...input }: BotSetupInput): Promise<BotSetup> =>
  orRefuse(
    scope.transaction(async tx => {
      await requireBots(tx)
      await checkSetup(tx, { ...input, whatsapps })
      checkConnect(tx, whatsapps)
      const owner = { userId: viewerOf(tx).id }
      const botSetupId = await insertSetup(tx, {
        ...botDefaults,
        ...defined(input),
        name: input.name,
        ...owner,
      })
      await connectSetup(tx, botSetupId, [...new Set(whatsapps)])
      return publishBot(tx, 'create', botSetupId)
    }),
  )

/** Changes a bot from the next message on. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION and what `addSetup` refuses. */
export const changeSetup = (
  scope: Scope,
  botSetupId: number,
  { whatsapps, ...input }: { [Field in keyof BotSetupInput]?: BotSetupInput[Field] | undefined },
): Promise<BotSetup> =>
  orRefuse(
    scope.transaction(async tx => {
      const before = await lockManaged(tx, botSetupId)
      await checkSetup(tx, { ...defined(input), ...(whatsapps && { whatsapps }) }, before)
      if (whatsapps) checkConnect(tx, whatsapps)
      if (Object.keys(defined(input)).length > 0) await updateSetup(tx, botSetupId, defined(input))
      if (whatsapps) await reconnect(tx, botSetupId, [...new Set(whatsapps)])
      return publishBot(tx, 'update', botSetupId)
    }),
  )

/** Adds a copy with all commands and no connection, owned by the caller. Refuses with ERR_NOT_FOUND. */
export const copySetup = (scope: Scope, botSetupId: number): Promise<BotSetup> =>
  scope.transaction(async tx => {
    await requireBots(tx)
    const {
      id: _id,
      companyId: _company,
      webhookSecret: _secret,
      ...setup
    } = (await lockSetup(tx, botSetupId)) ?? missing()
    const name = `${cut(setup.name, 40)} (cópia)`
    const copy = await insertSetup(tx, { ...setup, name, userId: viewerOf(tx).id })
    const commands = await commandRows(tx, botSetupId)
    await insertCommands(
      tx,
      commands.map(({ id: _row, companyId: _same, ...command }) => ({ ...command, botSetupId: copy })),
    )
    return publishBot(tx, 'create', copy)
  })

/** Deletes a bot with its commands; its conversations go on without it. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const removeSetup = (scope: Scope, botSetupId: number): Promise<void> =>
  scope.transaction(async tx => {
    await lockManaged(tx, botSetupId)
    const commands = await commandRows(tx, botSetupId)
    await reconnect(tx, botSetupId, [])
    await deleteSetup(tx, botSetupId)
    await removeFiles(tx, filesOf(commands))
    tx.emit(botChanged, { action: 'delete', botSetupId })
  })

/** Bots of a removed user go to the heir; without one they lose their connections and waiting calls. */
export async function bequeathBots(tx: Tx, userId: number, heirId: number | null): Promise<void> {
  for (const botSetupId of await moveBots(tx, userId, heirId)) {
    if (heirId === null) {
      await reconnect(tx, botSetupId, [])
      await deleteWaitingCalls(tx, botSetupId)
    }
    await publishBot(tx, 'update', botSetupId)
  }
}

/** What the bot led on the connections that it loses waits for people. */
async function reconnect(tx: Tx, botSetupId: number, whatsappIds: number[]): Promise<void> {
  const lost = (await connectionsOf(tx, botSetupId)).filter(id => !whatsappIds.includes(id))
  await connectSetup(tx, botSetupId, whatsappIds)
  await leaveToPeople(tx, lost)
}

/** A bot that the caller may change, locked. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export async function lockManaged(tx: Tx, botSetupId: number) {
  await requireBots(tx)
  const setup = (await lockSetup(tx, botSetupId)) ?? missing()
  if (!mayManageBot(viewerOf(tx), setup)) return refuse('ERR_NO_PERMISSION')
  checkConnect(tx, await connectionsOf(tx, botSetupId))
  return setup
}

const missing = () => refuse('ERR_NOT_FOUND', { field: 'botSetupId' })

/** The input without undefined fields. */
const defined = <Input extends object>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Input]: Exclude<Input[Field], undefined>
  }

async function publishBot(tx: Tx, action: 'create' | 'update', botSetupId: number): Promise<BotSetup> {
  const botSetup = await findSetup(tx, botSetupId)
  tx.emit(botChanged, { action, botSetup })
  return botSetup
}

const orRefuse = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'bot_connections_company_id_whatsapp_id_pk'))
      return refuse('ERR_BOT_CONNECTION_TAKEN', { field: 'whatsapps' })
    throw error
  })
