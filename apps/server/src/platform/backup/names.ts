/** Names of objects at a target, and which of them stay. All times are of the database's clock. */

const DAY = 24 * 3_600_000

/** `20260304T052300Z`, which sorts by time. */
export const stampOf = (time: number): string =>
  new Date(time).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')

export function timeOfStamp(stamp: string): number {
  const [, year, month, day, hour, minute, second] = STAMP.exec(stamp) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** A backup is there when its index is, which is written last and removed first. */
export const baseObject = (id: string, part: 'data' | 'files' | 'index'): string => `bases/${id}/${part}`
export const fileObject = (path: string): string => `files/${path}`

/** A stretch of the write-ahead log: bytes of one segment, from `start` to before `end`. */
export interface LogStretch {
  /** The slot that kept it: a run without gaps. */
  stream: string
  segment: string
  start: number
  end: number
  /** Everything that was committed until then is in this one or before it; null where that is not known. */
  covers: number | null
  /** When it was sent, or some moments before. */
  sentAt: number
}

export const stretchObject = ({ stream, segment, start, end, covers, sentAt }: LogStretch): string =>
  `log/${stream}/${segment}/${hex(start)}-${hex(end)}-${momentOf(covers ?? sentAt)}${covers === null ? '-part' : ''}`

export function stretchOf(name: string): LogStretch | null {
  const [, stream, segment, start, end, stamp, millis, part] = STRETCH.exec(name) ?? []
  if (!stream || !segment || !stamp) return null
  const time = timeOfStamp(`${stamp}Z`) + Number(millis)
  const at = { start: Number.parseInt(start!, 16), end: Number.parseInt(end!, 16) }
  return { stream, segment, ...at, covers: part ? null : time, sentAt: time }
}
const STRETCH =
  /^log\/([0-9a-f]{12})\/([0-9A-F]{24})\/([0-9a-f]{8})-([0-9a-f]{8})-(\d{8}T\d{6})(\d{3})Z(-part)?$/

/** To the millisecond: `20260304T052300123Z`. */
const momentOf = (time: number) => new Date(time).toISOString().replace(/[-:.]/g, '')

const hex = (value: number) => value.toString(16).padStart(8, '0')

/** Bytes of a segment as PostgreSQL ships it. */
export const SEGMENT = 16 * 1024 * 1024

/** A place in the log as a number of bytes: `16/B374D848`. A double is exact for it up to eight million gigabytes. */
export function positionOfLsn(lsn: string): number {
  const [high = '', low = ''] = lsn.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

export const lsnOf = (position: number): string =>
  `${Math.floor(position / 2 ** 32).toString(16)}/${(position % 2 ** 32).toString(16)}`.toUpperCase()

/** The file of the segment that holds a place (XLogFileName of PostgreSQL). */
export function segmentAt(timeline: number, position: number): string {
  const number = Math.floor(position / SEGMENT)
  const parts = [timeline, Math.floor(number / PER_LOG), number % PER_LOG]
  return parts.map(part => part.toString(16).toUpperCase().padStart(8, '0')).join('')
}
const PER_LOG = 2 ** 32 / SEGMENT

/** Where a segment begins. */
export const positionOfSegment = (segment: string): number =>
  (Number.parseInt(segment.slice(8, 16), 16) * PER_LOG + Number.parseInt(segment.slice(16), 16)) * SEGMENT

export interface KeptPeriods {
  daily: number
  weekly: number
  monthly: number
}

/**
 * Which of these backups stay (`at`: when each was begun): the newest of each of so many days, weeks and months that have one, all from
 * which the days of the log are restored, and always the newest.
 */
export function basesThatStay<Base extends { at: number }>(
  bases: Base[],
  { keep, logDays, now }: { keep: KeptPeriods; logDays: number; now: number },
): Set<Base> {
  const newestFirst = [...bases].sort((one, other) => other.at - one.at)
  const stay = new Set(newestFirst[0] ? [newestFirst[0]] : [])
  const periods: [number, (at: number) => number | string][] = [
    [keep.daily, at => Math.floor(at / DAY)],
    // weeks begin on Monday: 1970-01-01 was a Thursday
    [keep.weekly, at => Math.floor((at / DAY + 3) / 7)],
    [keep.monthly, at => new Date(at).toISOString().slice(0, 7)],
  ]
  for (const [most, periodOf] of periods) {
    const seen = new Set<number | string>()
    for (const base of newestFirst) {
      const period = periodOf(base.at)
      if (seen.has(period) || seen.size >= most) continue
      seen.add(period)
      stay.add(base)
    }
  }
  const anchor = anchorOf(newestFirst, { logDays, now })
  if (anchor) for (const base of newestFirst) if (base.at >= anchor.at) stay.add(base)
  return stay
}

/** The backup from which the oldest moment of the log's days is restored. */
export function anchorOf<Base extends { at: number }>(
  bases: Base[],
  { logDays, now }: { logDays: number; now: number },
): Base | null {
  if (logDays === 0) return null
  const newestFirst = [...bases].sort((one, other) => other.at - one.at)
  return newestFirst.find(({ at }) => at <= now - logDays * DAY) ?? newestFirst.at(-1) ?? null
}

/** How far without a gap the log goes on from a place, and which stretches of it that needs. */
export function followed(
  stretches: LogStretch[],
  { stream, from }: { stream: string; from: number },
  until = Number.POSITIVE_INFINITY,
): { needed: LogStretch[]; covers: number | null } {
  const placed = stretches
    .filter(one => one.stream === stream)
    .map(one => ({
      one,
      from: positionOfSegment(one.segment) + one.start,
      to: positionOfSegment(one.segment) + one.end,
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to)
  const needed: LogStretch[] = []
  let [position, covers] = [from, null as number | null]
  for (const { one, from: start, to } of placed) {
    if (to <= position) continue
    if (start > position || (covers !== null && covers >= until)) break
    needed.push(one)
    position = Math.max(position, to)
    if (one.covers !== null) covers = Math.max(covers ?? 0, one.covers)
  }
  return { needed, covers }
}
