import { nextTarget, urgencyOf } from '@balcao/contract/targets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { IconAlertTriangle, IconHourglass, IconTargetArrow } from '@tabler/icons-react'
import { useMinute } from '../../platform/minute.ts'
import { texts } from '../../platform/text.ts'
import { clock as shown } from '../../platform/time.ts'
import classes from './ticket-list.module.css'
import { waited } from './times.ts'

const useText = texts({
  firstReply: ['Primeira resposta', 'First answer', 'Primera respuesta'],
  reply: ['Resposta', 'Answer', 'Respuesta'],
  resolution: ['Solução', 'Resolution', 'Solución'],
  until: ['{what} até {at}', '{what} until {at}', '{what} hasta {at}'],
  paused: [
    '{what} até {at}, relógio parado',
    '{what} until {at}, clock paused',
    '{what} hasta {at}, reloj detenido',
  ],
  left: ['em {time}', 'in {time}', 'en {time}'],
  late: ['atrasado {time}', '{time} late', 'atrasado {time}'],
})

const LOOKS = { calm: undefined, soon: 'warning', urgent: 'error', late: 'error' } as const

/** What is due next in a ticket: its time left, or how late it is. */
export function NextTarget({ targets }: Pick<Ticket, 'targets'>) {
  const t = useText()
  const now = useMinute()
  const next = nextTarget(targets)
  if (!next) return null
  const { kind, clock } = next
  const urgency = urgencyOf(clock, now)
  const minutes = Math.abs(Math.ceil((Date.parse(clock.dueAt!) - now) / 60_000))
  const Icon = urgency === 'late' ? IconAlertTriangle : urgency === 'urgent' ? IconHourglass : IconTargetArrow
  return (
    <span
      className={classes.waiting}
      data-late={LOOKS[urgency]}
      title={t(clock.state === 'paused' ? 'paused' : 'until', {
        what: t(kind),
        at: shown(clock.dueAt!).format('l HH:mm'),
      })}
    >
      <Icon size={14} stroke={2} aria-hidden />
      {t(urgency === 'late' ? 'late' : 'left', { time: waited(minutes) })}
    </span>
  )
}
