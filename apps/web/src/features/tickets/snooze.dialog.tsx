import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { clock, momentAt } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shownMoment, snoozeTicket } from './tickets.marks.api.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

/** Until when a ticket is put aside, by the company's clock. */
export default function SnoozeDialog({ ticket, onClose }: { ticket: Ticket; onClose(): void }) {
  const t = useTicketMarkText()
  const [own, setOwn] = useState<string | null>(null)
  const choose = (until: string) => {
    onClose()
    void snoozeTicket(ticket, until)
  }
  return (
    <Dialog title={t('snoozeOf', { name: ticket.contact.name })} onClose={onClose}>
      <Stack gap={8}>
        <Text size="sm" c="var(--text-2)">
          {t('hint')}
        </Text>
        {presets().map(({ name, at }, which) => (
          <Button
            key={name}
            variant="default"
            justify="space-between"
            fullWidth
            data-autofocus={which === 0 || undefined}
            rightSection={<span>{shownMoment(at)}</span>}
            onClick={() => choose(at)}
          >
            {t(name)}
          </Button>
        ))}
        <DateTimeField
          label={t('another')}
          value={own}
          onChange={setOwn}
          from={clock().format('YYYY-MM-DD')}
        />
      </Stack>
      <DialogActions onClose={onClose}>
        <Button disabled={!own} onClick={() => own && choose(momentAt(own))}>
          {t('apply')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What is past, or begins within the hour, is not offered. */
function presets() {
  const now = clock()
  const at = (days: number, hour: number) =>
    momentAt(`${now.add(days, 'day').format('YYYY-MM-DD')}T${String(hour).padStart(2, '0')}:00`)
  const toMonday = (8 - now.day()) % 7 || 7
  const soonest = Date.now() + 60 * 60_000
  const all = [
    { name: 'hour', at: new Date(Math.ceil(soonest / 60_000) * 60_000).toISOString() },
    { name: 'afternoon', at: at(0, 14) },
    { name: 'evening', at: at(0, 17) },
    { name: 'tomorrow', at: at(1, 9) },
    { name: 'monday', at: at(toMonday, 9) },
  ] as const
  return all.filter((one, which) => which === 0 || Date.parse(one.at) > soonest)
}
