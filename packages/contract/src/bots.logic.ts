import { z } from 'zod'
import { BotWords, NextNumber } from './bots.fields.ts'
import { id } from './kit.ts'

/** Placeholders that texts have already. */
const TAKEN = /^(cliente|atendente|protocolo|data|horas|resposta(_.*)?)$/

/** The name of a variable: `{{pedido}}` in texts, in any case. */
export const VariableName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z]\w{0,29}$/, 'Letters, digits and _')
  .refine(name => !TAKEN.test(name), 'Taken')

const minutes = z.int().min(0).max(1_440)
const how = z.enum(['equals', 'differs', 'contains', 'empty', 'filled'])
export type Comparison = z.infer<typeof how>
const compared = z.string().trim().max(500, 'Too Long!')

export const Condition = z.discriminatedUnion('kind', [
  /** Within the opening hours of the company, or outside; one without hours is always open. */
  z.object({ kind: z.literal('hours'), open: z.boolean() }),
  /** On these days (0 is Sunday) from a minute of the company's clock to another, past midnight when that is earlier. */
  z.object({
    kind: z.literal('time'),
    weekdays: z.array(z.int().min(0).max(6)).min(1).max(7),
    from: minutes,
    to: minutes,
  }),
  /** The ticket has a tag. */
  z.object({ kind: z.literal('tag'), id, has: z.boolean() }),
  /** The contact has a category. */
  z.object({ kind: z.literal('category'), id, has: z.boolean() }),
  z.object({ kind: z.literal('variable'), name: VariableName, how, value: compared }),
  /** What the customer wrote last. */
  z.object({ kind: z.literal('answer'), how, value: compared }),
])
export type Condition = z.infer<typeof Condition>

/** What an answer has to be. */
export const answerChecks = ['any', 'name', 'email', 'cpf', 'date', 'number', 'oneOf'] as const

/** What a command checks, keeps and calls beside its message. */
export const BotLogic = z.object({
  /** Of a condition. */
  conditions: z.array(Condition).max(10).default([]),
  match: z.enum(['all', 'any']).default('all'),
  /** The next command where a condition does not hold, a request failed, or no try was right. */
  otherwise: NextNumber.default(''),
  /** Of a question: what its answer has to be, and where it is kept. */
  check: z.enum(answerChecks).default('any'),
  /** Of `oneOf`. */
  choices: z.array(z.string().trim().min(1, 'Required').max(72, 'Too Long!')).max(10).default([]),
  tries: z.int().min(1).max(10).default(3),
  /** Sent after a wrong answer; empty: the question again. */
  wrong: BotWords.default(''),
  variable: z.union([z.literal(''), VariableName]).default(''),
  /** The field of the contact; `field` names one of its additional ones. */
  keepIn: z.enum(['', 'name', 'email', 'field']).default(''),
  field: z.string().trim().max(100, 'Too Long!').default(''),
  /** Without an answer for so long, `silent` is next; 0: the time of the setup applies. A week at most. */
  waitMinutes: z.int().min(0).max(10_080).default(0),
  silent: NextNumber.default(''),
  /** Of a request: which parts of the answer fill variables. */
  fills: z
    .array(
      z.object({ variable: VariableName, path: z.string().trim().min(1, 'Required').max(200, 'Too Long!') }),
    )
    .max(20)
    .default([]),
  timeoutSeconds: z.int().min(1).max(20).default(10),
})
export type BotLogic = z.infer<typeof BotLogic>
