import { createHash } from 'node:crypto'
import { cut } from '@balcao/contract/cut.rules.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { Chat, InboundEvent } from '../driver.ts'
import { databaseNow } from '../platform/clock.ts'
import { externalIdOf } from '../platform/external.ts'
import { withRestAsFile } from './long-texts.ts'

/** Of a text inside of `data`, such as a thumbnail in base64. */
const MAX_DATA = 131_072
/** Of one event as JSON: more than the largest that a driver makes of a message. */
const MAX_EVENT = 524_288
const MAX_DEPTH = 12
const MAX_WHY = 500
/** Of what is kept of an event that cannot be stored. */
const MAX_RAW = 4_000

const IDS = new Set(['externalId', 'quotedExternalId', 'value', 'parent', 'externalIds'])
/** Short texts, some of them part of a key. */
const LENGTHS: Record<string, number> = { name: 255, username: 100, emoji: 100, mediaType: 100, reason: 500 }
/** What is inside of them belongs to the message: these texts are no ids. */
const CONTENTS = new Set(['data', 'referral', 'file', 'picture', 'answer'])

/** Nothing is from the future; the clock of a network may be a little ahead (ms). */
const AHEAD_MS = 600_000

/**
 * An event as the database takes it: ids by `externalIdOf`, texts without NUL and half characters and no longer than their
 * columns, a time that a calendar has. What cannot be made so becomes an event of the kind `strange` with the reason. Every
 * event of a driver passes here before anything of it is stored.
 */
export function receivedFrom(event: InboundEvent): InboundEvent {
  try {
    // a long text without the rest where both are too large
    for (const one of [withRestAsFile(event), event]) {
      const whole = { ...(fit(one, '', 0, false) as InboundEvent), at: timeWithin(event.at) }
      if (JSON.stringify(whole).length <= MAX_EVENT) return whole
    }
    throw new Error('it is too large')
  } catch (error) {
    return strangeFrom(event, error)
  }
}

/** What is kept of an event that cannot be stored: its chat, its beginning, and why; its key is a digest of all of it. */
export function strangeFrom(event: InboundEvent, error: unknown): InboundEvent {
  const raw = textOf(event)
  const why = error instanceof Error ? error.message : String(error)
  const { kind, value } = event.chat
  return {
    kind: 'strange',
    chat: { kind, value: externalIdOf(value) },
    externalId: `sha256:${createHash('sha256').update(raw).digest('hex')}`,
    body: cut(plain(raw), MAX_RAW),
    why: cut(plain(`${event.kind}: ${why}`), MAX_WHY),
    at: timeWithin(event.at),
  }
}

/** A message that could not be read at all; `raw` is what came. */
export const strangeOf = (
  { chat, at, raw }: { chat: Chat | null; at: string; raw: unknown },
  error: unknown,
): InboundEvent =>
  strangeFrom(
    {
      kind: 'strange',
      chat: chat ?? { kind: 'phone', value: '' },
      externalId: '',
      body: textOf(raw),
      why: '',
      at,
    },
    error,
  )

function textOf(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? ''
  } catch (error) {
    return String(error)
  }
}

function fit(value: unknown, name: string, depth: number, isContent: boolean): unknown {
  if (depth > MAX_DEPTH) throw new Error('it is nested too deeply')
  if (typeof value === 'string') return fitText(value, name, isContent)
  if (Array.isArray(value)) return value.map(one => fit(one, name, depth + 1, isContent))
  if (typeof value !== 'object' || value === null) return value
  const fitted: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value))
    fitted[key] = fit(inner, key, depth + 1, isContent || CONTENTS.has(key))
  return fitted
}

function fitText(text: string, name: string, isContent: boolean): string {
  if (isContent) return cut(plain(text), MAX_DATA)
  return IDS.has(name) ? externalIdOf(text) : cut(plain(text), LENGTHS[name] ?? MAX_BODY)
}

/** PostgreSQL refuses NUL and half characters. */
const plain = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** A time as a network gave it; now where it cannot be true. */
function timeWithin(at: string): string {
  const now = databaseNow()
  const ms = Date.parse(at)
  return new Date(ms > 0 && ms < now + AHEAD_MS ? ms : now).toISOString()
}
