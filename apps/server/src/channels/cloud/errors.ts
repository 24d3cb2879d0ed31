import { cut } from '@balcao/contract/cut.rules.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'

/** It cannot be sent over the official API at all. */
export class Unsendable extends Error {
  readonly reason: ErrorCode
  constructor(reason: ErrorCode) {
    super(reason)
    this.reason = reason
  }
}

/** What is done about a refusal of Meta's; nothing of it was carried out. */
export type Policy =
  /** It will never leave like this. */
  | 'refuse'
  /** A moment later the same may succeed. */
  | 'again'
  /** The whole number sends too fast. */
  | 'slow'
  /** The account called too often within the hour, or is held for a while: the number rests, as long as Meta asks. */
  | 'rest'
  /** This one person gets too much at once. */
  | 'pair'
  /** The token is no good any more, or has no such number: an admin has to give another. */
  | 'auth'
  /** The token may not do this one thing: an admin has to grant it. */
  | 'denied'
  /** Meta holds the account: an admin has to look. */
  | 'blocked'

type Rule = [policy: Policy, reason: ErrorCode, codes: number[]]

/** Pages "Error codes" of the Cloud API and "Error handling" of the Graph API; the table is in docs/channels.md. */
const RULES: Rule[] = [
  ['auth', 'ERR_WAPP_CLOUD_TOKEN', [190]],
  ['denied', 'ERR_WAPP_CLOUD_DENIED', [0, 3, 10, 131005]],
  ['slow', 'ERR_WAPP_TOO_MANY', [130429]],
  ['rest', 'ERR_WAPP_TOO_MANY', [4, 80007, 133016]],
  ['rest', 'ERR_WAPP_CLOUD_BLOCKED', [368]],
  ['pair', 'ERR_WAPP_TOO_MANY', [131056]],
  ['again', 'ERR_WAPP_CLOUD_CALL', [1, 2, 131000, 131016, 131057, 133004]],
  ['blocked', 'ERR_WAPP_CLOUD_BLOCKED', [131031, 131045, 131048, 131064, 133010]],
  ['blocked', 'ERR_WAPP_CLOUD_PAYMENT', [131042]],
  ['refuse', 'ERR_WAPP_WINDOW_CLOSED', [131047]],
  ['refuse', 'ERR_WAPP_INVALID_CONTACT', [130403, 131021, 131026, 131030, 131062]],
  ['refuse', 'ERR_WAPP_CLOUD_COUNTRY', [130497]],
  ['refuse', 'ERR_WAPP_MARKETING_LIMIT', [131049]],
  ['refuse', 'ERR_OPTED_OUT', [131050]],
  ['refuse', 'ERR_WAPP_NOT_DELIVERED', [130472]],
  ['refuse', 'ERR_WAPP_DOWNLOAD_MEDIA', [131052]],
  ['refuse', 'ERR_FILE_TYPE', [131053]],
  [
    'refuse',
    'ERR_WAPP_TEMPLATE',
    [132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132068, 132069],
  ],
]
const known = new Map(
  RULES.flatMap(([policy, reason, codes]) => codes.map(code => [code, { policy, reason }])),
)
/** Their pause is longer than that of what Meta calls transient. */
const PAUSES: Policy[] = ['slow', 'rest', 'pair']

/** What to do about a refusal, and its reason for those who wait. */
export function policyOf(failure: Failure): { policy: Policy; reason: string } {
  const rule = ruleOf(failure)
  if (failure.isTransient && !PAUSES.includes(rule.policy))
    return { policy: 'again', reason: 'ERR_WAPP_CLOUD_CALL' }
  return rule
}

function ruleOf({ code, subcode, status, details, message }: Failure): { policy: Policy; reason: string } {
  const listed = known.get(code)
  if (listed) return listed
  if (code === 100 && subcode === 33) return { policy: 'auth', reason: 'ERR_WAPP_CLOUD_TOKEN' }
  if ((code >= 200 && code <= 299) || status === 401 || status === 403)
    return { policy: 'denied', reason: 'ERR_WAPP_CLOUD_DENIED' }
  if (status === 429) return { policy: 'slow', reason: 'ERR_WAPP_TOO_MANY' }
  const words = cut(`${code} ${details || message}`.trim(), 200)
  return { policy: status >= 500 ? 'again' : 'refuse', reason: words }
}

interface Failure {
  code: number
  status: number
  message: string
  details: string
  subcode?: number
  isTransient?: boolean
}

/** Why a message failed that was accepted at first, by its status. */
export function lateReason(error: LateError | undefined): string {
  const { code = 0, title = '', error_data: data } = error ?? {}
  return policyOf({ code, status: 400, message: title, details: data?.details ?? '' }).reason
}

export interface LateError {
  code?: number
  title?: string
  error_data?: { details?: string }
}
