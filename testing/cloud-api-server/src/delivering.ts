import type { Attached } from './attached.ts'
import { type LateError, lateError } from './graph-error.ts'
import { isOggOpus, unfit } from './media-kinds.ts'
import { windowIsOpen } from './pricing.ts'
import type { Sent } from './sent.ts'

/** Why an accepted message is not delivered, which a webhook reports. Undefined when it is. */
export async function lateFailure(sent: Sent): Promise<LateError | undefined> {
  const { number, customer, content } = sent
  const fault = number.state.faults.failures.take()
  if (fault) return lateError(fault.code)
  if (!customer) return lateError(131026)
  if (content.type !== 'template' && !windowIsOpen(number, customer)) return lateError(131047)
  if (content.category === 'MARKETING' && customer.noMarketing.has(number)) return lateError(131050)
  if (content.reaction && !isInChat(sent, content.reaction.to))
    return lateError(131009, 'The message that the reaction is for is not in this chat')
  for (const attached of content.attached) {
    const details = await spoilt(attached)
    if (details) return lateError(131053, details)
  }
  return undefined
}

function isInChat({ number, customer }: Sent, id: string) {
  const ours = number.state.sent.some(
    one => one.id === id && one.customer === customer && !one.content.reaction,
  )
  return (
    ours || customer!.wrote.some(one => one.id === id && one.to === number && !('reaction' in one.content))
  )
}

const FETCH_MS = 10_000

/** What is wrong with a file, once Meta looks at it. */
async function spoilt({ kind, voice, media, link }: Attached): Promise<string | undefined> {
  const file = media ?? (await fetched(link!))
  if (typeof file === 'string') return file
  if (voice && !isOggOpus(file.bytes))
    return `Voice messages must be audio/ogg with the OPUS codec, the file is ${file.mime}`
  return unfit(kind, file.mime, file.bytes)
}

async function fetched(link: string): Promise<{ mime: string; bytes: Buffer } | string> {
  const begin = 'Downloading media from weblink failed with'
  try {
    const answer = await fetch(link, { signal: AbortSignal.timeout(FETCH_MS) })
    if (!answer.ok) return `${begin} http code ${answer.status}, status message ${answer.statusText}`
    const mime = answer.headers.get('content-type') ?? 'application/octet-stream'
    return { mime, bytes: Buffer.from(await answer.arrayBuffer()) }
  } catch {
    return `${begin} http code 0, status message No answer`
  }
}
