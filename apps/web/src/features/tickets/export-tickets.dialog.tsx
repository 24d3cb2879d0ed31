import { tickets } from '@balcao/contract/tickets.ts'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'
import { clock } from '../../platform/time.ts'
import { PICKER_MIN } from '../../platform/typing.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { type Named, RowPicker } from '../../ui/row-picker.tsx'
import { contactList } from '../contacts/contacts.api.ts'
import { monthAgo } from './asked.ts'
import { useExportText } from './tickets.export.text.ts'

interface Props {
  contact: Named
  onClose(): void
}

/** Messages of a contact in a period, by default the last 30 days, as a spreadsheet. */
export default function ExportTicketsDialog({ contact: first, onClose }: Props) {
  const t = useExportText()
  const [contact, setContact] = useState<Named | null>(first)
  const [initialDate, setInitialDate] = useState<string | null>(monthAgo)
  const [finalDate, setFinalDate] = useState<string | null>(() => clock().format('YYYY-MM-DDTHH:mm'))
  const [busy, setBusy] = useState(false)

  async function save() {
    // the minute that is shown counts to its end
    const until = finalDate && `${finalDate}:59`
    const body = { initialDate, finalDate: until, contact: contact?.id ?? null, language: language() }
    const { link } = await call(tickets.export, { body })
    if (!link) return notify.warn(t('failed'))
    const file = await queryClient.fetchQuery(bytesOptions(link))
    saveBytes(file, `${contact?.name ?? t('file')} ${clock().format('YYYY-MM-DD')}.xlsx`)
    onClose()
  }
  return (
    <Dialog title={t('open')} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          setBusy(true)
          void save()
            .catch(notify.failed)
            .finally(() => setBusy(false))
        }}
      >
        <Stack gap={12}>
          <RowPicker
            label={t('contact')}
            placeholder={t('everybody')}
            list={contactList}
            minimum={PICKER_MIN}
            failed={t('contactsFailed')}
            hint={({ number }) => number}
            value={contact}
            onPick={setContact}
          />
          <DateTimeField
            label={t('from')}
            placeholder={t('fromStart')}
            value={initialDate}
            onChange={setInitialDate}
          />
          <DateTimeField
            label={t('until')}
            placeholder={t('untilNow')}
            value={finalDate}
            onChange={setFinalDate}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy}>
            {t('export')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
