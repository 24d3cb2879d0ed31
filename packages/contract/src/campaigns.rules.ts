import type { CampaignAction, CampaignPauseReason, CampaignStatus, WaitReason } from './campaignShapes.ts'
import type { Lib } from './connections.ts'
import { may, type Viewer } from './permissions.rules.ts'

export interface SendingPace {
  /** Seconds. */
  tMin: number
  tMax: number
  interval: number
}

/** A number from 0 up to, but not, 1. */
type Random = () => number

/** Between the greeting and the message of one contact, and from there to the next contact (OP-89), in milliseconds. */
export function gapsOf({ tMin, tMax, interval }: SendingPace, random: Random) {
  const between = () => (tMin + random() * Math.max(0, tMax - tMin)) * 1_000
  return { withinPair: between(), toNext: interval * 1_000 + between() }
}

/** The longest pause between two contacts of one number, in milliseconds. */
export const longestPause = (pace: SendingPace) => gapsOf(pace, () => 1).toNext

/** Average seconds per contact on one number. */
export const usualCycle = ({ tMin, tMax, interval }: SendingPace) => interval + tMin + Math.max(tMin, tMax)

/** Neighbours do not get the same text (OP-91). `position` counts a campaign's people. */
export const turnOf = (position: number, messages: number) => position % messages

const DAY_MS = 86_400_000
const warmingUp: { untilDay: number; perDay: number }[] = [
  { untilDay: 4, perDay: 20 },
  { untilDay: 8, perDay: 50 },
  { untilDay: 15, perDay: 100 },
  { untilDay: 31, perDay: 200 },
]

/**
 * Daily limit of recipients of a number; null for none. WhatsApp restricts accounts that open many new chats soon
 * after they were linked; Meta limits numbers of the official API itself.
 */
export function dayCapOf(
  lib: Lib,
  linkedAt: number,
  now: number,
  { warmUp }: { warmUp: boolean },
): number | null {
  if (lib !== 'baileys' || !warmUp) return null
  const days = (now - linkedAt) / DAY_MS
  return warmingUp.find(({ untilDay }) => days < untilDay)?.perDay ?? null
}

export interface Hours {
  /** `HH:mm` of the company's clock; null for all day. */
  dailyFrom: string | null
  dailyUntil: string | null
  /** 0 is Sunday; empty for every day. */
  weekdays: number[]
}

const MINUTES = 1_440
const WEEK_DAYS = 7

/**
 * The local time when campaigns may send next, `YYYY-MM-DDTHH:mm`; null when they may at `shown`. Hours over midnight
 * belong to the day on which they begin. Knows no time zone: only the database converts local time to UTC.
 */
export function opensAt(hours: Hours, shown: string): string | null {
  const spans = spansAround(hours, weekdayOf(shown))
  const now = minutesOf(shown.slice(11))
  if (spans.some(([from, until]) => from <= now && now < until)) return null
  const next = spans.map(([from]) => from).filter(from => from > now)
  return later(shown, Math.min(...next) - now)
}

/** From and until, in minutes from today's midnight, of yesterday to a week ahead. */
function spansAround({ dailyFrom, dailyUntil, weekdays }: Hours, today: number): [number, number][] {
  const isAllDay = dailyFrom === null || dailyUntil === null || dailyFrom === dailyUntil
  const from = isAllDay ? 0 : minutesOf(dailyFrom)
  const end = isAllDay ? MINUTES : minutesOf(dailyUntil)
  const until = end <= from ? end + MINUTES : end
  return Array.from({ length: WEEK_DAYS + 2 }, (_, at) => at - 1)
    .filter(day => weekdays.length === 0 || weekdays.includes((today + day + WEEK_DAYS) % WEEK_DAYS))
    .map(day => [day * MINUTES + from, day * MINUTES + until])
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const dateOf = (shown: string) => new Date(`${shown.slice(0, 16)}:00Z`)
const weekdayOf = (shown: string) => dateOf(shown).getUTCDay()
const later = (shown: string, minutes: number) =>
  new Date(dateOf(shown).getTime() + minutes * 60_000).toISOString().slice(0, 16)

/** A number of what happened lately, and since when it counts. */
export interface Cap {
  reason: WaitReason
  most: number | null
  windowMs: number
  /** Times of the dispatches that count, oldest first. */
  left: number[]
}

/**
 * When the next message may be sent: now, or when the number's pace and every limit allow it. `gapUntil` is the end of
 * the pause after the previous one. A limit of 0 or null is none.
 */
export function nextDeparture(
  now: number,
  gapUntil: number,
  caps: Cap[],
): { at: number; waits: WaitReason | null } {
  let [at, waits]: [number, WaitReason | null] = gapUntil > now ? [gapUntil, 'gap'] : [now, null]
  for (const { reason, most, windowMs, left } of caps) {
    if (!most || left.length < most) continue
    // the last of those that fill the cap has to be out of it, to the millisecond
    const free = left.at(-most)! + windowMs + 1
    if (free > at) [at, waits] = [free, reason]
  }
  return { at, waits }
}

const moves: Record<CampaignAction, { from: CampaignStatus[]; to: CampaignStatus }> = {
  start: { from: ['created', 'scheduled', 'pause'], to: 'start' },
  pause: { from: ['start', 'scheduled'], to: 'pause' },
  finalized: { from: ['created', 'scheduled', 'start', 'pause'], to: 'finalized' },
}

/** The state after an action, unchanged where the action has no effect; null where it is not allowed. */
export function statusAfter(status: CampaignStatus, action: CampaignAction): CampaignStatus | null {
  const { from, to } = moves[action]
  if (status === to) return status
  if (from.includes(status)) return to
  return action === 'pause' && status === 'created' ? status : null
}

/** Consecutive refusals that pause a number. */
export const REFUSALS_IN_A_ROW = 5

/** After these WhatsApp restricts the number further with every try, or every other person meets the same. */
const atOnce = new Set([
  'ERR_WAPP_TOO_MANY',
  'ERR_WAPP_BANNED',
  'ERR_WAPP_LOCKED',
  'ERR_WAPP_CLOUD_BLOCKED',
  'ERR_WAPP_CLOUD_PAYMENT',
  'ERR_FILE_GONE',
  'ERR_WAPP_STRANGER',
])
/** Errors that concern the contact or the campaign, not the number. */
const harmless = new Set([
  'ERR_OPTED_OUT',
  'ERR_CAMPAIGN_VARIABLE',
  'ERR_WAPP_INVALID_CONTACT',
  'ERR_WAPP_OTHER_NETWORK',
  'ERR_WAPP_CHECK_CONTACT',
  'ERR_WAPP_WINDOW_CLOSED',
  'ERR_WAPP_CLOUD_COUNTRY',
  'ERR_WAPP_MARKETING_LIMIT',
  'ERR_WAPP_NOT_DELIVERED',
])

/** The number's consecutive refusals after one more failure. */
export const refusalsAfter = (inRow: number, reason: string) => (harmless.has(reason) ? inRow : inRow + 1)

/** Whether a campaign stops by itself after a failure. */
export const stopsAfter = (reason: string, inRow: number): CampaignPauseReason | null =>
  atOnce.has(reason) || inRow >= REFUSALS_IN_A_ROW ? 'refused' : null

/** The setup as visible to this viewer: its id is a credential that makes campaigns in its owner's name. */
export const shownSetup = <Setup extends { id: string; handle: string; userId: number | null }>(
  viewer: Viewer | null,
  setup: Setup,
): Setup =>
  viewer && (viewer.visitId !== undefined || !mayManageCampaign(viewer, setup))
    ? { ...setup, id: setup.handle }
    : setup

/** Admins and the creator (ROLE-005). */
export const mayManageCampaign = (viewer: Viewer, { userId }: { userId: number | null }) =>
  may(viewer, 'admin') || userId === viewer.id

export interface Outlook {
  /** Remaining recipients. */
  people: number
  /** Available numbers; `dayUsed`: sent in the last 24 hours, of its daily limit. */
  numbers: { dayCap: number | null; dayUsed?: number }[]
  pace: SendingPace
  hourCap: number | null
  /** Sent within the last hour, of the plan's limit. */
  hourUsed?: number
  hours: Hours
  /** What the clock shows now. */
  shown: string
}

/** People an hour while it sends, within the plan's hour. */
export function ratePerHour({
  numbers,
  pace,
  hourCap,
}: Pick<Outlook, 'numbers' | 'pace' | 'hourCap'>): number {
  const perNumber = 3_600 / usualCycle(pace)
  const all = Math.floor(perNumber * numbers.length)
  return hourCap ? Math.min(all, hourCap) : all
}

/** How many slots of the next hour stay empty, because others already sent: 0 where the remaining ones suffice. */
function usedSlots(outlook: Outlook): number {
  const { people, hourCap, hourUsed = 0 } = outlook
  if (!hourCap) return 0
  const free = Math.max(0, hourCap - hourUsed)
  return people > free ? Math.max(0, ratePerHour(outlook) - free) : 0
}

/** Planning horizon. */
const FAR_DAYS = 3_650

/** Estimated local time of the last message; null when it would never end. */
export function endsAt(outlook: Outlook): string | null {
  const { people, numbers, hours, shown } = outlook
  const perHour = ratePerHour(outlook)
  if (people === 0) return shown
  if (perHour === 0) return null
  const caps = numbers.map(({ dayCap }) => dayCap ?? Number.POSITIVE_INFINITY)
  const perDay = caps.reduce((sum, cap) => sum + cap, 0)
  const usedToday = numbers.reduce((sum, { dayCap, dayUsed = 0 }) => sum + Math.min(dayCap ?? 0, dayUsed), 0)
  const spans = spansAround(hours, weekdayOf(shown))
  const now = minutesOf(shown.slice(11))
  let left = people + usedSlots(outlook)
  for (let day = 0; day < FAR_DAYS; day++) {
    // what is open repeats each week
    const week = Math.floor(day / WEEK_DAYS)
    const from = day * MINUTES + (day === 0 ? now : 0)
    let today = day === 0 ? perDay - usedToday : perDay
    for (const [opens, closes] of spans.map(
      span => span.map(at => at + week * WEEK_DAYS * MINUTES) as [number, number],
    )) {
      const [begin, end] = [Math.max(opens, from), Math.min(closes, (day + 1) * MINUTES)]
      if (end <= begin || today <= 0) continue
      const sent = Math.min(left, today, ((end - begin) * perHour) / 60)
      if (sent >= left) return later(shown, Math.ceil(begin + (left * 60) / perHour - now))
      left -= sent
      today -= sent
    }
  }
  return null
}
