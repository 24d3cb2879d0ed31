import type { Files } from '../../platform/files.ts'
import { keeping } from '../../platform/kept.ts'

/** A folder of many files takes a while to be counted: it is not done for every look. */
const KEPT_MS = 5 * 60_000
const known = keeping<number, ReturnType<Files['sizeOf']>>({ max: 1_000, ttl: KEPT_MS })

/** The room that the files of a company take, at most five minutes old. */
export function storageOf(files: Files, companyId: number): ReturnType<Files['sizeOf']> {
  const before = known.get(companyId)
  if (before) return before
  const counted = files.sizeOf(companyId)
  known.set(companyId, counted)
  counted.catch(() => known.delete(companyId))
  return counted
}
