import type { Ticket, TicketAttendant } from '@balcao/contract/tickets.ts'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useUser } from '../../platform/session.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import { attendantChoices } from './tickets.api.ts'
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
  const attendants = useQuery(attendantChoices)
  const me = useUser().id
  const [queueId, setQueueId] = useState(ticket.queueId === null ? '' : String(ticket.queueId))
  const [userId, setUserId] = useState('')
  const [whatsappId, setWhatsappId] = useState('')
  const inQueue = users.data?.filter(user => user.queues.some(queue => String(queue.id) === queueId))
  const isEmpty = queueId !== '' && inQueue?.length === 0
  // one takes a ticket from a colleague, and does not hand it to oneself
  const others = inQueue?.filter(({ id }) => id !== me || (ticket.userId ?? me) !== me)
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
            disabled={queueId === '' || others?.length === 0}
            value={userId}
            onChoose={setUserId}
            first={t('anyone')}
            asked={users}
            failed={t('usersFailed')}
            among={byLoad(others ?? [], attendants.data ?? [], t)}
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

/** With whether a screen is open and the open tickets; those who are there and have fewest first. */
function byLoad(among: Named[], loads: TicketAttendant[], t: ReturnType<typeof useTicketText>): Named[] {
  const of = new Map(loads.map(one => [one.userId, one]))
  const rank = ({ id }: Named) => [of.get(id)?.online ? 0 : 1, of.get(id)?.openTickets ?? 0] as const
  const shown = ({ id, name }: Named) => {
    const load = of.get(id)
    return load ? t(load.online ? 'attendantHere' : 'attendantAway', { name, count: load.openTickets }) : name
  }
  return among
    .toSorted((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1])
    .map(one => ({ id: one.id, name: shown(one) }))
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
