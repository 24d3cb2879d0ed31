import { DELIVERED, FAILED, READ } from '@balcao/contract/messages.rules.ts'
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { useMessageText } from './messages.text.ts'

interface Props {
  ack: number
  className: string | undefined
  /** Only this screen knows the message yet. */
  isLeaving?: boolean
}

/** How far a message got: clock, one check, two, two in colour, or an alarm; each in words for a screen reader. */
export function AckMark({ ack, className, isLeaving = false }: Props) {
  const t = useMessageText()
  const Icon =
    ack === FAILED ? IconAlertCircle : isLeaving ? IconClock : ack >= DELIVERED ? IconChecks : IconCheck
  const label = t(isLeaving && ack !== FAILED ? 'leaving' : `ack${Math.min(ack, 5) as 0 | 1 | 2 | 3 | 4 | 5}`)
  return (
    <span
      className={className}
      data-ack={ack}
      data-read={ack >= READ || undefined}
      data-failed={ack === FAILED || undefined}
      role="img"
      aria-label={label}
      title={label}
    >
      <Icon size={15} stroke={2} aria-hidden style={{ display: 'block' }} />
    </span>
  )
}
