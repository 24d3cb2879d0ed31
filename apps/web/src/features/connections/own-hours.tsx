import type { OpenHours } from '@balcao/contract/businessHours.ts'
import { Stack, Switch, Text } from '@mantine/core'
import { after, HoursRows } from '../businessHours/hours-rows.tsx'
import { useConnectionText } from './connections.text.ts'

interface Props {
  value: OpenHours[] | null
  error: string | undefined
  onChange(hours: OpenHours[] | null): void
}

/** Hours of a connection that are not those of the company. */
export function OwnHours({ value, error, onChange }: Props) {
  const t = useConnectionText()
  return (
    <Stack gap={8}>
      <Switch
        label={t('ownHours')}
        description={t('ownHoursHint')}
        checked={value !== null}
        onChange={event => onChange(event.currentTarget.checked ? [after(undefined)] : null)}
      />
      {value && <HoursRows initial={value} onChange={onChange} />}
      {value?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('neverOpen')}
        </Text>
      )}
      {error && (
        <Text role="alert" size="sm" c="var(--error)">
          {error}
        </Text>
      )}
    </Stack>
  )
}
