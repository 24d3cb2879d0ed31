import type { Message } from '@balcao/contract/messages.ts'
import { IconPhoneX } from '@tabler/icons-react'
import { clock } from '../../platform/time.ts'
import classes from './bubble.module.css'
import { useKindText } from './messages.kinds.text.ts'

/** A call that nobody took. */
export function MissedCall({ message }: { message: Message }) {
  const t = useKindText()
  return (
    <span className={classes.missed}>
      <IconPhoneX size={15} stroke={2} aria-hidden />
      {t('missedCall', { time: clock(message.createdAt).format('HH:mm') })}
    </span>
  )
}
