import { isExpected, isOfDatabase } from '../errors.ts'

/** How many causes of an error are logged. */
const DEEPEST = 5

interface Described {
  type: string
  message?: string
  code?: string | number
  constraint?: string
  routine?: string
  stack?: string
  cause?: unknown
  errors?: unknown[]
}

type Facts = Error & { code?: unknown; constraint?: unknown; routine?: unknown }

/**
 * What the log holds of an error. All other fields are left out: what a database reports of a row, the
 * values of a statement, the body of a call that failed hold what people wrote, and who they are. An expected error
 * (`isExpected`) has no stack.
 */
export function describeError(error: unknown): unknown {
  return described(error, { depth: DEEPEST, withStack: !isExpected(error) })
}

function described(error: unknown, { depth, withStack }: { depth: number; withStack: boolean }): unknown {
  if (!(error instanceof Error)) return typeof error
  const { code, constraint, routine, cause } = error as Facts
  const facts: Described = { type: error.constructor.name || error.name }
  if (!isOfDatabase(error)) facts.message = messageOf(error)
  if (typeof code === 'string' || typeof code === 'number') facts.code = code
  if (typeof constraint === 'string') facts.constraint = constraint
  if (typeof routine === 'string') facts.routine = routine
  if (withStack) facts.stack = framesOf(error)
  if (depth > 0 && cause !== undefined) facts.cause = described(cause, { depth: depth - 1, withStack })
  if (depth > 0 && error instanceof AggregateError)
    facts.errors = error.errors.map(one => described(one, { depth: depth - 1, withStack }))
  return facts
}

/** Why something failed, in one line that may be kept and shown; of the database's words only their code. */
export function whyItFailed(error: unknown): string {
  if (!(error instanceof Error)) return `not an error: ${typeof error}`
  if (!isOfDatabase(error)) return `${error.name}: ${messageOf(error)}`
  const { code, constraint } = error as Facts
  return constraint ? `database error ${code} (${constraint})` : `database error ${code}`
}

/** Without what it quotes of a text that is no JSON, and without addresses and numbers of people. */
const messageOf = (error: Error): string =>
  textOf(error)
    .replace(/(Unexpected (?:token|end|non-whitespace)[^,]{0,80}).*?( is not valid JSON|$)/s, '$1$2')
    .replace(/(?<![\w:/.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '…')
    .replace(/\b\d{10,15}\b/g, '…')

/** Some have none: Node's error for a host with several addresses, and those of some libraries, have a code or errors in them. */
function textOf(error: Error): string {
  if (error.message) return error.message
  const [first] = error instanceof AggregateError ? error.errors : [error.cause]
  if (first instanceof Error) return textOf(first)
  const { code } = error as Facts
  return typeof code === 'string' ? code : 'without a message'
}

/** Where it came from: a stack begins with the message, however many lines it has. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .join('\n')
