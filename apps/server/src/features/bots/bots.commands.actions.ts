import { branchOf } from '@balcao/contract/bots.checks.rules.ts'
import {
  type BotCommand,
  type BotCommandInput,
  commandTypes,
  MAX_COMMANDS,
} from '@balcao/contract/bots.commands.ts'
import type { BotLogic } from '@balcao/contract/bots.logic.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { lockManaged } from './bots.actions.ts'
import {
  clearNumbers,
  commandRows,
  commandsOf,
  countCommands,
  deleteCommands,
  filesOf,
  findCommand,
  insertCommands,
  updateCommand,
} from './bots.commands.queries.ts'
import { botChanged } from './bots.events.ts'
import { checkCommand } from './bots.references.queries.ts'

type Input = { [Field in keyof BotCommandInput]?: BotCommandInput[Field] | undefined }

type NewInput = BotCommandInput & { botSetupId: number }

/**
 * Adds a command. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, ERR_BOT_NUMBER_TAKEN, ERR_BAD_REQUEST when the bot is
 * full, and the codes of what it points to.
 */
export const addCommand = (scope: Scope, input: NewInput, files: StoredFile[]): Promise<BotCommand> =>
  orRefuse(
    scope.transaction(async tx => {
      const { botSetupId } = input
      await lockManaged(tx, botSetupId)
      if ((await countCommands(tx, botSetupId)) >= MAX_COMMANDS)
        refuse('ERR_BAD_REQUEST', { field: 'botSetupId', message: `At most ${MAX_COMMANDS} commands` })
      checkTarget(input)
      await checkCommand(tx, input)
      const { commandBot, commandType } = input
      const row = { ...columnsOf(input), ...fileOf(input, files), botSetupId, commandBot, commandType }
      const [botId] = await insertCommands(tx, [row])
      return publishCommand(tx, 'create', botId!)
    }),
  )

/** Changes a command from the next message on. Refuses with what `addCommand` refuses. */
export const changeCommand = (
  scope: Scope,
  botId: number,
  input: Input,
  files: StoredFile[],
): Promise<BotCommand> =>
  orRefuse(
    scope.transaction(async tx => {
      const before = await findCommand(tx, botId)
      await lockManaged(tx, before.botSetupId)
      if (input.botSetupId !== undefined && input.botSetupId !== before.botSetupId)
        refuse('ERR_BAD_REQUEST', { field: 'botSetupId', message: 'A command stays in its bot' })
      checkTarget({ ...before, ...defined(input) })
      await checkCommand(tx, newLabels(input, before), before)
      const changed = { ...columnsOf(input), ...fileOf(input, files, { had: before.mediaUrl !== null }) }
      if (Object.keys(changed).length > 0) await updateCommand(tx, botId, changed)
      if ('mediaUrl' in changed) await removeFiles(tx, filesOf([before]))
      return publishCommand(tx, 'update', botId)
    }),
  )

/** Deletes a command, with `branch` also all below it. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const removeCommand = (scope: Scope, botId: number, { branch }: { branch: boolean }): Promise<void> =>
  scope.transaction(async tx => {
    const { botSetupId, commandBot } = await findCommand(tx, botId)
    await lockManaged(tx, botSetupId)
    const all = await commandRows(tx, botSetupId)
    const gone = branch ? branchOf(all, commandBot) : all.filter(({ id }) => id === botId)
    await deleteCommands(
      tx,
      gone.map(({ id }) => id),
    )
    await removeFiles(tx, filesOf(gone))
    for (const { id } of gone) tx.emit(botChanged, { action: 'delete', botId: id, botSetupId })
  })

type Target = { commandType: number } & { [Field in 'queueId' | 'userId']?: number | null | undefined }

/** A transfer has a target. Refuses with ERR_BAD_REQUEST. */
function checkTarget({ commandType, queueId, userId }: Target): void {
  if (commandType === commandTypes.sector && !queueId)
    refuse('ERR_BAD_REQUEST', { field: 'queueId', message: 'Required' })
  if (commandType === commandTypes.attendant && !queueId && !userId)
    refuse('ERR_BAD_REQUEST', { field: 'userId', message: 'Required' })
}

type Numbered = { id: number; commandBot: string; forceNextFlow?: string | undefined }

/** Gives commands other numbers, all in one. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, ERR_BOT_NUMBER_TAKEN. */
export const arrange = (scope: Scope, botSetupId: number, numbered: Numbered[]): Promise<BotCommand[]> =>
  orRefuse(
    scope.transaction(async tx => {
      await lockManaged(tx, botSetupId)
      const rows = await commandRows(tx, botSetupId)
      const missing = numbered.find(({ id }) => !rows.some(row => row.id === id))
      if (missing) refuse('ERR_NOT_FOUND', { field: 'commands' })
      if (numbered.length > 0)
        await clearNumbers(
          tx,
          numbered.map(({ id }) => id),
        )
      for (const { id, commandBot, forceNextFlow } of numbered)
        await updateCommand(tx, id, { commandBot, ...(forceNextFlow !== undefined && { forceNextFlow }) })
      const followed = await followNumbers(tx, rows, numbered)
      const commands = await commandsOf(tx, botSetupId)
      for (const bot of commands)
        if (numbered.some(({ id }) => id === bot.id) || followed.includes(bot.id))
          tx.emit(botChanged, { action: 'update', bot, botSetupId })
      return commands
    }),
  )

/** What a command's checks lead to keeps its command, under the new number. Returns the changed commands. */
async function followNumbers(
  tx: Tx,
  rows: { id: number; commandBot: string; logic: BotLogic | null }[],
  numbered: Numbered[],
): Promise<number[]> {
  const before = new Map(rows.map(({ id, commandBot }) => [id, commandBot]))
  const renamed = new Map(numbered.map(({ id, commandBot }) => [before.get(id)!, commandBot]))
  const changed: number[] = []
  for (const { id, logic } of rows) {
    if (!logic || !(renamed.has(logic.otherwise) || renamed.has(logic.silent))) continue
    const after = (number: string) => renamed.get(number) ?? number
    const next = { ...logic, otherwise: after(logic.otherwise), silent: after(logic.silent) }
    await updateCommand(tx, id, { logic: next })
    changed.push(id)
  }
  return changed
}

/** The input without undefined fields. */
const defined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

function columnsOf({
  botSetupId: _setup,
  tags,
  botCategoryContacts,
  mediaName: _name,
  withoutMedia: _without,
  forceNextFlow,
  ...plain
}: Input) {
  const columns = {
    ...plain,
    tagIds: tags,
    categoryIds: botCategoryContacts,
    forceNextFlow: forceNextFlow === undefined ? undefined : (forceNextFlow ?? ''),
  }
  return defined(columns)
}

/** The one file of a command, by another name when one was given; `withoutMedia` removes it. */
function fileOf(
  { mediaName, withoutMedia }: Input,
  [file, ...more]: StoredFile[],
  { had = false }: { had?: boolean } = {},
) {
  if (more.length > 0) refuse('ERR_BAD_REQUEST', { field: 'media', message: 'One file at a time' })
  if (!file) return withoutMedia && had ? { mediaUrl: null, media: null } : {}
  const { key, sha256: _sum, ...about } = file
  const media = { ...about, name: mediaName || about.name, state: 'ready' as const, isVoice: false }
  return { mediaUrl: addressOf(key), media }
}

/** Only new tags and categories are checked: deleted ones may stay. */
function newLabels(input: Input, before: BotCommand) {
  const without = (ids: number[] | undefined, had: { id: number }[]) =>
    ids?.filter(id => !had.some(one => one.id === id))
  const { tags, botCategoryContacts, ...plain } = input
  return {
    ...plain,
    tags: without(tags, before.tags),
    botCategoryContacts: without(botCategoryContacts, before.categoryContacts),
  }
}

async function publishCommand(tx: Tx, action: 'create' | 'update', botId: number): Promise<BotCommand> {
  const bot = await findCommand(tx, botId)
  tx.emit(botChanged, { action, bot, botSetupId: bot.botSetupId })
  return bot
}

const orRefuse = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'bot_commands_number'))
      return refuse('ERR_BOT_NUMBER_TAKEN', { field: 'commandBot' })
    throw error
  })
