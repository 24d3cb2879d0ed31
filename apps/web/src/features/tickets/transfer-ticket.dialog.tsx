import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import { useTicketText } from './tickets.text.ts'
import classes from './transfer-ticket.module.css'

interface Props {
  ticket: Ticket
  busy: boolean
  onClose(): void
  onChoose(to: { queueId: number; userId: number | null; whatsappId?: number }): void
}

/** To a queue, optionally to one of its users, over another connection for authorised users. */
export default function TransferTicketDialog({ ticket, busy, onClose, onChoose }: Props) {
  const t = useTicketText()
  // a ticket that lost its connection cannot be answered before it has another
  const lost = ticket.whatsappId === null
  const mayMove = useMay('ticket-options:transferWhatsapp') || lost
  const queues = useQuery(queueChoices)
  const users = useQuery(userChoices)
  const connections = useQuery({ ...connectionChoices, enabled: mayMove })
  const [queueId, setQueueId] = useState('')
  const [userId, setUserId] = useState('')
  const [whatsappId, setWhatsappId] = useState('')
  const inQueue = users.data?.filter(user => user.queues.some(queue => String(queue.id) === queueId))
  const isEmpty = queueId !== '' && inQueue?.length === 0
  return (
    <Dialog title={t('transferTitle', { name: ticket.contact.name })} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onChoose({
            queueId: Number(queueId),
            userId: userId ? Number(userId) : null,
            ...(whatsappId && { whatsappId: Number(whatsappId) }),
          })
        }}
      >
        <Stack gap={12}>
          <Choice
            label={t('queue')}
            autoFocus
            value={queueId}
            onChoose={chosen => {
              setQueueId(chosen)
              setUserId('')
            }}
            first={t('chooseQueue')}
            asked={queues}
            none={t('noQueues')}
          />
          <Choice
            label={t('user')}
            disabled={queueId === '' || isEmpty}
            value={userId}
            onChoose={setUserId}
            first={t('anyone')}
            asked={users}
            failed={t('usersFailed')}
            among={inQueue ?? []}
          />
          {mayMove && (
            <Choice
              label={lost ? t('connectionNeeded') : t('connection')}
              value={whatsappId}
              onChoose={setWhatsappId}
              first={lost ? t('chooseConnection') : t('sameConnection')}
              asked={connections}
              none={t('noConnections')}
            />
          )}
          {isEmpty && (
            <p className={classes.unattended} role="status">
              {t('noUsers')}
            </p>
          )}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={queueId === '' || (lost && whatsappId === '')}>
            {isEmpty ? t('toWait') : t('transfer')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface Named {
  id: number
  name: string
}

interface ChoiceProps {
  label: string
  value: string
  onChoose(chosen: string): void
  /** Label of the empty choice. */
  first: string
  asked: { data: Named[] | undefined; isError: boolean; refetch(): unknown }
  /** Text shown when the server did not answer. */
  failed?: string
  /** The rows that may be chosen. */
  among?: Named[]
  /** Why there is nothing to choose. */
  none?: string
  disabled?: boolean
  autoFocus?: boolean
}

/** A choice among rows of the server; without any, or on failure, the field shows it. */
function Choice({
  label,
  value,
  onChoose,
  first,
  asked,
  among,
  none,
  disabled,
  autoFocus,
  ...labels
}: ChoiceProps) {
  const t = useTicketText()
  const failed = labels.failed ?? t('loadFailed')
  const choices = among ?? asked.data ?? []
  const empty = asked.data?.length === 0 && none
  return (
    <div>
      <NativeSelect
        label={label}
        data-autofocus={autoFocus}
        disabled={disabled || Boolean(empty)}
        value={value}
        error={asked.isError ? failed : empty || undefined}
        onChange={event => onChoose(event.currentTarget.value)}
        data={[
          { value: '', label: first },
          ...choices.map(one => ({ value: String(one.id), label: one.name })),
        ]}
      />
      {asked.isError && (
        <Button variant="subtle" size="xs" onClick={() => void asked.refetch()}>
          {t('again')}
        </Button>
      )}
    </div>
  )
}
