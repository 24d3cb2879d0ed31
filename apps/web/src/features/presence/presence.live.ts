import {
  FOLLOW_PRESENCE,
  MAX_PRESENCES,
  PRESENT,
  presenceChannel,
  REPORTED_EVERY,
  type TicketDoing,
} from '@balcao/contract/presence.ts'
import { drafts } from '../../platform/drafts.ts'
import { lineNow, listen, report } from '../../platform/live.ts'
import { writeKey } from '../../platform/store.ts'
import { here } from './presence.store.ts'

/** How often the screen is looked at: what it shows is reported then. */
const LOOK_MS = 1_000
/** Who has written nothing for so long only looks. */
const WRITES_MS = 5_000

/** Reports what this screen shows, and shows who else is there. */
export function followPresence(viewerId: number): () => void {
  let line: string | undefined
  let followed = ''
  let at = ''
  let reportedAt = 0
  const deaf = listen(presenceChannel, ({ ticketId, users }) => {
    const others = users.filter(({ id }) => id !== viewerId)
    if (others.length > 0 || here.read().has(ticketId))
      writeKey(here, ticketId, others.length > 0 ? others : undefined)
  })

  function look() {
    const now = lineNow()
    if (now !== line) {
      // what another line pushed is over; a new one knows nothing of this screen
      line = now
      followed = at = ''
      here.write(new Map())
    }
    if (!line) return
    const ids = shown().slice(0, MAX_PRESENCES)
    if (ids.join() !== followed || followed === '') {
      followed = ids.join()
      report(FOLLOW_PRESENCE, ids)
      for (const id of here.read().keys()) if (!ids.includes(id)) writeKey(here, id, undefined)
    }
    const ticketId = document.visibilityState === 'visible' ? openTicket() : 0
    const present = ticketId > 0 ? { ticketId, doing: doingIn(ticketId) } : null
    const is = JSON.stringify(present)
    if (is === at && (!present || performance.now() - reportedAt < REPORTED_EVERY * 1_000)) return
    at = is
    reportedAt = performance.now()
    report(PRESENT, present)
  }

  look()
  const timer = setInterval(look, LOOK_MS)
  document.addEventListener('visibilitychange', look)
  return () => {
    deaf()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    here.write(new Map())
    report(PRESENT, null)
  }
}

/** The open conversation and the rows that are drawn. */
function shown(): number[] {
  const rows = document.querySelectorAll<HTMLElement>('[data-ticket]')
  const ids = [openTicket(), ...Array.from(rows, ({ dataset }) => Number(dataset.ticket))]
  return [...new Set(ids)].filter(id => id > 0)
}

const openTicket = () => Number(/^\/tickets\/(\d{1,9})$/i.exec(location.pathname)?.[1] ?? 0)

function doingIn(ticketId: number): TicketDoing {
  const isWriting = drafts.read(ticketId) !== '' && Date.now() - drafts.about(ticketId).at < WRITES_MS
  const note = document.querySelector<HTMLTextAreaElement>('form[data-note] textarea:focus')
  if (note?.value) return 'noting'
  return isWriting ? 'writing' : 'looking'
}
