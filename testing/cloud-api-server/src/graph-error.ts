import { meaningOf } from './graph-codes.ts'
import type { Random } from './random.ts'

interface About {
  status: number
  code: number
  type?: string
  subcode?: number
  /** Only WhatsApp's own errors carry `error_data`. */
  details?: string
  transient?: true
  /** Minutes until the account may call again. */
  regainIn?: number
}

/** A refusal in the shape that Graph gives it. */
export class GraphError extends Error {
  about: About

  constructor(message: string, about: About) {
    super(message)
    this.about = about
  }

  /** The body of the answer. */
  body(random: Random) {
    const { code, type = 'OAuthException', subcode, details, transient } = this.about
    return {
      error: {
        message: this.message,
        type,
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(transient ? { is_transient: true } : {}),
        ...(details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: `A${random.token(22)}`,
      },
    }
  }
}

/** Page "Rate limits" of the Graph API: what is used of the limits of a business use case, by the account's id. */
export function usageOf({ about: { regainIn } }: GraphError, accountId: string): Record<string, string> {
  if (regainIn === undefined) return {}
  const usage = {
    type: 'whatsapp',
    ...{ call_count: 100, total_cputime: 25, total_time: 25 },
    estimated_time_to_regain_access: regainIn,
  }
  return { 'x-business-use-case-usage': JSON.stringify({ [accountId]: [usage] }) }
}

/** A refusal with one of WhatsApp's codes, which builds on `code` and `details`. */
export function refusal(code: number, details?: string, status?: number): GraphError {
  const meaning = meaningOf(code)
  return new GraphError(`(#${code}) ${meaning.title}`, {
    status: status ?? meaning.status,
    code,
    details: details ?? meaning.details,
  })
}

/** Graph's error about a parameter: all details are in the message. */
export const badParameter = (complaint: string) =>
  new GraphError(`(#100) ${complaint}`, { status: 400, code: 100 })

/** The id does not exist, or this token has no access to it: Graph's error is the same. */
export const noSuchObject = (method: string, id: string) =>
  new GraphError(
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    { status: 400, code: 100, subcode: 33, type: 'GraphMethodException' },
  )

/** A path, or a version, that Graph does not know. */
export const unknownPath = (path: string) =>
  new GraphError(`Unknown path components: ${path}`, { status: 400, code: 2500 })

/** The same failure in a webhook, when it occurs after the answer. */
export function lateError(code: number, details?: string) {
  const meaning = meaningOf(code)
  return {
    code,
    title: meaning.title,
    message: meaning.title,
    error_data: { details: details ?? meaning.details },
    href: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes',
  }
}

export type LateError = ReturnType<typeof lateError>
