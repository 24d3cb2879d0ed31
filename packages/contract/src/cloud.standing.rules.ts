import type { CloudHealth } from './cloud.ts'

export type Standing = Pick<
  CloudHealth,
  'quality' | 'messagingLimit' | 'numberStatus' | 'nameStatus' | 'banState' | 'restrictions'
>

export const cloudTroubles = [
  'banned',
  'banScheduled',
  'restricted',
  'flagged',
  'unregistered',
  'qualityLow',
  'qualityMedium',
  'nameDeclined',
] as const
export type CloudTrouble = (typeof cloudTroubles)[number]

const BANNED = ['BANNED', 'DELETED']
const UNREGISTERED = ['PENDING', 'DISCONNECTED', 'MIGRATED', 'UNVERIFIED']

/** Meta lets nothing out of it: it is not connected, whatever else works. */
export const isBanned = ({ numberStatus, banState }: Pick<Standing, 'numberStatus' | 'banState'>) =>
  banState === 'DISABLE' || BANNED.includes(numberStatus)

/** Restrictions that have not expired. */
export const restrictionsAt = ({ restrictions }: Pick<Standing, 'restrictions'>, now: number) =>
  restrictions.filter(({ until }) => until === null || Date.parse(until) > now)

/** What is wrong with a number, the worst first. */
export function troublesOf(standing: Standing, now: number): CloudTrouble[] {
  const { numberStatus, nameStatus, banState, quality } = standing
  const found: Record<CloudTrouble, boolean> = {
    banned: isBanned(standing),
    banScheduled: banState === 'SCHEDULE_FOR_DISABLE',
    restricted: numberStatus === 'RESTRICTED' || restrictionsAt(standing, now).length > 0,
    flagged: numberStatus === 'FLAGGED',
    unregistered: UNREGISTERED.includes(numberStatus),
    qualityLow: quality === 'RED',
    qualityMedium: quality === 'YELLOW',
    nameDeclined: nameStatus === 'DECLINED',
  }
  return cloudTroubles.filter(one => found[one])
}

/** Meta's tiers of new recipients in a day; an unknown one is never less. */
const TIERS = ['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED']

/** What became worse from one state to the next. */
export function worsened(before: Standing, after: Standing, now: number): (CloudTrouble | 'limitFell')[] {
  const known = troublesOf(before, now)
  const isBetter = (one: CloudTrouble) => one === 'qualityMedium' && known.includes('qualityLow')
  const limits = [before, after].map(({ messagingLimit }) => TIERS.indexOf(messagingLimit))
  return [
    ...troublesOf(after, now).filter(one => !known.includes(one) && !isBetter(one)),
    ...(limits[1]! >= 0 && limits[1]! < limits[0]! ? (['limitFell'] as const) : []),
  ]
}
