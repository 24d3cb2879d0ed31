import { z } from 'zod'
import { BotWords, CommandNumber, NextNumber } from './bots.fields.ts'
import { BotLogic } from './bots.logic.ts'
import { CategoryLabel } from './categories.ts'
import { flag, id, idOrNone, oneOf } from './kit.ts'
import { TagChoice } from './tags.ts'

/** Maximum of commands of one setup. */
export const MAX_COMMANDS = 2_000

/** An id, or 0 for none (documents). */
export const idOrZero = z.preprocess(given => (given === 0 ? null : given), idOrNone)
/** By id, or sent whole. */
export const idOrWhole = z.union([id, z.object({ id }).transform(row => row.id)])

/** What a command does, by the numbers of the documents; 9 and 10 are ours. */
export const commandTypes = {
  informative: 1,
  menu: 2,
  sector: 3,
  attendant: 4,
  resolve: 5,
  buttons: 6,
  question: 7,
  prompt: 8,
  condition: 9,
  request: 10,
} as const

/** The targets, while they exist. */
const Named = z.object({ id: z.int(), name: z.string() })

export const BotCommand = z.object({
  id: z.int(),
  botSetupId: z.int(),
  /** Its dotted number, which is its position in the tree. */
  commandBot: z.string(),
  commandType: z.int(),
  /** The label after its number in a menu. */
  descriptionBot: z.string(),
  showMessage: z.string(),
  mediaUrl: z.string().nullable(),
  mediaName: z.string(),
  webhook: z.string().nullable(),
  /** The user to whom type 4 escalates. */
  userId: z.int().nullable(),
  queueId: z.int().nullable(),
  /** Put on the ticket, and on its contact. */
  tags: z.array(TagChoice.pick({ id: true, name: true, color: true })),
  categoryContacts: z.array(CategoryLabel),
  typeMessage: z.enum(['singleMessage', 'flow']),
  flowId: z.int().nullable(),
  flow: Named.nullable(),
  botConfigId: z.int().nullable(),
  botConfig: Named.nullable(),
  /** The number of the next command: after the answer to a question, or after an information. */
  forceNextFlow: z.string(),
  /** What it checks, keeps and calls; null for nothing. */
  logic: BotLogic.nullable(),
})
export type BotCommand = z.infer<typeof BotCommand>

const urlOrNull = z.preprocess(
  given => (given === '' ? null : given),
  z
    .string()
    .trim()
    .max(2_000, 'Too Long!')
    .pipe(z.url({ protocol: /^https?$/, error: 'Deve ser uma URL válida' }))
    .nullable(),
)

export const BotCommandInput = z.object({
  botSetupId: id.optional(),
  commandBot: CommandNumber,
  commandType: oneOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  descriptionBot: z.string().trim().max(200, 'Too Long!').optional(),
  showMessage: BotWords.optional(),
  webhook: urlOrNull.optional(),
  userId: idOrZero.optional(),
  queueId: idOrZero.optional(),
  /** By id, or sent whole. */
  tags: z.array(idOrWhole).max(50).optional(),
  botCategoryContacts: z.array(idOrWhole).max(50).optional(),
  typeMessage: z.enum(['singleMessage', 'flow']).optional(),
  flowId: idOrZero.optional(),
  botConfigId: idOrZero.optional(),
  forceNextFlow: NextNumber.nullable().optional(),
  logic: BotLogic.nullable().optional(),
  /** Name of the uploaded file. */
  mediaName: z.string().max(200).optional(),
  /** The file is removed. */
  withoutMedia: flag.optional(),
})
export type BotCommandInput = z.output<typeof BotCommandInput>
