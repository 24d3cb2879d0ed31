import { DELIVERED, FAILED, READ } from '@balcao/contract/messages.rules.ts'
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { reasonText } from '../platform/errors.text.ts'
import { useAckText } from './ack-mark.text.ts'

interface Props {
  ack: number
  className: string | undefined
  /** The server does not have the message yet. */
  isLeaving?: boolean
  /** Why it is not sent yet. */
  waitsFor?: string
}

/**
 * Delivery state: clock, one check, two, two in colour, or an alarm; each with a label for screen readers.
 */
export function AckMark({ ack, className, isLeaving = false, waitsFor = '' }: Props) {
  const t = useAckText()
  const Icon =
    ack === FAILED
      ? IconAlertCircle
      : isLeaving || waitsFor
        ? IconClock
        : ack >= DELIVERED
          ? IconChecks
          : IconCheck
  const far = t(isLeaving && ack !== FAILED ? 'leaving' : `ack${Math.min(ack, 5) as 0 | 1 | 2 | 3 | 4 | 5}`)
  const label = waitsFor ? `${far}. ${reasonText(waitsFor)}` : far
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
