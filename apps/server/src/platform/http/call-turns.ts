import type { EventEmitter } from 'node:events'
import { refuse } from '../errors.ts'
import { type HeldSlot, Turns } from '../postgres/turns.ts'

/**
 * So many calls are begun at once, so that a company alone has eight of them, which keeps this process and the database busy. A
 * company whose further calls wait for a tenth of a second has two as long as others call (decision 086).
 */
const CALLS = 12
const STRANGERS = 6
/** A webhook is a row in a commit that many share: more of them at once are faster. */
const WEBHOOKS = 48
/** Of one company, or one network of strangers: memory for a flood has an end. */
const MOST_WAITING = 1_000
const CROWDED_MS = 100
/** A turn lasts so long (ms) at most: a call that is under way longer waits for something else than this process. */
const LONGEST_MS = 100

/** An answer under way: `close` says that it was sent, or that its client went away. */
interface Answering {
  raw: Pick<EventEmitter, 'once'> & { destroyed?: boolean; socket?: { destroyed: boolean } | null }
}

export interface CallTurns {
  /** Resolves when a call of this company may begin. Refuses with ERR_TOO_MANY_REQUESTS where too many of its calls wait. */
  ofCompany(companyId: number, reply: Answering): Promise<void>
  /** The same for what another system posts about a company; its users' calls do not wait for that. */
  ofWebhook(companyId: number, reply: Answering): Promise<void>
  /** The same for whoever shows what was signed for him before, by that name, behind no stranger. */
  ofKnown(name: string, reply: Answering): Promise<void>
  /** The same for whoever is not known, by network. */
  ofStranger(network: string, reply: Answering): Promise<void>
}

/**
 * Calls begin in turn by company: all of them share one event loop, in which a call that has begun is ahead of every later
 * one at each of its steps. Strangers have turns of their own, so that many addresses delay no company.
 */
export function openCallTurns(): CallTurns {
  const limits = { most: MOST_WAITING, crowdedMs: CROWDED_MS }
  const companies = new Turns(CALLS, limits)
  const webhooks = new Turns(WEBHOOKS, limits)
  const known = new Turns<string>(STRANGERS, limits)
  const strangers = new Turns<string>(STRANGERS, limits)
  return {
    ofCompany: (companyId, reply) => begin(companies, companyId, reply),
    ofWebhook: (companyId, reply) => begin(webhooks, companyId, reply),
    ofKnown: (name, reply) => begin(known, name, reply),
    ofStranger: (network, reply) => begin(strangers, network, reply),
  }
}

async function begin<Of extends number | string>(turns: Turns<Of>, of: Of, reply: Answering) {
  const turn: HeldSlot<Of> = await turns
    .acquire(of)
    .catch(() => refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 1 }))
  const end = () => {
    clearTimeout(late)
    turns.release(turn)
  }
  const late = setTimeout(end, LONGEST_MS)
  if (reply.raw.destroyed || reply.raw.socket?.destroyed) {
    end()
    return refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 1 })
  }
  reply.raw.once('close', end)
}
