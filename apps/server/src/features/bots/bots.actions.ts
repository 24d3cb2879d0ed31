import { mayManageBot } from '@balcao/contract/bots.script.rules.ts'
import { type BotSetup, type BotSetupInput, botDefaults } from '@balcao/contract/bots.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files.served.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { askSetup } from './bots.checks.ts'
import { commandRows, filesOf, insertCommands } from './bots.commands.ts'
import { botChanged } from './bots.events.ts'
import {
  askBots,
  connectSetup,
  deleteSetup,
  findSetup,
  insertSetup,
  lockSetup,
  updateSetup,
} from './bots.queries.ts'

/** Adds a bot of the caller. Refuses with ERR_BOT_CONNECTION_TAKEN, and the codes of what it points to. */
export const addSetup = (scope: Scope, { whatsapps = [], ...input }: BotSetupInput): Promise<BotSetup> =>
  orTaken(
    scope.transaction(async tx => {
      await askBots(tx)
      await askSetup(tx, { ...input, whatsapps })
      const owner = { userId: viewerOf(tx).id }
      const botSetupId = await insertSetup(tx, {
        ...botDefaults,
        ...given(input),
        name: input.name,
        ...owner,
      })
      await connectSetup(tx, botSetupId, [...new Set(whatsapps)])
      return announced(tx, 'create', botSetupId)
    }),
  )

/** Changes a bot from the next message on. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION and what `addSetup` refuses. */
export const changeSetup = (
  scope: Scope,
  botSetupId: number,
  { whatsapps, ...input }: { [Field in keyof BotSetupInput]?: BotSetupInput[Field] | undefined },
): Promise<BotSetup> =>
  orTaken(
    scope.transaction(async tx => {
      const before = await lockManaged(tx, botSetupId)
      await askSetup(tx, { ...given(input), ...(whatsapps && { whatsapps }) }, before)
      if (Object.keys(given(input)).length > 0) await updateSetup(tx, botSetupId, given(input))
      if (whatsapps) await connectSetup(tx, botSetupId, [...new Set(whatsapps)])
      return announced(tx, 'update', botSetupId)
    }),
  )

/** Adds a copy that belongs to the caller and speaks nowhere, with the whole tree. Refuses with ERR_NOT_FOUND. */
export const copySetup = (scope: Scope, botSetupId: number): Promise<BotSetup> =>
  scope.transaction(async tx => {
    await askBots(tx)
    const {
      id: _id,
      companyId: _company,
      webhookSecret: _secret,
      ...setup
    } = (await lockSetup(tx, botSetupId)) ?? missing()
    const name = `${setup.name.slice(0, 40)} (cópia)`
    const copy = await insertSetup(tx, { ...setup, name, userId: viewerOf(tx).id })
    const commands = await commandRows(tx, botSetupId)
    await insertCommands(
      tx,
      commands.map(({ id: _row, companyId: _same, ...command }) => ({ ...command, botSetupId: copy })),
    )
    return announced(tx, 'create', copy)
  })

/** Deletes a bot with its commands; running conversations are people's. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const removeSetup = (scope: Scope, botSetupId: number): Promise<void> =>
  scope.transaction(async tx => {
    await lockManaged(tx, botSetupId)
    const commands = await commandRows(tx, botSetupId)
    await deleteSetup(tx, botSetupId)
    await removeFiles(tx, filesOf(commands))
    tx.emit(botChanged, { action: 'delete', botSetupId })
  })

/** The setup as it stands, locked. Refuses with ERR_NOT_FOUND, and with ERR_NO_PERMISSION whom it does not belong to. */
export async function lockManaged(tx: Tx, botSetupId: number) {
  await askBots(tx)
  const setup = (await lockSetup(tx, botSetupId)) ?? missing()
  return mayManageBot(viewerOf(tx), setup) ? setup : refuse('ERR_NO_PERMISSION')
}

const missing = () => refuse('ERR_NOT_FOUND', { field: 'botSetupId' })

/** What was said, without what was left out. */
const given = <Input extends object>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Input]: Exclude<Input[Field], undefined>
  }

async function announced(tx: Tx, action: 'create' | 'update', botSetupId: number): Promise<BotSetup> {
  const botSetup = await findSetup(tx, botSetupId)
  tx.emit(botChanged, { action, botSetup })
  return botSetup
}

const orTaken = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'bot_connections_company_id_whatsapp_id_pk'))
      return refuse('ERR_BOT_CONNECTION_TAKEN', { field: 'whatsapps' })
    throw error
  })
