import { marks } from '@balcao/contract/marks.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { applyMarked } from './tickets.marks.live.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

const t = useTicketMarkText.read

/** As people say it: the hour of today, else the day with it. */
export const shownMoment = (at: string) =>
  clock(at).format(clock(at).isSame(clock(), 'day') ? 'HH:mm' : 'ddd, l HH:mm')

/** Puts a ticket aside, or with null brings it back; the pushes move it in the lists. */
export async function snoozeTicket({ id, contact }: Ticket, until: string | null): Promise<void> {
  const put = (at: string | null) => call(marks.snooze, { params: { ticketId: id }, body: { until: at } })
  try {
    await put(until)
    if (until === null) return
    notify.done(t('didSnooze', { name: contact.name, time: shownMoment(until) }), {
      id: 'done',
      seconds: 6,
      actions: [{ label: t('undo'), act: () => void put(null).catch(notify.failed) }],
    })
  } catch (error) {
    notify.failed(error)
  }
}

/** Pins or follows a ticket, or no longer. */
export const markTicket = (
  { id }: Ticket,
  how: 'pin' | 'follow',
  on: boolean,
  viewer: Viewer,
): Promise<void> =>
  call(marks[how], { params: { ticketId: id }, body: { on } }).then(
    marked => applyMarked(marked, viewer),
    notify.failed,
  )

export const markUnread = ({ id }: Ticket, on: boolean): Promise<void> =>
  call(marks.unread, { params: { ticketId: id }, body: { on } }).then(() => {}, notify.failed)
