import type { BotCommand, BotCommandInput } from '@balcao/contract/bots.commands.ts'
import { movedBranch } from '@balcao/contract/bots.numbers.rules.ts'
import { type BotSetup, type BotSetupInput, bots } from '@balcao/contract/bots.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import type { User } from '@balcao/contract/users.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { BOT_SETUPS, BOTS, botSessionKey } from './bots.live.ts'

export const botSetupList = pagedList(bots.listSetups, 'botSetups')

export const oneBotSetup = oneRow('botSetups', botSetupId => call(bots.showSetup, { params: { botSetupId } }))

/** A bot with all its parts: to be shown, tried and validated. */
export const scriptOfBot = (botSetupId: number) =>
  queryOptions({
    queryKey: [...BOTS, 'script', botSetupId],
    queryFn: () => call(bots.script, { params: { botSetupId } }),
  })

/** Admins and its owner change a bot (BOTSETUP-006). */
export const mayChange = (user: User, { userId }: Pick<BotSetup, 'userId'>): boolean =>
  user.profile === 'admin' || user.id === userId

const setupsAgain = () => askAgain({ queryKey: BOT_SETUPS })
const botsAgain = () => askAgain({ queryKey: BOTS })

/** Adds one, or changes one. Throws ApiError. */
export async function saveBotSetup(
  botSetupId: number | null,
  body: z.input<typeof BotSetupInput>,
  seen?: Seen,
): Promise<void> {
  await (botSetupId === null
    ? call(bots.addSetup, { body })
    : call(bots.changeSetup, { params: { botSetupId }, body, seen }))
  await Promise.all([setupsAgain(), botsAgain()])
}

/** Adds a copy with all its commands, assigned to no connection yet. Throws ApiError. */
export async function copyBotSetup(botSetupId: number): Promise<BotSetup> {
  const copy = await call(bots.copySetup, { params: { botSetupId } })
  await setupsAgain()
  return copy
}

/** Throws ApiError. */
export async function removeBotSetup(botSetupId: number): Promise<void> {
  await call(bots.removeSetup, { params: { botSetupId } })
  await setupsAgain()
}

export type CommandInput = z.input<typeof BotCommandInput>

/** Adds a command to a bot, or changes one; its file goes along. Throws ApiError. */
export async function saveCommand(
  setup: Pick<BotSetup, 'id' | 'companyId'>,
  botId: number | null,
  input: CommandInput,
  media: File | null,
  seen?: Seen,
): Promise<BotCommand> {
  const { id: botSetupId, companyId } = setup
  const given = {
    body: { body: JSON.stringify({ ...input, botSetupId }), ...(media && { mediaName: media.name }) },
    ...(media && { files: { media } }),
  }
  const saved = await (botId === null
    ? call(bots.addCommand, { params: { companyId }, ...given })
    : call(bots.changeCommand, { params: { companyId, botId }, ...given, seen }))
  await botsAgain()
  return saved
}

/** Deletes a command with all its descendants. Throws ApiError. */
export async function removeBranch(botId: number): Promise<void> {
  await call(bots.removeCommand, { params: { botId }, query: { branch: true } })
  await botsAgain()
}

type Placed = Pick<BotCommand, 'id' | 'commandBot' | 'forceNextFlow'>

/** Renumbers commands in one transaction. Throws ApiError. */
export async function arrange(botSetupId: number, commands: Placed[]): Promise<void> {
  await call(bots.arrange, { params: { botSetupId }, body: { commands } })
  await botsAgain()
}

/**
 * Moves a branch below another command, to an index from 0. Answers the undo; null where nothing moved.
 * Throws ApiError.
 */
export async function moveBranch(
  botSetupId: number,
  commands: BotCommand[],
  number: string,
  { above, at }: { above: string; at: number },
): Promise<Placed[] | null> {
  const changes = movedBranch(commands, number, above, at)
  if (!changes || changes.size === 0) return null
  const before = commands
    .filter(({ id }) => changes.has(id))
    .map(({ id, commandBot, forceNextFlow }) => ({ id, commandBot, forceNextFlow }))
  await arrange(
    botSetupId,
    [...changes].map(([id, change]) => ({ id, ...change })),
  )
  return before
}

/** State of the bot session of a ticket. */
export const botSession = (ticketId: number) =>
  queryOptions({
    queryKey: botSessionKey(ticketId),
    queryFn: () => call(bots.showSession, { params: { ticketId } }),
  })

/** Throws ApiError. */
export const giveBack = (ticketId: number) => call(bots.giveBack, { params: { ticketId } })

const callsKey = (botSetupId: number) => [...BOTS, 'calls', botSetupId]
const LOOK_MS = 3_000

/** Calls of a bot's commands to other systems, newest first; polled while open. */
export const botCalls = (botSetupId: number) =>
  infiniteQueryOptions({
    queryKey: callsKey(botSetupId),
    queryFn: ({ pageParam }) =>
      call(bots.listCalls, { params: { botSetupId }, query: { pageNumber: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    refetchInterval: LOOK_MS,
    gcTime: 0,
  })

/** Repeats one of the calls. Throws ApiError. */
export async function callAgain(botSetupId: number, callId: string): Promise<void> {
  await call(bots.callAgain, { params: { callId } })
  await askAgain({ queryKey: callsKey(botSetupId) })
}

/** What they are signed with. */
export const webhookSecret = (botSetupId: number) =>
  queryOptions({
    queryKey: [...BOTS, 'secret', botSetupId],
    queryFn: () => call(bots.showSecret, { params: { botSetupId } }),
    gcTime: 0,
  })
