import type { Message } from '@balcao/contract/messages.ts'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../../platform/ids.ts'
import { notify } from '../../../platform/notify.tsx'
import { useActing } from '../../../ui/acting.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useGoTo } from '../../../ui/go-to.ts'
import { useForwardText } from './actions.text.ts'
import { type Copy, forwardMessages } from './forward.ts'
import { TargetFields, useTarget } from './target.tsx'

interface Props {
  /** In whose conversation they are read. */
  from: number
  messages: Message[]
  onDone(): void
  onClose(): void
}

/**
 * Target of forwarded messages: an open ticket, or a contact, for which a ticket is opened if none is active.
 */
export default function ForwardDialog({ from, messages, onDone, onClose }: Props) {
  const t = useForwardText()
  const goTo = useGoTo()
  const copiesFor = useCopies(messages)
  const target = useTarget()
  const { busy, act } = useActing()
  const forward = () =>
    act(async () => {
      try {
        const ticket = await target.reach()
        if (!ticket) return
        await forwardMessages(ticket.id, from, copiesFor(ticket.id))
        notify.done(t('done', { count: messages.length, name: ticket.contact.name }), {
          seconds: 9,
          action: { label: t('view'), act: () => goTo(`/tickets/${ticket.id}`) },
        })
        onDone()
      } catch (error) {
        notify.failed(error)
      }
    })

  return (
    <Dialog title={t('forwardMany', { count: messages.length })} onClose={onClose} size={620}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (target.isReady) void forward()
        }}
      >
        <Stack gap={12}>
          <TargetFields target={target} without={from} />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!target.isReady} loading={busy}>
            {t('forward')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Asked again for the same ticket they have the same ids; those for another ticket are others. */
function useCopies(messages: Message[]): (ticketId: number) => Copy[] {
  const [known] = useState(() => new Map<number, Copy[]>())
  return ticketId => {
    const copies = known.get(ticketId) ?? messages.map(({ id: messageId }) => ({ id: newId(), messageId }))
    known.set(ticketId, copies)
    return copies
  }
}
