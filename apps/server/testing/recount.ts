import { type Figures, NO_FIGURES } from '@balcao/contract/reports.rules.ts'
import type { ticketHistory } from '../src/features/tickets/tickets.table.ts'

/** The figures of reports, found the slow way: by going through histories line by line, in memory, without the database. */

export type PastLine = Pick<
  typeof ticketHistory.$inferInsert,
  'what' | 'fromStatus' | 'fromUserId' | 'fromQueueId' | 'toStatus' | 'toUserId' | 'toQueueId'
> & { at: string }

/** One ticket: its history, its messages with their authors, and when a bot led it. */
export interface Past {
  whatsappId: number
  createdAt: string
  lines: PastLine[]
  said: { at: string; source: 'contact' | 'person' | 'phone' | 'bot' | 'flow' }[]
  spells: { beganAt: string; endedAt: string }[]
  tagIds: number[]
}

export interface Service {
  began: number
  at: number
  userId: number
  queueId: number
  whatsappId: number
  tagIds: number[]
  wait: number | null
  serve: number | null
  answer: number | null
  bot: number | null
  /** Within the hours of the company; null without hours. */
  open: { wait: number | null; serve: number | null; answer: number | null; outside: boolean } | null
  /** Seconds of each who had a part in the serving. */
  parts: Map<number, number>
  /** Seconds of the waits that each ended by accepting. */
  waits: Map<number, number>
  /** Of those, the ones after the first. */
  again: number
}

type Hours = { isOpen(at: number): boolean; lasting(since: number, until: number): number } | null
type Standing = { at: number; status: string; userId: number }
interface State {
  begun: number
  accepted: number | null
  waited: boolean
  course: Standing[]
  services: Service[]
}

/** Whatever is undone is as if it had not been. */
export function servicesOf(past: Past, hours: Hours): Service[] {
  const first = past.lines[0]!
  const begun = Date.parse(past.createdAt)
  let now: State = {
    ...{ begun, accepted: null, waited: true, services: [] },
    course: [{ at: begun, status: first.toStatus, userId: first.toUserId ?? 0 }],
  }
  let last = now
  for (const line of past.lines) {
    if (line.what === 'undone') {
      now = last
      continue
    }
    last = now
    now = moved(now, line, past, hours)
  }
  return now.services
}

function moved(before: State, line: PastLine, past: Past, hours: Hours): State {
  const at = Date.parse(line.at)
  const { fromStatus, toStatus } = line
  let now = before
  if (fromStatus === 'closed' && toStatus !== 'closed')
    now = { ...now, begun: at, accepted: null, waited: true, course: [] }
  if (toStatus === 'open' && fromStatus !== 'open' && now.accepted === null)
    now = { ...now, accepted: at, waited: fromStatus === 'pending' }
  if (toStatus === 'closed' && fromStatus !== 'closed')
    now = { ...now, services: [...now.services, serviceOf(now, line, past, hours)] }
  return { ...now, course: [...now.course, { at, status: toStatus, userId: line.toUserId ?? 0 }] }
}

const seconds = (since: number, until: number) => Math.floor((until - since) / 1_000)

function serviceOf(now: State, line: PastLine, past: Past, hours: Hours): Service {
  const { begun, accepted, waited, course } = now
  const at = Date.parse(line.at)
  const waitEnd = accepted !== null && waited ? accepted : null
  const answers = past.said
    .filter(({ source }) => source === 'person' || source === 'phone')
    .map(one => Date.parse(one.at))
    .filter(said => said >= begun && said <= at)
  const answered = course[0]!.status === 'pending' && answers.length > 0 ? Math.min(...answers) : null
  const lasting = (since: number | null, until: number | null) =>
    since === null || until === null ? null : Math.floor(hours!.lasting(since, until) / 1_000)
  const first = waitEnd === null ? null : seconds(begun, waitEnd)
  const closedBy = line.toUserId ?? 0
  const whole = partsOf(now, { at, closedBy }, past, { first, lasting: seconds })
  const timed = hours && {
    ...partsOf(now, { at, closedBy }, past, {
      first: lasting(begun, waitEnd),
      lasting: (since, until) => lasting(since, until)!,
    }),
    ...{ answer: lasting(begun, answered), outside: !hours.isOpen(begun) },
  }
  return {
    ...{ began: begun, at, userId: closedBy, queueId: line.toQueueId ?? 0 },
    ...{ whatsappId: past.whatsappId, tagIds: past.tagIds },
    answer: answered === null ? null : seconds(begun, answered),
    ...whole,
    open: timed && {
      wait: whole.wait === null ? null : timed.passed,
      ...{ serve: timed.serve, answer: timed.answer, outside: timed.outside },
    },
  }
}

type Told = { first: number | null; lasting: (since: number, until: number) => number }

/** From one state to the next, each second once; while waiting, from one edge of a bot's period to the next. */
function partsOf(
  { begun, accepted, course }: State,
  { at: closed, closedBy }: { at: number; closedBy: number },
  { spells }: Past,
  { first, lasting }: Told,
) {
  const into = (at: number) =>
    accepted !== null && at >= accepted
      ? lasting(begun, accepted) + lasting(accepted, at)
      : lasting(begun, at)
  const parts = new Map<number, number>()
  const waits = new Map<number, number>()
  // `passed` since the last acceptance, `ended` before it
  let [again, passed, ended, isFirst] = [0, 0, 0, true]
  let bot: number | null = null
  for (const [place, { at: since, status, userId }] of course.entries()) {
    const until = course[place + 1]?.at ?? closed
    if (until <= since) continue
    if (status === 'open') {
      parts.set(userId, (parts.get(userId) ?? 0) + into(until) - into(since))
      const waited = isFirst && first !== null ? passed : passed || null
      if (waited !== null) waits.set(userId, (waits.get(userId) ?? 0) + waited)
      if (!isFirst) again += passed
      ended += passed
      ;[passed, isFirst] = [0, false]
      continue
    }
    passed += into(until) - into(since)
    const led = spells.map(one => [Date.parse(one.beganAt), Date.parse(one.endedAt)] as const)
    const edges = [since, until, ...led.flat()].filter(edge => edge >= since && edge <= until)
    const cuts = [...new Set(edges)].sort((a, b) => a - b)
    for (const [cut, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[cut + 1]!
      if (led.some(([begins, ends]) => begins <= from && ends >= to)) bot = (bot ?? 0) + into(to) - into(from)
    }
  }
  if (accepted !== null && parts.size === 0) {
    parts.set(closedBy, 0)
    if (first !== null) waits.set(closedBy, first)
    ended = first ?? 0
  }
  const wait = first === null ? ended || null : ended
  return {
    parts,
    waits,
    again,
    bot,
    wait,
    passed: ended,
    serve: accepted === null ? null : total([...parts.values()]),
  }
}

const total = (list: (number | null)[]) => list.reduce<number>((sum, one) => sum + (one ?? 0), 0)
const told = (list: (number | null)[]) => list.filter(one => one !== null).length

export function figuresFromRows(services: Service[]): Figures {
  const of = (pick: (one: Service) => number | null | undefined) => services.map(one => pick(one) ?? null)
  const [serve, wait, answer, bot] = [
    of(one => one.serve),
    of(one => one.wait),
    of(one => one.answer),
    of(one => one.bot),
  ]
  const [serveOpen, waitOpen, answerOpen] = [
    of(one => one.open?.serve),
    of(one => one.open?.wait),
    of(one => one.open?.answer),
  ]
  return {
    ...NO_FIGURES,
    closed: services.length,
    ...{ served: told(serve), serveSeconds: total(serve), waited: told(wait), waitSeconds: total(wait) },
    ...{ answered: told(answer), answerSeconds: total(answer), botted: told(bot), botSeconds: total(bot) },
    ...{ servedOpen: told(serveOpen), serveOpenSeconds: total(serveOpen) },
    ...{ waitedOpen: told(waitOpen), waitOpenSeconds: total(waitOpen) },
    ...{ answeredOpen: told(answerOpen), answerOpenSeconds: total(answerOpen) },
    timed: services.filter(({ open }) => open).length,
    outside: services.filter(({ open }) => open?.outside).length,
  }
}

/** From service to service: change of a period against the one before it, in whole percents. */
export function changesFromRows(before: Service[], now: Service[]) {
  const grown = (sum: (services: Service[]) => number | null) => {
    const [was, is] = [sum(before), sum(now)]
    return was === null || was === 0 || is === null ? null : Math.round((is * 100) / was) - 100
  }
  const lasting = (pick: (one: Service) => number | null) => {
    const listed = (services: Service[]) => services.flatMap(one => pick(one) ?? [])
    const mean = (services: Service[]) =>
      listed(services).length === 0 ? null : Math.round(total(listed(services)) / listed(services).length)
    return { total: grown(services => total(listed(services))), mean: grown(mean) }
  }
  const [serve, wait] = [lasting(one => one.serve), lasting(one => one.wait)]
  return {
    closed: grown(services => services.length),
    tma: serve.mean,
    tme: wait.mean,
    answer: lasting(one => one.answer).mean,
    serveSeconds: serve.total,
    waitSeconds: wait.total,
  }
}

const SLOT = 15 * 60_000

/**
 * A week by the clock of a zone as JavaScript knows it, looked at every quarter of an hour: no place's clock is set by
 * less, and no span of the test begins at an hour that a change of clocks doubles or leaves out.
 */
export function hoursFromRows(
  zone: string,
  week: { weekday: number; opens: number; closes: number }[],
  holidays: string[],
  [since, until]: [string, string],
): NonNullable<Hours> {
  const start = Date.parse(since)
  const clock = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const isOpenAt = (at: number) => {
    const [day, hour] = clock.format(at).split(', ') as [string, string]
    if (holidays.includes(day)) return false
    const minute = Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3))
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    return week.some(one => one.weekday === weekday && one.opens <= minute && minute < one.closes)
  }
  const slots = Array.from({ length: (Date.parse(until) - start) / SLOT }, (_, place) =>
    isOpenAt(start + place * SLOT),
  )
  const before = [0]
  for (const isOpen of slots) before.push(before.at(-1)! + (isOpen ? SLOT : 0))
  const upTo = (at: number) => {
    const place = Math.floor((at - start) / SLOT)
    return before[place]! + (slots[place] ? (at - start) % SLOT : 0)
  }
  return {
    isOpen: at => slots[Math.floor((at - start) / SLOT)]!,
    lasting: (from, to) => upTo(to) - upTo(from),
  }
}
