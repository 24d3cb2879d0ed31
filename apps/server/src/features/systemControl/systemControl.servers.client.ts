import { randomUUID } from 'node:crypto'
import type { ServerStatus } from '@balcao/contract/systemControl.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { whyItFailed } from '../../platform/observe/log-errors.ts'
import type { WatchedServer } from '../../platform/observe/servers.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import { placeOfRedis } from '../../platform/outbound/sentinels.ts'
import { testLetter } from './systemControl.text.ts'

/** The servers beside the database, as this process last met them. */
export function serversNow({ files, mail, signals, config }: Platform): ServerStatus[] {
  const redis = signals.redis()
  const known = { why: '', since: null }
  return [
    files.server
      ? statusOf('files', files.server)
      : { name: 'files', place: config.dataDir, state: files.isFull() ? 'full' : 'up', ...known },
    mail.server ? statusOf('mail', mail.server) : { name: 'mail', place: '', state: 'unset', ...known },
    {
      ...{ name: 'redis', place: config.redisUrl ? placeOfRedis(config.redisUrl) : '' },
      ...{ state: redis ?? 'unset', ...known },
    },
  ]
}

function statusOf(name: ServerStatus['name'], { place, state }: WatchedServer): ServerStatus {
  const now = state()
  if (!now) return { name, place, state: 'unknown', why: '', since: null }
  return { name, place, state: now.isUp ? 'up' : 'down', why: now.why, since: now.since }
}

/** Passes a letter to the mail server at once. Refuses with ERR_NO_MAIL, and ERR_MAIL_REFUSED with the reason. */
export async function sendTestMail(
  { mail, log }: Pick<Platform, 'mail' | 'log'>,
  to: string,
  language: Letter['language'],
): Promise<void> {
  if (!mail.isSetUp) refuse('ERR_NO_MAIL')
  await mail.send({ id: randomUUID(), to, letter: testLetter(language), link: null }).catch(error => {
    log.warn({ why: whyItFailed(error) }, 'a test letter was refused')
    return refuse('ERR_MAIL_REFUSED', { details: { reason: whyItFailed(error) } })
  })
}
