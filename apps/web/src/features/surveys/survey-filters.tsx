import { Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import type { SurveyWanted } from './surveys.api.ts'
import { useSurveyText } from './surveys.text.ts'

interface Props {
  wanted: SurveyWanted
  onChange(change: SurveyWanted): void
}

/** Of which days, attendant, queue and score. */
export function SurveyFilters({ wanted, onChange }: Props) {
  const t = useSurveyText()
  const { data: users = [] } = useQuery(userChoices)
  const { data: queues = [] } = useQuery(queueChoices)
  const scores = [5, 4, 3, 2, 1].map(score => ({ id: score, name: String(score) }))
  const one = (key: 'userId' | 'queueId' | 'score', label: string, of: { id: number; name: string }[]) => (
    <NativeSelect
      label={label}
      value={String(wanted[key] ?? '')}
      data={[
        { value: '', label: t('all') },
        ...of.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChange({ [key]: value === '' ? undefined : (Number(value) as 1) })
      }
    />
  )
  return (
    <Group gap={12} align="flex-end">
      <DateTimeField
        label={t('from')}
        placeholder={t('monthBegan')}
        value={wanted.initialDate ?? null}
        onChange={from => onChange({ initialDate: from ?? undefined })}
      />
      <DateTimeField
        label={t('until')}
        placeholder={t('now')}
        value={wanted.finalDate ?? null}
        onChange={until => onChange({ finalDate: until ?? undefined })}
      />
      {one('userId', t('attendant'), users)}
      {one('queueId', t('queue'), queues)}
      {one('score', t('score'), scores)}
    </Group>
  )
}
