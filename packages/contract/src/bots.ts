import { z } from 'zod'
import { BotCommand, BotCommandInput, idOrWhole, idOrZero, MAX_COMMANDS } from './bots.commands.ts'
import { BotWords, CommandNumber, NextNumber } from './bots.fields.ts'
import { BotAround, BotCall, BotSession } from './bots.talk.ts'
import { SigningSecret } from './deliveries.ts'
import { channel, flag, id, jsonForm, oneOf, page, pageQuery, route, text } from './kit.ts'
import { Ticket } from './tickets.ts'

/** What the documents offer to choose from (automation §9). */
export const botOptions = {
  /** Seconds. */
  typingTime: ['1', '2', '3', '4', '5', '6'],
  countErrorsBot: [0, 1, 2, 3, 4, 5, 6],
  /** Seconds of silence that end a burst of messages; 0: each is answered by itself. */
  burstSeconds: [0, 1, 2, 3, 4, 5, 8, 10],
  /** Hours; 0: not resumed automatically. */
  reopenBotAfterHours: [0, 1, 2, 3, 4, 5, 6, 12, 24, 48, 72, 96, 120, 144, 168, 336, 504, 672],
  /** Minutes. */
  timeWithoutQueue: [1, 2, 3, 5, 10, 15, 30],
  actionWithoutQueue: ['none', 'sendMessageAndClosed', 'transferQueueDefault'],
  typeMenu: ['text', 'list', 'buttons', 'poll'],
} as const

/** Defaults of a new setup; a company writes its own (automation §9). */
export const botDefaults = {
  typingTime: '5',
  burstSeconds: 3,
  phoneStopsBot: true,
  countErrorsBot: 2,
  reopenBotAfterHours: 0,
  timeWithoutQueue: 5,
  actionWithoutQueue: 'none',
  typeMenu: 'text',
  messageOnErrorsBot: 'Não entendi sua resposta. Digite # para ver as opções.',
  messageOnWithoutQueue: 'Ainda está aí? Digite # para ver as opções.',
  botType: 'common',
} as const

export const BotSetup = z.object({
  id: z.int(),
  name: z.string(),
  /** Seconds, as text. */
  typingTime: z.enum(botOptions.typingTime),
  /** Messages with pauses shorter than this are one input, of at most 10 messages and 15 seconds. 0: each is one. */
  burstSeconds: z.int(),
  /** A message typed on the company's phone stops the bot, unless it comes within seconds of the customer's. */
  phoneStopsBot: z.boolean(),
  /** Hours after which the bot answers again after it became silent; 0: never. */
  reopenBotAfterHours: z.int(),
  /** Wrong answers tolerated; beyond them `messageOnErrorsBot` is sent. 0: unlimited. */
  countErrorsBot: z.int(),
  typeMenu: z.enum(botOptions.typeMenu),
  messageOnErrorsBot: z.string(),
  actionWithoutQueue: z.enum(botOptions.actionWithoutQueue),
  /** Minutes. */
  timeWithoutQueue: z.int(),
  messageOnWithoutQueue: z.string(),
  transferQueueId: z.int().nullable(),
  /** Connections that it answers on; a connection has one bot at most. None: it is off. */
  whatsapps: z.array(z.object({ id: z.int(), name: z.string() })),
  companyId: z.int(),
  /** Owner; null when the user was deleted. */
  userId: z.int().nullable(),
  /** `common` runs its commands; `gpt` passes everything to the prompt `botConfigId` (OP-100). */
  botType: z.enum(['common', 'gpt']),
  botConfigId: z.int().nullable(),
  /** The prompt, while it exists. */
  botConfig: z.object({ id: z.int(), name: z.string() }).nullable(),
})
export type BotSetup = z.infer<typeof BotSetup>

/** Omitted fields of a new one default to `botDefaults`, of an existing one are kept. */
export const BotSetupInput = z.object({
  name: text(2, 50),
  typingTime: oneOf(botOptions.typingTime).optional(),
  burstSeconds: oneOf(botOptions.burstSeconds).optional(),
  phoneStopsBot: flag.optional(),
  reopenBotAfterHours: oneOf(botOptions.reopenBotAfterHours).optional(),
  countErrorsBot: oneOf(botOptions.countErrorsBot).optional(),
  typeMenu: z.enum(botOptions.typeMenu).optional(),
  messageOnErrorsBot: BotWords.optional(),
  actionWithoutQueue: z.enum(botOptions.actionWithoutQueue).optional(),
  timeWithoutQueue: oneOf(botOptions.timeWithoutQueue).optional(),
  messageOnWithoutQueue: BotWords.optional(),
  transferQueueId: idOrZero.optional(),
  /** By id, or sent whole. */
  whatsapps: z.array(idOrWhole).max(100).optional(),
  /** `other` is how the documents call the second kind. */
  botType: z
    .enum(['common', 'gpt', 'other'])
    .transform(type => (type === 'other' ? 'gpt' : type))
    .optional(),
  botConfigId: idOrZero.optional(),
})
export type BotSetupInput = z.output<typeof BotSetupInput>

const botSetupId = z.object({ botSetupId: id })
const botId = z.object({ botId: id })

export const bots = {
  listSetups: route('GET', '/BotSetup', {
    needs: 'session',
    summary: 'Bots of the company by name, a page at a time. Refused where the company has no bots.',
    query: pageQuery,
    reply: page('botSetups', BotSetup),
  }),
  showSetup: route('GET', '/BotSetup/:botSetupId', {
    needs: 'session',
    summary: 'One bot.',
    params: botSetupId,
    reply: BotSetup,
  }),
  addSetup: route('POST', '/BotSetup', {
    needs: 'session',
    summary:
      'Adds a bot, which is its maker’s. A connection has one bot at most: ERR_BOT_CONNECTION_TAKEN. Connections are for admins and who may connect bots.',
    body: BotSetupInput,
    reply: BotSetup,
  }),
  copySetup: route('POST', '/BotSetup/:botSetupId/copy', {
    needs: 'session',
    summary: 'Adds a copy of a bot with all its commands; it speaks nowhere yet.',
    params: botSetupId,
    reply: BotSetup,
  }),
  changeSetup: route('PUT', '/BotSetup/:botSetupId', {
    edits: '/BotSetup/:botSetupId',
    needs: 'session',
    summary: 'Changes a bot, from the next message on. For admins and its owner.',
    params: botSetupId,
    body: BotSetupInput.partial(),
    reply: BotSetup,
  }),
  removeSetup: route('DELETE', '/BotSetup/:botSetupId', {
    needs: 'session',
    summary: 'Deletes a bot with its commands. For admins and its owner.',
    params: botSetupId,
  }),
  listCommands: route('GET', '/botBySetup/:botSetupId', {
    needs: 'session',
    summary: 'All commands of a bot, by their numbers.',
    params: botSetupId,
    reply: z.array(BotCommand),
  }),
  script: route('GET', '/botBySetup/:botSetupId/script', {
    needs: 'session',
    summary:
      'What a bot is made of, to try it and to look for what cannot work. The greeting is that of its first connection.',
    params: botSetupId,
    reply: z.object({ setup: BotSetup, commands: z.array(BotCommand), around: BotAround }),
  }),
  arrange: route('PUT', '/botBySetup/:botSetupId', {
    needs: 'session',
    summary:
      'Gives commands other numbers, all in one: those that are not named keep theirs. ERR_BOT_NUMBER_TAKEN where two would have the same. For admins and the owner.',
    params: botSetupId,
    body: z.object({
      commands: z
        .array(z.object({ id, commandBot: CommandNumber, forceNextFlow: NextNumber.optional() }))
        .max(MAX_COMMANDS),
    }),
    reply: z.array(BotCommand),
  }),
  showCommand: route('GET', '/bot/:botId', {
    needs: 'session',
    summary: 'One command.',
    params: botId,
    reply: BotCommand,
  }),
  addCommand: route('POST', '/bot/:companyId', {
    needs: 'session',
    summary:
      'Adds a command to a bot, at most 2,000. ERR_BOT_NUMBER_TAKEN where its number is another’s. For admins and the owner.',
    params: z.object({ companyId: id }),
    files: 'also',
    body: jsonForm(BotCommandInput.extend({ botSetupId: id })),
    reply: BotCommand,
  }),
  changeCommand: route('PUT', '/bot/:companyId/:botId', {
    edits: '/bot/:botId',
    needs: 'session',
    summary: 'Changes a command, from the next message on; what is left out stays. For admins and the owner.',
    params: botId.extend({ companyId: id }),
    files: 'also',
    body: jsonForm(BotCommandInput.partial()),
    reply: BotCommand,
  }),
  removeCommand: route('DELETE', '/bot/:botId', {
    needs: 'session',
    summary:
      'Deletes a command; those below it stand below the nearest that is left, or go too with `branch`. For admins and the owner.',
    params: botId,
    query: z.object({ branch: flag.optional() }),
  }),
  showSession: route('GET', '/tickets/:ticketId/bot', {
    needs: 'session',
    summary: 'What the bot of a ticket knows and where it stands; null when none spoke in it.',
    params: z.object({ ticketId: id }),
    reply: z.object({ session: BotSession.nullable() }),
  }),
  giveBack: route('POST', '/tickets/:ticketId/bot', {
    needs: 'session',
    summary:
      'Gives a conversation back to the bot of its connection: the ticket waits again, and the bot goes on where it stood. ERR_NO_BOT where none speaks.',
    params: z.object({ ticketId: id }),
    reply: Ticket,
  }),
  listCalls: route('GET', '/botBySetup/:botSetupId/calls', {
    needs: 'administration',
    summary: 'Calls of the commands of a bot to other systems, newest first, a page at a time.',
    params: botSetupId,
    query: pageQuery,
    reply: page('calls', BotCall),
  }),
  callAgain: route('POST', '/botCalls/:callId', {
    needs: 'administration',
    summary: 'Sends a call again, under its first id.',
    params: z.object({ callId: z.uuid() }),
    reply: BotCall,
  }),
  showSecret: route('GET', '/BotSetup/:botSetupId/secret', {
    needs: 'administration',
    summary: 'What the webhooks of a bot are signed with (Standard Webhooks).',
    params: botSetupId,
    reply: SigningSecret,
  }),
}

/** A bot or one of its commands changed; clients fetch them. */
export const botChannel = channel(
  'bot-{companyId}',
  z.union([
    z.object({ action: z.enum(['create', 'update']), botSetup: BotSetup }),
    z.object({ action: z.enum(['create', 'update']), bot: BotCommand, botSetupId: z.int() }),
    z.object({ action: z.literal('delete'), botId: z.int(), botSetupId: z.int() }),
    z.object({ action: z.literal('delete'), botSetupId: z.int() }),
  ]),
)

/** Bot state of a ticket, for users who may read the ticket. */
export const botSessionChannel = channel(
  'botSession-{companyId}',
  z.object({ ticketId: z.int(), session: BotSession }),
)
