import { durationOf } from '@balcao/contract/reports.rules.ts'
import { Button, Group, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { whyNot } from '../../platform/errors.text.ts'
import { Table } from '../../ui/table.tsx'
import { pausesFor, savePauses } from './team.api.ts'
import { useTeamText } from './team.text.ts'

interface Props {
  initialDate?: string
  finalDate?: string
  selectedUserIds: number[]
}

/** Pauses by user and reason, and how long each user was available. */
export function PauseReport(asked: Props) {
  const t = useTeamText()
  const { data, isError, error } = useQuery(pausesFor(asked))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  return (
    <Stack gap={16}>
      <Group gap={8}>
        {(['xlsx', 'csv'] as const).map(format => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void savePauses(asked, format, t('pauses'))}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      <Table
        label={t('pauses')}
        rows={data.pauses}
        keyOf={one => `${one.userId} ${one.reasonId}`}
        empty={t('noPauses')}
        columns={[
          { key: 'user', head: t('name'), kind: 'name', cell: one => one.user, by: one => one.user },
          {
            key: 'reason',
            head: t('reason'),
            cell: one => one.reason || t('noReason'),
            by: one => one.reason,
          },
          { key: 'count', head: t('count'), kind: 'number', cell: one => one.count, by: one => one.count },
          {
            key: 'time',
            head: t('time'),
            kind: 'number',
            cell: one => durationOf(one.seconds),
            by: one => one.seconds,
          },
          {
            key: 'longest',
            head: t('longestPause'),
            kind: 'number',
            cell: one => durationOf(one.longestSeconds),
            by: one => one.longestSeconds,
          },
        ]}
      />
      <Table
        label={t('availableTime')}
        rows={data.users}
        keyOf={one => one.userId}
        columns={[
          { key: 'user', head: t('name'), kind: 'name', cell: one => one.user, by: one => one.user },
          {
            key: 'available',
            head: t('availableTime'),
            kind: 'number',
            cell: one => durationOf(one.availableSeconds),
            by: one => one.availableSeconds,
          },
          {
            key: 'pause',
            head: t('pauseTime'),
            kind: 'number',
            cell: one => durationOf(one.pauseSeconds),
            by: one => one.pauseSeconds,
          },
        ]}
      />
    </Stack>
  )
}
