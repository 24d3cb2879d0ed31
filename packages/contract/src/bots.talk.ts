import { z } from 'zod'
import { delivered } from './deliveries.ts'
import { instant } from './kit.ts'

/** The message of a file that answers a question. */
const AnswerFile = z.object({ messageId: z.string(), mediaType: z.string() })
/** One message of a customer. */
export const BotLine = z.object({
  messageId: z.string(),
  /** Empty for a file without text. */
  text: z.string(),
  mediaType: z.string().nullable(),
  /** The command that was tapped, or the question that was answered so (`answerTo`); null for what was written. */
  choice: z.int().nullable(),
  /** Replies of the bot had not left when it was written. */
  unread: z.boolean(),
  at: z.int(),
})
export type BotLine = z.infer<typeof BotLine>

/** State of a conversation with a bot: a database row, never only in memory. */
export const BotState = z.object({
  /**
   * `menu`: a choice is awaited; `question`: any answer; `prompt`: the model answers; `calling`: another system does,
   * for some seconds. Silent are `handed`, escalated, until `#`; `quiet`, after too many wrong answers, until `#` or a right one; `stopped`, by a person or by the
   * guard, until it is resumed; `over`, finally.
   */
  mode: z.enum(['menu', 'question', 'prompt', 'calling', 'handed', 'quiet', 'stopped', 'over']),
  /** The current command and its number when it was entered; null at the start. */
  commandId: z.int().nullable(),
  number: z.string().max(50),
  /** Wrong answers since the last right one. */
  errors: z.int(),
  /** The newest 50, oldest first. */
  answers: z.array(
    z.object({
      commandId: z.int(),
      number: z.string(),
      question: z.string(),
      /** Of a file: its caption, or its kind. */
      text: z.string(),
      file: AnswerFile.nullable().default(null),
    }),
  ),
  /** What questions and other systems filled, by name. */
  variables: z.record(z.string(), z.string()).default({}),
  /** Since when it is silent. */
  silentSince: z.int().nullable(),
  guard: z.object({
    /** Answers in a row that led nowhere new. */
    idle: z.int(),
    /** The newest commands that were reached. */
    seen: z.array(z.int()),
    /** The newest long texts that chose nothing, shortened. */
    heard: z.array(z.string()),
    /** When the newest turns were. */
    turns: z.array(z.int()),
    /** The last choice, and how often in a row it was made. */
    choice: z.int().nullable().default(null),
    same: z.int().default(0),
    /** It stopped the bot: `#` starts it again. */
    caught: z.boolean().default(false),
  }),
  /** False until its first turn. */
  begun: z.boolean().default(true),
  /** The customer was notified that a choice belongs to an older menu. */
  warned: z.boolean().default(false),
  /** Lines of a burst that is not over: they are one input. */
  lines: z.array(BotLine).default([]),
  /** Answers of other systems, and waits of questions, since the customer wrote. */
  alone: z.int().default(0),
})
export type BotState = z.infer<typeof BotState>

/** What the interpreter needs beside the commands, as far as it is there now. */
export const BotAround = z.object({
  greeting: z.string(),
  queues: z.array(z.object({ id: z.int(), greetingMessage: z.string() })),
  userIds: z.array(z.int()),
  flowIds: z.array(z.int()),
  botConfigIds: z.array(z.int()),
  /** Whether the company is open now; null where it has no hours. */
  isOpen: z.boolean().nullable(),
})
export type BotAround = z.infer<typeof BotAround>

/** What an attendant sees of the bot of a ticket. */
export const BotSession = BotState.pick({ mode: true, number: true, variables: true }).extend({
  answers: z.array(
    z.object({
      number: z.string(),
      question: z.string(),
      text: z.string(),
      file: AnswerFile.nullable(),
    }),
  ),
  silentSince: instant.nullable(),
})
export type BotSession = z.infer<typeof BotSession>

/** One call of a command to another system, and its outcome. */
export const BotCall = z.object({
  id: z.uuid(),
  botSetupId: z.int(),
  number: z.string(),
  ticketId: z.int().nullable(),
  url: z.string(),
  body: z.string(),
  ...delivered,
})
export type BotCall = z.infer<typeof BotCall>
