import { Button, MultiSelect, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { tagChoices } from '../tags/tags.api.ts'
import { userChoices } from '../users/users.api.ts'
import type { BulkChange } from './bulk.ts'
import { usePickedText } from './tickets.picked.text.ts'

interface Props {
  what: 'assign' | 'transfer' | 'tag'
  count: number
  busy: boolean
  onClose(): void
  onChoose(many: BulkChange): void
}

/** To whom, to which queue, or which tags. */
export function PickedDialog({ what, count, busy, onClose, onChoose }: Props) {
  const t = usePickedText()
  const [one, setOne] = useState('')
  const [tagIds, setTagIds] = useState<string[]>([])
  const many = {
    assign: { action: 'assign' as const, userId: Number(one) },
    transfer: { action: 'transfer' as const, queueId: Number(one) },
    tag: { action: 'tag' as const, tagIds: tagIds.map(Number) },
  }[what]
  const isReady = what === 'tag' ? tagIds.length > 0 : one !== ''
  return (
    <Dialog title={t(`${what}Title`, { count })} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (isReady && !busy) onChoose(many)
        }}
      >
        <Stack gap={12}>
          {what === 'tag' ? (
            <Tags value={tagIds} onChange={setTagIds} />
          ) : (
            <One of={what} value={one} onChange={setOne} />
          )}
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={busy} disabled={!isReady}>
            {t(what)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function One({
  of,
  value,
  onChange,
}: {
  of: 'assign' | 'transfer'
  value: string
  onChange(to: string): void
}) {
  const t = usePickedText()
  const users = useQuery({ ...userChoices, enabled: of === 'assign' })
  const queues = useQuery({ ...queueChoices, enabled: of === 'transfer' })
  const { data = [], isError } = of === 'assign' ? users : queues
  return (
    <NativeSelect
      label={t(of === 'assign' ? 'user' : 'queue')}
      data-autofocus
      value={value}
      error={isError && t('failed')}
      onChange={event => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t('choose') },
        ...data.map(({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

function Tags({ value, onChange }: { value: string[]; onChange(to: string[]): void }) {
  const t = usePickedText()
  const { data = [], isError } = useQuery(tagChoices)
  return (
    <MultiSelect
      label={t('tags')}
      data-autofocus
      searchable
      data={data.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      onChange={onChange}
      error={isError && t('failed')}
    />
  )
}
