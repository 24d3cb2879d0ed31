import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { databaseNow } from '../clock.ts'
import { ConfigError, type S3Config } from '../config.ts'
import { refuse } from '../errors.ts'
import { inTime } from '../observe/servers.ts'
import { type S3Limits, s3Client, s3Limits } from '../outbound/s3.client.ts'
import type { FileStore, FoundFile } from './files.ts'

/** Files in an S3 bucket, or in any compatible store, under a prefix. Large ones go up in parts as they arrive. */
export function openS3(
  config: S3Config,
  limits: S3Limits = s3Limits,
  { prefix = 'files/', partBytes = 5 * 1024 * 1024 }: { prefix?: string; partBytes?: number } = {},
): S3Store {
  const client = s3Client(config, limits)
  const { bucket } = config
  const at = (path: string) => ({ Bucket: bucket, Key: `${prefix}${path}` })

  return {
    async write(path, bytes, { name, type }) {
      const body = Readable.from(bytes, { objectMode: false })
      const upload = new Upload({
        client,
        params: {
          ...at(path),
          Body: body,
          ContentType: type,
          // Metadata travels in headers, which know ASCII alone.
          Metadata: { name: encodeURIComponent(name) },
        },
        queueSize: 2,
        partSize: partBytes,
      })
      await upload.done().finally(() => body.destroy())
    },
    async read(path, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await client.send(new GetObjectCommand({ ...at(path), Range })).catch(error => {
        const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : 0
        if (status === 416) refuse('ERR_BAD_REQUEST', { field: 'range' })
        if (status === 404) return null
        throw error
      })
      if (!found) return null
      const { Body, ContentLength, ContentRange, ContentType = '', Metadata = {} } = found
      return {
        stream: Body as Readable,
        size: Number(ContentRange?.split('/')[1] ?? ContentLength),
        label: { name: decodeURIComponent(Metadata.name ?? ''), type: ContentType },
      }
    },
    async remove(path) {
      await client.send(new DeleteObjectCommand(at(path)))
    },
    sizeOf: path => sizeOf(client, at(path)),
    removeFolder: path => emptyFolder(client, bucket, `${prefix}${path}/`),
    listFolder: path => listFolder(client, bucket, `${prefix}${path}/`),
    ask: abortSignal => askFor(client, bucket, abortSignal),
    async *paths() {
      for await (const { path } of foundUnder(client, bucket, prefix)) yield path
    },
    under: path => foundUnder(client, bucket, prefix, path),
    close: () => client.destroy(),
  }
}

export interface S3Store extends FileStore {
  ask(signal: AbortSignal): Promise<void>
  /** Every object whose path begins so. */
  under(path: string): AsyncIterable<FoundObject>
  close(): void
}

export interface FoundObject {
  path: string
  bytes: number
  writtenAt: number
}

/** Whether the bucket answers: by a list of one object, which the product needs to delete files. */
const askFor = async (client: S3Client, Bucket: string, abortSignal: AbortSignal): Promise<void> =>
  void (await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'files/', MaxKeys: 1 }), {
    abortSignal,
  }))

/** As the server is written in the environment; Amazon's own has none. */
export const placeOfS3 = ({ endpoint, region, bucket }: S3Config) =>
  `${endpoint ? new URL(endpoint).host : `Amazon S3 ${region}`}, bucket ${bucket}`

/**
 * Before a start: throws ConfigError where the server refuses the bucket or who asks for it, since no file could be kept.
 * One that cannot be reached is no reason: conversations go on without files.
 */
export async function s3Accepts(config: S3Config): Promise<void> {
  const name = (await s3Failure(config))?.name
  const wrong = name && REFUSALS[name]
  if (wrong) throw new ConfigError(`${wrong} (${placeOfS3(config)}: ${name})`)
}

/** Why the bucket does not answer; null where it does. */
export async function s3Failure(config: S3Config): Promise<Error | null> {
  const client = s3Client(config, s3Limits)
  const failure = await inTime(signal => askFor(client, config.bucket, signal)).then(
    () => null,
    (error: Error) => error,
  )
  client.destroy()
  return failure
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, which compatible servers answer too. */
const REFUSALS: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET names a bucket that is not there',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID',
  PermanentRedirect: 'S3_REGION is not that of the bucket',
  AuthorizationHeaderMalformed: 'S3_REGION is not that of the bucket',
}

async function sizeOf(client: S3Client, object: { Bucket: string; Key: string }): Promise<number | null> {
  const found = await client.send(new HeadObjectCommand(object)).catch(error => {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
    throw error
  })
  return found && (found.ContentLength ?? 0)
}

/** One by one: not every compatible server accepts a list. */
async function emptyFolder(client: S3Client, Bucket: string, prefix: string): Promise<void> {
  for await (const { Key } of objectsUnder(client, Bucket, prefix))
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
}

async function* listFolder(client: S3Client, bucket: string, prefix: string): AsyncIterable<FoundFile> {
  for await (const { Key = '', Size = 0, LastModified } of objectsUnder(client, bucket, prefix))
    yield { name: Key.split('/').at(-1)!, bytes: Size, writtenAt: LastModified?.getTime() ?? databaseNow() }
}

async function* foundUnder(
  client: S3Client,
  bucket: string,
  prefix: string,
  path = '',
): AsyncIterable<FoundObject> {
  for await (const { Key = '', Size = 0, LastModified } of objectsUnder(client, bucket, prefix + path))
    yield { path: Key.slice(prefix.length), bytes: Size, writtenAt: LastModified?.getTime() ?? databaseNow() }
}

/** Everything under a prefix, a thousand at a time. */
async function* objectsUnder(client: S3Client, Bucket: string, Prefix: string) {
  for (let next: string | undefined, more = true; more; ) {
    const found: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken: next }),
    )
    yield* found.Contents ?? []
    next = found.NextContinuationToken
    more = found.IsTruncated === true && next !== undefined
  }
}
