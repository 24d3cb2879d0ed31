import {
  type BotConfigInput,
  botConfigs,
  botSimulator,
  type TrialMessage,
  type TrialPush,
  type TrialStatus,
} from '@balcao/contract/botConfigs.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain, patch } from '../../platform/query.ts'
import { BOT_CONFIGS } from './botConfigs.live.ts'

export const botConfigList = pagedList(botConfigs.list, 'botConfigs')

export const oneBotConfig = oneRow('botConfigs', botConfigId =>
  call(botConfigs.show, { params: { botConfigId } }),
)

/** Adds one, or changes one. Throws ApiError. */
export async function saveBotConfig(
  botConfigId: number | null,
  body: z.input<typeof BotConfigInput>,
  seen?: Seen,
): Promise<void> {
  await (botConfigId === null
    ? call(botConfigs.create, { body })
    : call(botConfigs.change, { params: { botConfigId }, body, seen }))
  await askAgain({ queryKey: BOT_CONFIGS })
}

/** Throws ApiError. */
export async function removeBotConfig(botConfigId: number, evenIfUsed: boolean): Promise<void> {
  await call(botConfigs.remove, { params: { botConfigId }, query: { evenIfUsed } })
  await askAgain({ queryKey: BOT_CONFIGS })
}

/** What may be chosen as a model. */
export const modelChoices = queryOptions({
  queryKey: ['models'],
  queryFn: () => call(botConfigs.models),
  staleTime: 60_000,
  retry: false,
})

/** Requests to the model, newest first. */
export const answerList = (botConfigId: number) =>
  infiniteQueryOptions({
    queryKey: ['modelAnswers', botConfigId],
    queryFn: ({ pageParam }) =>
      call(botConfigs.answers, { params: { botConfigId }, query: { pageNumber: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    staleTime: 0,
    gcTime: 0,
  })

interface Trial {
  messages: TrialMessage[]
  status: TrialStatus
}

const trialKey = (botConfigId: number) => ['trial', botConfigId]

/** The simulated conversation with a prompt. */
export const trialOf = (botConfigId: number) =>
  queryOptions({
    queryKey: trialKey(botConfigId),
    queryFn: (): Promise<Trial> => call(botSimulator.show, { params: { botConfigId } }),
    staleTime: 0,
    gcTime: 0,
  })

/** Sends a message to a prompt under trial; the reply is pushed. Throws ApiError. */
export const sendInTrial = (botConfigId: number, body: string) =>
  call(botSimulator.send, { body: { botConfigId, message: { body, fromMe: true } } })

/** Throws ApiError. */
export const clearTrial = (botConfigId: number) =>
  call(botSimulator.send, { body: { botConfigId, clearConversation: true } })

/** Applies a push of a simulated conversation to the shown one. */
export function applyTrialPush(botConfigId: number, push: TrialPush): void {
  patch<Trial>(trialKey(botConfigId), shown => afterPush(shown, push))
}

function afterPush({ messages, status }: Trial, push: TrialPush): Trial {
  if (push.action === 'status') return { messages, status: push.status }
  if (push.action === 'delete')
    return { status, messages: push.messageId ? messages.filter(({ id }) => id !== push.messageId) : [] }
  const { message } = push
  const isKnown = messages.some(({ id }) => id === message.id)
  return {
    status,
    messages: isKnown ? messages.map(one => (one.id === message.id ? message : one)) : [...messages, message],
  }
}
