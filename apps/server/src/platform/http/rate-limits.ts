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
  /** One more body that is none of this call: it is no try of anything, and counts by its caller alone. */
  malformed(name: string, limit: Limit, caller: Caller): void
}

/** Who calls, and for which company where that is known. */
export interface Caller {
  /** A user, a token, or the network of an address. */
  name: string
  companyId: number | null
  /** What a call without a session shows that was signed for it before, such as its device: it is counted by that first. */
  shown?: string | null
}

/** Beyond what all callers together may, one has this share of what it may alone, and at least so many. */
const CROWDED_SHARE = 10
const CROWDED_LEAST = 2

/** `perMinute`: what one user may call; 0 is as much as he likes. */
export function openLimits(perMinute: number): Limits {
  const tally = new Tally()
  const refuseOver = (name: string, most: number, at: number) => {
    const wait = tally.wait(name, most, at)
    if (wait > 0) refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: wait })
  }
  const count = (name: string, most: number) => {
    if (perMinute === 0) return
    const now = performance.now()
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
    attempt(name, limit, caller, account) {
      const now = performance.now()
      const counted = countersOf(tally, name, limit, caller, account, now)
      for (const [one, mostOfIt] of counted) refuseOver(one, mostOfIt, now)
      const undos = counted.map(([one]) => tally.add(one, now))
      return () => {
        for (const undo of undos) undo()
      }
    },
    malformed(name, { caller: most }, caller) {
      const now = performance.now()
      const counter = `malformed ${name} by ${caller.name}`
      refuseOver(counter, most, now)
      tally.add(counter, now)
    },
  }
}

type Counter = [name: string, most: number]

/** What counts a call. What it shows has a counter of its own, as long as that is not used up. */
function countersOf(
  tally: Tally,
  name: string,
  { caller: most, account: mostOfOne, company, all, outside }: Limit,
  { name: caller, companyId, shown }: Caller,
  account: string | null,
  now: number,
): Counter[] {
  const byShown = `${name} by ${shown}`
  const isShown = shown != null && tally.wait(byShown, most, now) === 0
  const isCrowded = all !== undefined && tally.wait(name, all, now) > 0
  const few = Math.max(CROWDED_LEAST, Math.ceil(most / CROWDED_SHARE))
  const counted: Counter[] = [isShown ? [byShown, most] : [`${name} by ${caller}`, isCrowded ? few : most]]
  if (company && companyId !== null) counted.push([`${name} of company ${companyId}`, company])
  if (account !== null && mostOfOne)
    counted.push(
      [`${name} by ${caller} on ${account}`, mostOfOne],
      [`${name} on ${account}`, mostOfOne * ADDRESSES_OF_AN_ACCOUNT],
    )
  if (outside) counted.push([name, outside])
  else if (all && !isShown) counted.push([name, Number.POSITIVE_INFINITY])
  return counted
}

/** An IPv6 customer has a whole network of addresses: all of it is one caller. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

/** What one provider gives to a customer or an office, more widely than `networkOf`: whoever guesses has few of these. */
export function neighbourhoodOf(address: string): string {
  const network = networkOf(address)
  return network.includes(':') ? network.split(':').slice(0, 3).join(':') : network.replace(/\.\d+$/, '')
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
  wait(name: string, most: number, at = performance.now()): number {
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
  add(name: string, at = performance.now()): () => void {
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
