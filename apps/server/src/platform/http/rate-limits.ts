import type { Limit } from '@balcao/contract/kit.ts'
import ipaddr from 'ipaddr.js'
import { refuse } from '../errors.ts'

const MINUTE = 60_000

/** Many sit behind one address: an office, or all users where a proxy is not configured (TRUST_PROXY). */
const USERS_AT_AN_ADDRESS = 10
/** From all addresses together an account may be tried so many times as often as from one. */
const ADDRESSES_OF_AN_ACCOUNT = 3

/** How often a minute this process is called. Every refusal is ERR_TOO_MANY_REQUESTS with the time to retry. */
export interface Limits {
  /** One more call from an address. */
  visit(address: string): void
  /** One more call of a user. */
  call(userId: number): void
  /** One more of a call with a limit of its own; answers a function that undoes it. */
  attempt(name: string, limit: Limit, caller: Caller, account: string | null): () => void
}

/** Who calls, and for which company where that is known. */
export interface Caller {
  name: string
  companyId: number | null
}

/** `perMinute`: what one user may call; 0 is as much as he likes. */
export function openLimits(perMinute: number): Limits {
  const tally = new Tally()
  const refuseOver = (name: string, most: number, at: number) => {
    const wait = tally.wait(name, most, at)
    if (wait > 0) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: wait })
  }
  const count = (name: string, most: number) => {
    if (perMinute === 0) return
    const now = Date.now()
    refuseOver(name, most, now)
    tally.add(name, now)
  }
  return {
    visit(address) {
      count(`at ${networkOf(address)}`, perMinute * USERS_AT_AN_ADDRESS)
    },
    call(userId) {
      count(`of ${userId}`, perMinute)
    },
    attempt(name, { caller: most, account: mostOfOne, company, all }, { name: caller, companyId }, account) {
      const counted: [string, number][] = [[`${name} by ${caller}`, most]]
      if (company && companyId !== null) counted.push([`${name} of company ${companyId}`, company])
      if (account !== null && mostOfOne)
        counted.push(
          [`${name} by ${caller} on ${account}`, mostOfOne],
          [`${name} on ${account}`, mostOfOne * ADDRESSES_OF_AN_ACCOUNT],
        )
      if (all) counted.push([name, all])
      const now = Date.now()
      for (const [one, mostOfIt] of counted) refuseOver(one, mostOfIt, now)
      const undos = counted.map(([one]) => tally.add(one, now))
      return () => {
        for (const undo of undos) undo()
      }
    },
  }
}

/** An IPv6 customer has a whole network of addresses: all of it is one caller. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** So many names are counted each by itself; those that come after them in a minute share the counters of a crowd. */
const KNOWN = 50_000
const CROWD = 1_024

/**
 * Counts by name over the last minute: of the calendar minute before, what is left of it counts. No counter is thrown
 * out to make room for another, so that a flood of other names resets no counter.
 */
export class Tally {
  #now = new Map<string, number>()
  #before = new Map<string, number>()
  #start = 0

  /** Seconds until the name may come again; 0 while it was counted less than `most` times. */
  wait(name: string, most: number, at = Date.now()): number {
    this.#turn(at)
    const passed = at - this.#start
    const now = valueAt(this.#now, name)
    const before = valueAt(this.#before, name)
    if (now + before * (1 - passed / MINUTE) < most) return 0
    // what was counted in this minute begins to fade with the next
    const fades = now >= most ? MINUTE + MINUTE * (1 - most / now) : MINUTE * (1 - (most - now) / before)
    return 1 + Math.floor((fades - passed) / 1_000)
  }

  /** Counts one more; answers a function that undoes it. */
  add(name: string, at = Date.now()): () => void {
    this.#turn(at)
    const counts = this.#now
    const place = placeOf(counts, name)
    counts.set(place, (counts.get(place) ?? 0) + 1)
    return () => void counts.set(place, counts.get(place)! - 1)
  }

  #turn(at: number) {
    const passed = at - this.#start
    if (passed >= 0 && passed < MINUTE) return
    this.#before = passed < 2 * MINUTE ? this.#now : new Map()
    this.#now = new Map()
    this.#start = at - (at % MINUTE)
  }
}

const valueAt = (counts: Map<string, number>, name: string) => counts.get(placeOf(counts, name)) ?? 0

const placeOf = (counts: Map<string, number>, name: string) =>
  counts.size < KNOWN || counts.has(name) ? name : `one of a crowd ${hashOf(name) % CROWD}`

/** Random, so that a caller cannot choose whom to share a counter with. */
const SALT = Math.floor(Math.random() * 2 ** 31)

function hashOf(name: string) {
  let hash = SALT
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619)
  return hash >>> 0
}
