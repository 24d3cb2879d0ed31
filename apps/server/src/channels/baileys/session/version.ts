import { text } from 'node:stream/consumers'
import type { WAVersion } from 'baileys'
import type { Logger } from 'pino'
import type { KeyRows } from '../../../driver.ts'
import { fetchNamed } from '../../../platform/outbound/fetching.ts'
import { byteRate } from '../../../platform/outbound/flow.ts'

/** A key row of the connection: the version with which it last connected. */
const TYPE = 'web-version'
const ID = 'good'
const ASK_MS = 10_000
/** It is in the first lines of the script. */
const MOST_READ = 1_048_576
/** As a browser asks for it: others are sent something else. */
const BROWSER = {
  'sec-fetch-site': 'none',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
}
const REVISION = /\\?"client_revision\\?":\s*(\d{1,12})/

/** The version of WhatsApp's web client that the sockets of a session claim to be. */
export interface Version {
  /** Undefined leaves it to Baileys. */
  current(): WAVersion | undefined
  /** The server let the session in: what it claims to be is kept for the next start. */
  proved(): Promise<void>
  /** The server refused it: asks for the latest one, unless the operator has chosen. What is known stays until then. */
  renew(): Promise<void>
}

interface Options {
  /** The operator's, which is never changed. */
  chosen: WAVersion | null
  webUrl: string
  rows: KeyRows
  log: Logger
}

/** Begins with the last one that worked. */
export async function openVersion({ chosen, webUrl, rows, log }: Options): Promise<Version> {
  let kept = chosen ? undefined : (await rows.read(TYPE, [ID])).get(ID)
  let current = chosen ?? (kept ? (JSON.parse(kept) as WAVersion) : undefined)
  return {
    current: () => current,
    async proved() {
      const value = current && JSON.stringify(current)
      if (chosen || !value || value === kept) return
      await rows.write([{ type: TYPE, id: ID, value }])
      kept = value
    },
    async renew() {
      if (chosen) return log.warn({ version: chosen }, 'WhatsApp refused the version that was chosen')
      try {
        current = await latestWebVersion(webUrl)
        log.warn({ version: current }, 'WhatsApp refused the version of the client: it takes the latest one')
      } catch (error) {
        log.warn(
          { err: error, version: current },
          'WhatsApp refused the version of the client, and names no other',
        )
      }
    },
  }
}

/** The version that the same server gives to browsers. */
export async function latestWebVersion(webUrl: string): Promise<WAVersion> {
  const page = new URL('/sw.js', webUrl.replace(/^ws/, 'http'))
  const answer = await fetchNamed(page, { headers: BROWSER, limits: { ...byteRate, graceMs: ASK_MS } })
  if (!answer.ok || !answer.body) throw new Error(`the page of the version answers ${answer.status}`)
  const script = await text(upTo(answer.body, MOST_READ))
  const [, revision] = REVISION.exec(script) ?? []
  if (!revision) throw new Error('the page of the version does not say it')
  return [2, 3000, Number(revision)]
}

async function* upTo(body: AsyncIterable<Uint8Array>, most: number) {
  let read = 0
  for await (const piece of body) {
    yield piece
    read += piece.length
    if (read > most) return
  }
}
