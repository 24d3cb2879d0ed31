import { z } from 'zod'
import { badParameter, type GraphError, refusal } from './graph-error.ts'

/** Parses parameters. Throws Graph's error for the first one that does not fit. */
export function read<T>(shape: z.ZodType<T>, value: unknown, under?: string): T {
  const result = shape.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw complaint(result.error.issues[0]!, under)
}

/** A text of limited length, whose complaint is one of WhatsApp's own (131009) and names the thing. */
export const bounded = (name: string, most: number, least = 1) =>
  z.string().refine(text => text.length >= least && text.length <= most, {
    error: `${name} length invalid. Min length: ${least}, Max length: ${most}`,
    params: { code: 131009 },
  })

/** A list of limited length, likewise. */
export const few = <T extends z.ZodType>(shape: T, name: string, most: number) =>
  z.array(shape).refine(list => list.length >= 1 && list.length <= most, {
    error: `Invalid ${name} count. Min allowed ${name}: 1, Max allowed ${name}: ${most}`,
    params: { code: 131009 },
  })

function complaint(issue: z.core.$ZodIssue, under: string | undefined): GraphError {
  const [first, ...rest] = under === undefined ? issue.path : [under, ...issue.path]
  const name = `${String(first)}${rest.map(step => (typeof step === 'number' ? `[${step}]` : `['${String(step)}']`)).join('')}`
  switch (issue.code) {
    case 'invalid_type':
      return badParameter(
        issue.input === undefined
          ? `The parameter ${name} is required.`
          : `Param ${name} must be ${KINDS[issue.expected] ?? issue.expected}.`,
      )
    case 'too_big':
      return badParameter(`Param ${name} must be at most ${issue.maximum} ${units(issue.origin)}.`)
    case 'too_small':
      return badParameter(`Param ${name} must be at least ${issue.minimum} ${units(issue.origin)}.`)
    case 'invalid_value':
      return badParameter(
        issue.input === undefined
          ? `The parameter ${name} is required.`
          : `Param ${name} must be one of {${issue.values.map(value => String(value).toUpperCase()).join(', ')}} - got "${issue.input}".`,
      )
    case 'unrecognized_keys':
      return badParameter(`Unexpected key "${issue.keys[0]}" on param "${name}".`)
    case 'custom':
      return issue.params?.code ? refusal(issue.params.code, issue.message) : badParameter(issue.message)
    default:
      return badParameter(
        issue.input === undefined ? `The parameter ${name} is required.` : `Param ${name} is not valid.`,
      )
  }
}

const KINDS: Record<string, string> = {
  object: 'a JSON object',
  array: 'an array',
  string: 'a string',
  boolean: 'a boolean',
  number: 'a number',
}

const units = (origin: string) =>
  origin === 'string' ? 'characters long' : origin === 'array' ? 'elements long' : 'in value'
