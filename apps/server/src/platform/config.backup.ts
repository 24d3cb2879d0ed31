import { resolve } from 'node:path'
import { withoutLast } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'
import { anyText, orNull, randomBytes, webAddress, whole } from './config.kinds.ts'

/** The variables of sealed backups. */
export const backupVariables = {
  /** Where sealed backups are written. */
  backupTo: orNull(
    anyText.refine(value => placeOf(value) !== null, 'takes file:/a/folder or s3://bucket/prefix'),
  ),
  /** What they are sealed with; kept apart from the data. */
  backupKey: orNull(randomBytes),
  /** How many days, weeks and months keep their newest backup. */
  backupKeep: z
    .string()
    .regex(/^\d{1,3},\d{1,3},\d{1,3}$/, 'takes numbers of days, weeks and months such as 7,4,6')
    .transform(value => value.split(',').map(Number) as [number, number, number])
    .refine(([days]) => days >= 1, 'takes at least one day')
    .default([7, 4, 6]),
  /** So many days back any moment of the embedded database can be restored; 0: none. */
  backupLogDays: whole('takes a number of days', 0, 90).default(7),
  /** So much of its write-ahead log waits at most for a target that does not answer. */
  backupLogMb: whole('takes a number of megabytes', 64, 1_000_000).default(2_048),
  /** Who is written to about drills; null: every master. */
  backupMail: orNull(z.email('takes an e-mail address')),
  /** Of the bucket of BACKUP_TO, where they are not those of S3_. */
  backupS3Region: orNull(anyText),
  backupS3Endpoint: orNull(webAddress),
  backupS3AccessKeyId: orNull(anyText),
  backupS3SecretAccessKey: orNull(anyText),
}

export interface S3Config {
  bucket: string
  region: string
  /** Null: Amazon's own. */
  endpoint: string | null
  accessKeyId: string
  secretAccessKey: string
  /** True where the bucket is a folder of the address and not a name before it. */
  forcePathStyle: boolean
}

/** Where sealed backups go, and how many stay. */
export interface BackupConfig {
  to: { folder: string } | { s3: S3Config; prefix: string }
  key: string
  keep: { daily: number; weekly: number; monthly: number }
  logDays: number
  logMb: number
  mail: string | null
}

type Read = { [Field in keyof typeof backupVariables]: z.output<(typeof backupVariables)[Field]> } & {
  [Field in 's3Region' | 's3Endpoint' | 's3AccessKeyId' | 's3SecretAccessKey']: string | null
} & { s3ForcePathStyle: boolean | null }

/** Null without BACKUP_TO. */
export function backupOf(read: Read): BackupConfig | null {
  const place = read.backupTo && placeOf(read.backupTo)
  if (!place) return null
  const [daily, weekly, monthly] = read.backupKeep
  return {
    to: 'folder' in place ? place : { prefix: place.prefix, s3: bucketOf(read, place.bucket) },
    key: read.backupKey!,
    keep: { daily, weekly, monthly },
    ...{ logDays: read.backupLogDays, logMb: read.backupLogMb, mail: read.backupMail },
  }
}

/** With credentials of its own, or those of the bucket of files. */
function bucketOf(read: Read, bucket: string): S3Config {
  const hasOwn = read.backupS3AccessKeyId !== null
  const endpoint = hasOwn ? read.backupS3Endpoint : read.s3Endpoint
  return {
    bucket,
    region: (hasOwn ? read.backupS3Region : read.s3Region)!,
    endpoint,
    accessKeyId: (hasOwn ? read.backupS3AccessKeyId : read.s3AccessKeyId)!,
    secretAccessKey: (hasOwn ? read.backupS3SecretAccessKey : read.s3SecretAccessKey)!,
    forcePathStyle: (hasOwn ? null : read.s3ForcePathStyle) ?? endpoint !== null,
  }
}

/** `file:/a/folder`, or `s3://bucket` with a prefix behind it that ends in a slash; null where it is neither. */
function placeOf(given: string): { folder: string } | { bucket: string; prefix: string } | null {
  const [, folder] = /^file:(?:\/\/)?(\/.+)$/.exec(given) ?? []
  if (folder)
    try {
      return { folder: resolve(decodeURI(folder)) }
    } catch {
      return null // such as `file:/100%`
    }
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]{0,200}))?$/.exec(given) ?? []
  return bucket ? { bucket, prefix: prefix && `${withoutLast(prefix, '/')}/` } : null
}

type Given = Partial<Record<string, string>>

const OWN = {
  backupS3Region: 'BACKUP_S3_REGION',
  backupS3AccessKeyId: 'BACKUP_S3_ACCESS_KEY_ID',
  backupS3SecretAccessKey: 'BACKUP_S3_SECRET_ACCESS_KEY',
  backupS3Endpoint: 'BACKUP_S3_ENDPOINT',
}

/** What is wrong only beside something else that is given. */
export function noteBackup(
  given: Given,
  note: (field: keyof typeof backupVariables | 'backupDir', message: string) => void,
): void {
  if (given.backupTo) {
    if (!given.backupKey)
      note(
        'backupKey',
        'takes at least 32 random bytes, kept apart from the data; with BACKUP_TO it is required',
      )
    if (given.backupDir)
      note('backupDir', 'is of use without BACKUP_TO only, which also makes a backup each night')
  }
  const own = ['backupS3Region', 'backupS3AccessKeyId', 'backupS3SecretAccessKey'] as const
  const ownGiven = ([...own, 'backupS3Endpoint'] as const).find(field => given[field])
  if (ownGiven) for (const field of own) if (!given[field]) note(field, `is required with ${OWN[ownGiven]}`)
  if (given.backupTo?.startsWith('s3:') && !ownGiven && !given.s3AccessKeyId)
    note('backupS3AccessKeyId', 'or S3_ACCESS_KEY_ID is required where BACKUP_TO names a bucket')
}
