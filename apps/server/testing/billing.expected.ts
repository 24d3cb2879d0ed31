import type { NoticeKind, NoticePlatform } from '@balcao/contract/billingNotices.rules.ts'
import type { Hearer, Payer } from './billing.payers.ts'

// What a year of billing has to leave behind, reckoned the slow way: day by day, and without the product's own rules.

/** One moment at which everything due was done. `isSure`: no process was killed meanwhile, so that it completed. */
export interface BillingRun {
  ms: number
  isSure: boolean
}

/** Runs by their place in the list: possible from `first` on, certain from `sure` on. */
interface Since {
  first: number
  sure: number
}

export interface ExpectedInvoice {
  payer: Payer
  start: string
  end: string
  cents: number
  made: Since
  /** Paid before the run `first`, or during it; before the run `sure` it is. */
  paid: Since | null
  isDuringRun: boolean
  status: 'PENDING' | 'OVERDUE' | 'RECEIVED'
}

type Certainty = 'must' | 'may' | 'never'

export interface ExpectedNotice {
  key: string
  row: Certainty
  said: Certainty
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const TRIAL_MS = 15 * DAY_MS
const AHEAD = 10
const OPENS = 8
const CLOSES = 20

/** What the clock of a place showed at each run. */
export interface LocalTime {
  zone: string
  day: string
  hour: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

export function clockAt(zone: string, ms: number): LocalTime {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: zone })
  formats.set(zone, format)
  const [day, time] = format.format(ms).split(', ')
  return { zone, day: day!, hour: Number(time!.slice(0, 2)) }
}
const parts = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
} as const

const next = (day: string, by = 1) => new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10)
const dayOfMonth = (day: string) => Number(day.slice(8))

/** Begins again on the same day of the month, or on the last one of a month that has no such day. */
function dayAfterPeriod(start: string, months: number, anchor: number): string {
  let day = start
  for (let passed = 0; passed < months; ) {
    day = next(day)
    const isLast = dayOfMonth(next(day)) === 1
    if (dayOfMonth(day) === anchor || (isLast && dayOfMonth(day) < anchor)) passed++
  }
  return day
}

/** Every invoice that a company gets within these runs; of them the first is a sure one. */
export function invoicesOf(payer: Payer, runs: BillingRun[]): ExpectedInvoice[] {
  const clocks = runs.map(({ ms }) => clockAt(payer.zone, ms))
  const begins = payer.signedUpAt === null ? runs[0]!.ms : Math.max(runs[0]!.ms, payer.signedUpAt + TRIAL_MS)
  let start = clockAt(payer.zone, begins).day
  const anchor = dayOfMonth(start)
  const found: ExpectedInvoice[] = []
  for (;;) {
    const from = next(start, -AHEAD)
    const made = sinceRun(runs, at => clocks[at]!.day >= from)
    if (made.sure < 0) return found
    const following = dayAfterPeriod(start, payer.months, anchor)
    const pay = payer.pays[found.length] ?? null
    const paid =
      pay &&
      paidAt(runs, Date.parse(start) + (pay.days + 0.5) * DAY_MS, made, { isDuringRun: pay.isDuringRun })
    const isLate = start < clocks.at(-1)!.day
    found.push({
      ...{ payer, start, end: next(following, -1), cents: payer.price * payer.months, made, paid },
      isDuringRun: pay?.isDuringRun ?? false,
      status: paid ? 'RECEIVED' : isLate ? 'OVERDUE' : 'PENDING',
    })
    start = following
  }
}

/** The first run at which something holds, and the first one that came to its end; -1 where there is none. */
const sinceRun = (runs: BillingRun[], holds: (at: number) => boolean): Since => ({
  first: runs.findIndex((_, at) => holds(at)),
  sure: runs.findIndex(({ isSure }, at) => isSure && holds(at)),
})

function paidAt(
  runs: BillingRun[],
  ms: number,
  made: Since,
  { isDuringRun }: { isDuringRun: boolean },
): Since | null {
  const first = runs.findIndex((run, at) => at > made.sure && run.ms >= ms)
  return first < 0 ? null : { first, sure: isDuringRun ? first + 1 : first }
}

export const noticeKey = (
  companyId: number,
  start: string,
  hearer: number,
  platform: string,
  kind: string,
): string => [companyId, start, hearer, platform, kind].join(' ')

/** All notices that may be sent of an invoice, by recipient. */
export function noticesOf(
  invoice: ExpectedInvoice,
  runs: BillingRun[],
  clocks: LocalTime[],
): ExpectedNotice[] {
  const { payer, start } = invoice
  const ways = payer.hearers.flatMap(hearer =>
    (['email', 'wpp'] as const).flatMap(platform => kindsFor(hearer, platform, start)),
  )
  return ways.map(({ hearer, platform, kind, days }) => ({
    key: noticeKey(payer.companyId, start, hearer.id, platform, kind),
    ...(kind === 'invoiceConfirmedPayment'
      ? thanksFor(invoice, runs)
      : reminderOf(invoice, kind, days, runs, clocks)),
  }))
}

/** Notices of the end of a trial, on its days alone, until the first invoice is paid. */
export function trialNoticesOf(payer: Payer, runs: BillingRun[]): ExpectedNotice[] {
  const { companyId, zone, signedUpAt } = payer
  if (signedUpAt === null) return []
  const clocks = runs.map(({ ms }) => clockAt(zone, ms))
  const start = clockAt(zone, signedUpAt + TRIAL_MS).day
  const paid = invoicesOf(payer, runs)[0]?.paid ?? null
  const kinds = [
    ['trialSoon', new Set([next(start, -3), next(start, -2)])],
    ['trialTomorrow', new Set([next(start, -1)])],
  ] as const
  return payer.hearers.flatMap(hearer =>
    (['email', 'wpp'] as const).flatMap(platform => {
      const name = platform === 'wpp' ? 'whatsapp' : 'email'
      if (hearer[name] === '' || !hearer.wishes[`${name}_invoice_day`]) return []
      return kinds.map(([kind, days]) => ({
        key: noticeKey(companyId, start, hearer.id, platform, kind),
        ...reminderOf({ made: { first: 0, sure: 0 }, paid, start }, kind, days, runs, clocks),
      }))
    }),
  )
}

interface Way {
  hearer: Hearer
  platform: NoticePlatform
  kind: NoticeKind
  /** On which days it is written down; null on the one on which the invoice is made. */
  days: Set<string> | null
}

function kindsFor(hearer: Hearer, platform: NoticePlatform, due: string): Way[] {
  const { before, after } = hearer
  const name = platform === 'wpp' ? 'whatsapp' : 'email'
  if (hearer[name] === '') return []
  const wants = (event: string) => hearer.wishes[`${name}_${event}`]
  const span = (from: number, count: number) =>
    new Set(Array.from({ length: count }, (_, at) => next(due, from + at)))
  const ways: [string, NoticeKind, Set<string> | null][] = [
    ['invoice_created', 'invoiceCreated', null],
    ['invoice_day', 'invoiceBefore', span(-before, before)],
    ['invoice_day', 'invoiceDay', span(0, 1)],
    ['delayed_payment', 'delayedPayment', span(1, 2)],
    ['delayed_payment', 'delayedPaymentAgain', after > 1 ? span(after, 2) : new Set()],
    ['invoice_confirmed_payment', 'invoiceConfirmedPayment', null],
  ]
  return ways.flatMap(([event, kind, days]) => (wants(event) ? [{ hearer, platform, kind, days }] : []))
}

/** At once when it was paid, at whatever hour. */
function thanksFor({ paid }: ExpectedInvoice, runs: BillingRun[]): Pick<ExpectedNotice, 'row' | 'said'> {
  if (!paid) return { row: 'never', said: 'never' }
  const isSure = runs.some((run, at) => at >= paid.sure && run.isSure)
  return { row: 'must', said: isSure ? 'must' : 'may' }
}

/** Planned on its days, and sent in the sending hours within a day, as long as it is unpaid and its day is not over. */
function reminderOf(
  { made, paid, start }: Pick<ExpectedInvoice, 'made' | 'paid' | 'start'>,
  kind: NoticeKind,
  days: Set<string> | null,
  runs: BillingRun[],
  clocks: LocalTime[],
): Pick<ExpectedNotice, 'row' | 'said'> {
  const end = paid?.sure ?? runs.length
  const isOwed = (at: number) => at < (paid?.first ?? runs.length)
  const writes = (at: number) => (days ? days.has(clocks[at]!.day) : true)
  const possible = runs.flatMap((_, at) => (at >= made.first && at < end && writes(at) ? [at] : []))
  if (possible.length === 0) return { row: 'never', said: 'never' }
  const sure = possible.find(at => at >= made.sure && runs[at]!.isSure && isOwed(at))
  const isOver = (at: number) =>
    kind.startsWith('trial')
      ? !days!.has(clocks[at]!.day)
      : (kind === 'invoiceBefore' || kind === 'invoiceDay') && clocks[at]!.day > start
  const isOpen = (at: number) => isDaytime(clocks[at]!.hour)
  const opens = (at: number) => opensAt(runs[at]!.ms, clocks[at]!)
  const maySay = (at: number) =>
    at < end &&
    possible.some(from => from <= at && maySayAt(runs[at]!.ms, opens(from), { isOpen: isOpen(at) }))
  const mustSay = (at: number) =>
    sure !== undefined &&
    at >= sure &&
    isOwed(at) &&
    runs[at]!.isSure &&
    runs[at]!.ms >= opens(sure) &&
    runs[at]!.ms - opens(possible[0]!) <= DAY_MS &&
    isOpen(at)
  const when = runs.map((_, at) => at).filter(at => !isOver(at))
  return {
    row: sure === undefined ? 'may' : 'must',
    said: when.some(mustSay) ? 'must' : when.some(maySay) ? 'may' : 'never',
  }
}

/** What was just due may slip behind the hour at which the day ends. */
const maySayAt = (ms: number, due: number, { isOpen }: { isOpen: boolean }) =>
  ms >= due && ms - due <= DAY_MS && (isOpen || ms - due < HOUR_MS)

const isDaytime = (hour: number) => hour >= OPENS && hour < CLOSES

/** The next hour by the clock at which people are reminded; now, in the daytime. */
function opensAt(ms: number, { zone, hour }: LocalTime): number {
  if (isDaytime(hour)) return ms
  let at = ms - (ms % HOUR_MS)
  while (!isDaytime(clockAt(zone, at).hour)) at += HOUR_MS
  return at
}
