import type { Readable } from 'node:stream'
import { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { type ByteRate, byteRate, endsWithin, flowing } from './flow.ts'

/** How long a bucket may take. */
export interface S3Limits extends ByteRate {
  connectMs: number
  /** For an answer; while a body is sent, such as a part of 5 MB, a second more for each so many bytes. */
  answerMs: number
  sendBytesPerSecond: number
}

export const s3Limits: S3Limits = {
  ...byteRate,
  connectMs: 5_000,
  answerMs: 15_000,
  sendBytesPerSecond: 65_536,
}

/**
 * A client whose every request ends, and is tried once more. Options of the library do not do it: `requestTimeout` logs a
 * warning and goes on waiting unless `throwOnRequestTimeout` is set, knows no size, and ends no answer that drips.
 */
export function s3Client(config: S3Config, limits: S3Limits): S3Client {
  const { region, endpoint, accessKeyId, secretAccessKey, forcePathStyle } = config
  const client = new S3Client({
    region,
    endpoint: endpoint ?? undefined,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    maxAttempts: 2,
    // The checksums that Amazon's client adds by itself are unknown to many other servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: limits.connectMs },
  })
  const { requestHandler } = client.config
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = async (request, options) => {
    const size = request.body instanceof Uint8Array ? request.body.length : 0
    const ms = limits.answerMs + (size / limits.sendBytesPerSecond) * 1_000
    const asked = await endsWithin(ms, late => {
      const given = options && 'abortSignal' in options ? options.abortSignal : undefined
      const abortSignal = given instanceof AbortSignal ? AbortSignal.any([given, late]) : late
      return handle(request, { ...options, abortSignal })
    })
    asked.response.body = flowing(asked.response.body as Readable, limits)
    return asked
  }
  return client
}
