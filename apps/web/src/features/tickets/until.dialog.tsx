import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { clock, momentAt } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shownMoment } from './tickets.marks.api.ts'
import { useTicketMarkText } from './tickets.marks.text.ts'

interface Props {
  title: string
  /** Several tickets. */
  isMany?: boolean
  busy?: boolean
  onClose(): void
  onChoose(until: string): void
}

/** Until when tickets are put aside, by the company's clock. */
export default function UntilDialog({ title, isMany = false, busy = false, onClose, onChoose }: Props) {
  const t = useTicketMarkText()
  const [own, setOwn] = useState<string | null>(null)
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack gap={8}>
        <Text size="sm" c="var(--text-2)">
          {t(isMany ? 'hintOfMany' : 'hint')}
        </Text>
        {presets().map(({ name, at }, which) => (
          <Button
            key={name}
            variant="default"
            justify="space-between"
            fullWidth
            disabled={busy}
            data-autofocus={which === 0 || undefined}
            rightSection={<span>{shownMoment(at)}</span>}
            onClick={() => onChoose(at)}
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
        <Button disabled={!own} loading={busy} onClick={() => own && onChoose(momentAt(own))}>
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
