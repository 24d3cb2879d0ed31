import { Button, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { clock } from '../../platform/time.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import { monthAgo } from './asked.ts'
import { type Closing, ClosingFields, closingOf, useClosingChoices } from './closing-fields.tsx'
import { activeTickets, type Many, resolveMany } from './resolve-many.ts'
import { useFilterText } from './tickets.filters.text.ts'
import { useResolveManyText } from './tickets.resolve-many.text.ts'

/** The keyword of the documents, the same in every language; case-sensitive (TICKET-035). */
const KEYWORD = 'Resolver'

/** Resolves every active ticket that matches its filters, after a keyword was typed. */
export default function ResolveManyDialog({ onClose }: { onClose(): void }) {
  const t = useResolveManyText()
  const [filters, setFilters] = useState<Many>(lastMonth)
  const [written, setWritten] = useState('')
  const [resolved, setResolved] = useState<number | null>(null)
  const { data: found, isError, isFetching } = useQuery(activeTickets(filters))
  const choices = useClosingChoices(found?.queueIds ?? [])
  const [closing, setClosing] = useState<Closing>({})
  const asks = choices !== undefined && (choices.reasons.length > 0 || choices.isRequired)
  const busy = resolved !== null
  const isJustified = choices !== undefined && (!choices.isRequired || closing.closingReasonId !== undefined)
  const ready = found && !isFetching && found.ids.length > 0 && isJustified && written === KEYWORD

  async function resolve() {
    if (!ready || busy) return
    setResolved(0)
    await resolveMany(filters, found, closingOf(closing), setResolved).then(
      count => notify.done(t('done', { count })),
      error => notify.failed(error),
    )
    onClose()
  }
  return (
    <Dialog title={t('title')} onClose={onClose} size={620}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void resolve()
        }}
      >
        <Stack gap={12}>
          <Filters filters={filters} onChange={change => setFilters(now => ({ ...now, ...change }))} />
          <p role="status" style={{ margin: 0 }}>
            {busy ? (
              t('resolving', { count: resolved })
            ) : (
              <Count found={isError || isFetching ? undefined : found} />
            )}
          </p>
          {asks && <ClosingFields choices={choices} value={closing} onChange={setClosing} />}
          <TextInput
            label={t('keyword', { word: KEYWORD })}
            autoComplete="off"
            value={written}
            onChange={event => setWritten(event.currentTarget.value)}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!ready} loading={busy} data-danger>
            {t('resolve')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Until now: tickets that arrive while the dialog is open are not included. */
const lastMonth = (): Many => ({
  initialDate: monthAgo(),
  finalDate: clock().format('YYYY-MM-DDTHH:mm:ss'),
})

function Count({ found }: { found: { ids: number[]; hasMore: boolean } | undefined }) {
  const t = useResolveManyText()
  if (!found) return t('counting')
  const count = found.ids.length
  return count === 0 ? t('none') : t(found.hasMore ? 'many' : 'some', { count })
}

interface FiltersProps {
  filters: Many
  onChange(change: Many): void
}

function Filters({ filters, onChange }: FiltersProps) {
  const f = useFilterText()
  const { data: queues = [] } = useQuery(queueChoices)
  const { data: users = [] } = useQuery(userChoices)
  return (
    <>
      <DateTimeField
        label={f('from')}
        placeholder={f('fromStart')}
        value={filters.initialDate ?? null}
        onChange={from => onChange({ initialDate: from ?? undefined })}
      />
      <DateTimeField
        label={f('until')}
        placeholder={f('untilNow')}
        value={filters.finalDate?.slice(0, 16) ?? null}
        onChange={until => onChange({ finalDate: until ?? undefined })}
      />
      <MultiSelect
        label={f('queues')}
        data={queues.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={(filters.selectedQueueIds ?? []).map(String)}
        onChange={chosen => onChange({ selectedQueueIds: chosen.map(Number) })}
        searchable
        clearable
        nothingFoundMessage={f('nothing')}
      />
      <MultiSelect
        label={f('attendants')}
        data={users.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={(filters.selectedUserIds ?? []).map(String)}
        onChange={chosen => onChange({ selectedUserIds: chosen.map(Number) })}
        searchable
        clearable
        nothingFoundMessage={f('nothing')}
      />
    </>
  )
}
