import type { TeamMember } from '@balcao/contract/team.ts'
import { Button } from '@mantine/core'
import { IconCircleCheck, IconCoffee, IconMoon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { whyNot } from '../../platform/errors.text.ts'
import { useMay } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { teamBoard } from './team.api.ts'
import { useTeamMenuText } from './team.menu.text.ts'
import { useTeamText } from './team.text.ts'

const LOOKS = {
  available: { tone: 'success', Icon: IconCircleCheck },
  pause: { tone: 'warning', Icon: IconCoffee },
  away: { tone: 'neutral', Icon: IconMoon },
} as const
const ORDER = { available: 0, pause: 1, away: 2 }

/** Who is there: everyone with figures, or the colleagues of the own queues. */
export default function TeamScreen() {
  const t = useTeamText()
  const title = useTeamMenuText()('team')
  const mayAll = useMay('team')
  const { data, isError, error } = useQuery(teamBoard)
  return (
    <Page
      title={title}
      actions={
        mayAll && (
          <Button
            component={Link}
            to="/pauseReasons"
            variant="default"
            leftSection={<IconCoffee size={16} aria-hidden />}
          >
            {t('reasons')}
          </Button>
        )
      }
    >
      {isError && !data && <p role="alert">{whyNot(error, t('failed'))}</p>}
      {data && <Board title={title} members={data} withFigures={mayAll} />}
    </Page>
  )
}

function Board({
  title,
  members,
  withFigures,
}: {
  title: string
  members: TeamMember[]
  withFigures: boolean
}) {
  const t = useTeamText()
  const number = (key: 'open' | 'waiting' | 'resolvedToday'): Column<TeamMember> => ({
    key,
    head: t(key),
    kind: 'number',
    cell: one => one[key] ?? 0,
    by: one => one[key] ?? 0,
  })
  const columns: Column<TeamMember>[] = [
    { key: 'name', head: t('name'), kind: 'name', cell: ({ name }) => name, by: ({ name }) => name },
    {
      key: 'state',
      head: t('state'),
      cell: member => <State member={member} />,
      by: ({ state }) => ORDER[state],
    },
    { key: 'since', head: t('since'), cell: ({ since }) => shownSince(since), by: ({ since }) => since },
    ...(withFigures
      ? [
          number('open'),
          number('waiting'),
          {
            key: 'longest',
            head: t('longest'),
            cell: (one: TeamMember) => shownSince(one.waitingSince ?? null),
            by: (one: TeamMember) => one.waitingSince ?? null,
          },
          number('resolvedToday'),
        ]
      : []),
  ]
  return <Table label={title} columns={columns} rows={members} keyOf={({ id }) => id} empty={t('none')} />
}

function State({ member: { state, cause, reason } }: { member: TeamMember }) {
  const t = useTeamText()
  const { tone, Icon } = LOOKS[state]
  const words = state === 'pause' && reason ? t('pauseFor', { reason: reason.name }) : t(state)
  return (
    <Status tone={tone} icon={<Icon size={14} aria-hidden />}>
      {state === 'away' ? `${words} · ${t(cause)}` : words}
    </Status>
  )
}

/** The hour of today, else day and hour. */
function shownSince(at: string | null) {
  if (at === null) return '—'
  const since = clock(at)
  return since.format(since.isSame(clock(), 'day') ? 'LT' : 'l LT')
}
