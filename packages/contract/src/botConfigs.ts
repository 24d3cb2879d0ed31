import { z } from 'zod'
import { DEFAULTS, listed, RANGES } from './botConfigs.rules.ts'
import { ModelFailure, OfferedModel } from './integrations.ts'
import { channel, EvenIfUsed, flag, id, instant, listChannel, page, pageQuery, route, text } from './kit.ts'

/** A prompt as the list and the pickers show it. */
export const Prompt = z.object({ id: z.int(), name: z.string(), model: z.string() })
export type Prompt = z.infer<typeof Prompt>

/** How a model answers a company's customers. */
export const BotConfig = Prompt.extend({
  companyId: z.int(),
  /** The system prompt. */
  context: z.string(),
  isDeleted: z.boolean(),
  /** Seconds of quiet behind the customer's last message before it is answered: all that was written by then, at once. */
  firstDelay: z.int(),
  /** Seconds that an answer is typed at most. */
  lastDelay: z.int(),
  /** Letters a second; 0 answers without typing. */
  typingSpeed: z.int(),
  /** Comma-separated: a message that contains one is not answered. */
  ignoreWords: z.string(),
  /** Stop sequences of the model, comma-separated; four at most. */
  stop: z.string(),
  inactivityMessage: z.string(),
  /** Sent when the dialog begins. */
  initialMessages: z.array(z.string()),
  temperature: z.number(),
  frequencyPenalty: z.number(),
  presencePenalty: z.number(),
  topP: z.number(),
  maxTokens: z.int(),
  /** Number of answers after which the conversation is escalated. */
  maxMessagesForDialog: z.int(),
  /** Sent on escalation, whatever the reason. */
  messageForMaxMessagesExceeded: z.string(),
  /** Target of the escalation. */
  lastQueueId: z.int().nullable(),
  /** The model is given the notes of the ticket, as what the customer must not learn. */
  readsNotes: z.boolean(),
})
export type BotConfig = z.infer<typeof BotConfig>

type Ranged = keyof typeof RANGES

/** Forms and relatives send numbers as text. */
const readNumber = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : (value ?? undefined)

const ranged = (name: Ranged) => {
  const { min, max, step } = RANGES[name]
  const inSteps = (value: number) => Math.abs(value / step - Math.round(value / step)) < 1e-6
  return z.preprocess(
    readNumber,
    z.number().min(min).max(max).refine(inSteps, `Steps of ${step}`).default(DEFAULTS[name]),
  )
}

/** Upper bound for prompts: about 8,000 tokens. */
const MAX_CONTEXT = 32_000
const MAX_TEXT = 4_000
const botText = z.string().trim().max(MAX_TEXT, 'Too Long!')

export const BotConfigInput = z.object({
  name: text(2, 100),
  context: z.string().max(MAX_CONTEXT, 'Too Long!').default(''),
  model: text(1, 100).default(DEFAULTS.model),
  firstDelay: ranged('firstDelay'),
  lastDelay: ranged('lastDelay'),
  typingSpeed: ranged('typingSpeed'),
  ignoreWords: z.string().max(2_000, 'Too Long!').default(''),
  stop: z
    .string()
    .max(200, 'Too Long!')
    .refine(text => listed(text).length <= 4, 'No máximo quatro palavras')
    .default(''),
  inactivityMessage: botText.default(DEFAULTS.inactivityMessage),
  initialMessages: z.array(botText.min(1, 'Required')).max(10).default([]),
  temperature: ranged('temperature'),
  frequencyPenalty: ranged('frequencyPenalty'),
  presencePenalty: ranged('presencePenalty'),
  topP: ranged('topP'),
  maxTokens: ranged('maxTokens'),
  maxMessagesForDialog: ranged('maxMessagesForDialog'),
  messageForMaxMessagesExceeded: botText.default(DEFAULTS.messageForMaxMessagesExceeded),
  lastQueueId: id.nullable().default(null),
  readsNotes: flag.default(false),
})
export type BotConfigInput = z.output<typeof BotConfigInput>

/** Outcome of one call of the model. */
export const ModelAnswer = z.object({
  id: z.int(),
  at: instant,
  ticketId: z.int().nullable(),
  model: z.string(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  ms: z.int(),
  /** `discarded`: the customer wrote more, or the conversation was escalated, before it was sent. */
  outcome: z.enum(['said', 'handedOver', 'ended', 'discarded', 'failed']),
  failure: ModelFailure.nullable(),
  /** The provider's error message. */
  detail: z.string(),
})
export type ModelAnswer = z.infer<typeof ModelAnswer>

const botConfigId = z.object({ botConfigId: id })

export const botConfigs = {
  list: route('GET', '/botConfigs', {
    needs: 'session',
    summary: 'Prompts of the company by name, a page at a time.',
    query: pageQuery,
    reply: page('botConfigs', Prompt),
  }),
  models: route('GET', '/botConfigs/models', {
    needs: 'administration',
    summary:
      'Models to choose from: those of the documents and those that the integration offers. Any other name may be written too.',
    limit: { counts: 'calls', caller: 30 },
    reply: z.object({ models: z.array(OfferedModel), failure: ModelFailure.nullable() }),
  }),
  show: route('GET', '/botConfigs/:botConfigId', {
    needs: 'administration',
    summary: 'One GPT configuration.',
    params: botConfigId,
    reply: BotConfig,
  }),
  create: route('POST', '/botConfigs', {
    needs: 'administration',
    summary: 'Adds a GPT configuration. ERR_NOT_IN_PLAN where the plan has no AI.',
    body: BotConfigInput,
    reply: BotConfig,
  }),
  change: route('PUT', '/botConfigs/:botConfigId', {
    edits: '/botConfigs/:botConfigId',
    needs: 'administration',
    summary: 'Changes a GPT configuration; it counts from the next answer on.',
    params: botConfigId,
    body: BotConfigInput,
    reply: BotConfig,
  }),
  remove: route('DELETE', '/botConfigs/:botConfigId', {
    needs: 'administration',
    summary:
      'Deletes a GPT configuration. Conversations under way go to its queue. ERR_USED_BY_BOTS with their names where bots use it, unless `evenIfUsed`.',
    params: botConfigId,
    query: EvenIfUsed,
  }),
  answers: route('GET', '/botConfigs/:botConfigId/answers', {
    needs: 'administration',
    summary: 'What came of asking the model, newest first, a page at a time: tokens, duration, failures.',
    params: botConfigId,
    query: pageQuery,
    reply: page('answers', ModelAnswer),
  }),
}

export const botConfigChannel = listChannel('botConfig', Prompt)

/** A message of the simulated conversation. */
export const TrialMessage = z.object({
  id: z.uuid(),
  body: z.string(),
  /** True for what the tester wrote. */
  fromMe: z.boolean(),
  createdAt: instant,
  /** What a customer's ticket would have gone through with this answer; null for what the tester wrote, and for initial messages. */
  effect: z
    .object({
      /** The queue's name. */
      handedTo: z.string().nullable(),
      ended: z.boolean(),
      tags: z.array(z.string()),
      tokens: z.int(),
      ms: z.int(),
      failure: ModelFailure.nullable(),
      detail: z.string(),
    })
    .nullable(),
})
export type TrialMessage = z.infer<typeof TrialMessage>

export const TrialStatus = z.enum(['online', 'composing', 'offline'])
export type TrialStatus = z.infer<typeof TrialStatus>

export const botSimulator = {
  show: route('GET', '/botSimulator/:botConfigId', {
    needs: 'administration',
    summary: 'The simulated conversation with a prompt, oldest first.',
    params: botConfigId,
    reply: z.object({ messages: z.array(TrialMessage), status: TrialStatus }),
  }),
  send: route('POST', '/botSimulator', {
    needs: 'administration',
    summary:
      'Says something to the prompt, which answers over the socket; `clearConversation` forgets what was said before. Without an integration its name is echoed, marked as offline.',
    limit: { counts: 'calls', caller: 60 },
    body: z.object({
      message: z
        .object({
          body: z.string().trim().min(1, 'Required').max(MAX_TEXT, 'Too Long!'),
          fromMe: flag.optional(),
        })
        .optional(),
      botConfigId: id,
      clearConversation: flag.optional(),
    }),
    reply: z.object({ messages: z.array(TrialMessage) }),
  }),
}

/** `botSimulator-{id}` of the documents, the id being the prompt's. `delete` without an id: all of them. */
export const botSimulatorChannel = (botConfigId: number) =>
  channel(
    `botSimulator-${botConfigId}`,
    z.discriminatedUnion('action', [
      z.object({ action: z.literal('status'), status: TrialStatus }),
      z.object({ action: z.enum(['create', 'update']), message: TrialMessage }),
      z.object({ action: z.literal('delete'), messageId: z.uuid().nullable() }),
    ]),
  )
export type TrialPush = z.infer<ReturnType<typeof botSimulatorChannel>['payload']>
