import { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { perProduct } from '../../platform/memory.ts'
import { whyItFailed } from '../../platform/observe/log-errors.ts'
import { VERSION } from '../../platform/observe/version.ts'

/** How long (ms) an answer is reused, and a failure. */
const DAY_MS = 86_400_000
const AGAIN_MS = 3_600_000
/** So long (ms) a screen waits for the first answer. */
const SHOWN_MS = 2_000
const MOST_BYTES = 256 * 1024

const asVersion = z.string().regex(/^v?\d{1,6}\.\d{1,6}\.\d{1,6}$/)
/** What a release writes (`balcao-VERSION.json`), or how hosts of repositories answer for the latest release. */
const Answer = z.union([
  z.object({ version: asVersion }).transform(({ version }) => version),
  z.object({ tag_name: asVersion }).transform(({ tag_name }) => tag_name),
])

interface Known {
  version: string | null
  /** By `performance.now()`. */
  askAgainAt: number
  asking: Promise<void> | null
}

const knownBy = perProduct<Known>(() => ({ version: null, askAgainAt: 0, asking: null }))

/** A version that is newer than the one that runs; null for none, while it is not known, and without VERSION_URL. */
export async function newerVersion(platform: Platform): Promise<string | null> {
  const { versionUrl } = platform.config
  if (!versionUrl) return null
  const known = knownBy(platform)
  if (performance.now() >= known.askAgainAt)
    known.asking ??= ask(platform, versionUrl, known).finally(() => {
      known.asking = null
    })
  if (known.asking)
    await Promise.race([known.asking, new Promise(done => setTimeout(done, SHOWN_MS).unref())])
  return known.version && isNewer(known.version, VERSION) ? known.version : null
}

async function ask({ outbound, log }: Platform, url: string, known: Known): Promise<void> {
  try {
    const headers = { accept: 'application/json', 'user-agent': `balcao/${VERSION}` }
    const reply = await outbound
      .by({ target: 'lookups', companyId: null })
      .fetchOutside(url, { headers, maxBytes: MOST_BYTES })
    if (reply.status !== 200) throw new Error(`it answered ${reply.status}`)
    known.version = Answer.parse(JSON.parse(reply.body.toString())).replace(/^v/, '')
    known.askAgainAt = performance.now() + DAY_MS
  } catch (error) {
    known.askAgainAt = performance.now() + AGAIN_MS
    log.info({ why: whyItFailed(error) }, 'VERSION_URL does not say which version is the newest')
  }
}

/** By numbers: 0.10.0 is newer than 0.9.0. */
function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => text.split('.').map(Number))
  const at = a!.findIndex((part, index) => part !== b![index])
  return at >= 0 && a![at]! > b![at]!
}
