import { may } from '@balcao/contract/permissions.rules.ts'
import type { TargetKind, TargetsPart } from '@balcao/contract/targets.ts'
import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { whyNot } from '../../platform/errors.text.ts'
import { whole } from '../../platform/numbers.ts'
import { useViewer } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { keptFor, missedFor, saveTargetReport, type TargetsAsked } from './targets.api.ts'
import { useTargetText } from './targets.text.ts'

const KINDS: TargetKind[] = ['firstReply', 'reply', 'resolution']
const LABELS = {
  firstReply: 'firstReplyMinutes',
  reply: 'replyMinutes',
  resolution: 'resolutionMinutes',
} as const

/** What was kept and missed, by queue and attendant, and what was missed. */
export function TargetsReport({ asked }: { asked: TargetsAsked }) {
  const t = useTargetText()
  const { data, isError, error } = useQuery(keptFor(asked))
  if (isError && !data) return <p role="alert">{whyNot(error, t('failed'))}</p>
  if (!data) return null
  return (
    <>
      <Group gap={8} my={12}>
        {(['parts', 'missed'] as const).map(what => (
          <Button
            key={what}
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void saveTargetReport(asked, what, t('fileName'))}
          >
            {t(what === 'parts' ? 'saveParts' : 'saveMissed')}
          </Button>
        ))}
      </Group>
      <Parts title={t('byQueue')} rows={data.queues} />
      <Parts title={t('byUser')} rows={data.users} />
      <Missed asked={asked} />
    </>
  )
}

function Parts({ title, rows }: { title: string; rows: TargetsPart[] }) {
  const t = useTargetText()
  const share = ({ kept, missed }: TargetsPart[TargetKind]) => {
    const all = kept + missed
    if (all === 0) return '–'
    return t('keptOf', { kept: whole(kept), all: whole(all), percent: Math.round((100 * kept) / all) })
  }
  return (
    <section>
      <h2>{title}</h2>
      <Table
        label={title}
        rows={rows}
        keyOf={({ id }) => id}
        empty={t('empty')}
        columns={[
          { key: 'name', head: t('name'), kind: 'name', cell: ({ name }) => name || t('none') },
          ...KINDS.map(
            (kind): Column<TargetsPart> => ({
              key: kind,
              head: t(LABELS[kind]),
              kind: 'number',
              cell: part => share(part[kind]),
            }),
          ),
        ]}
      />
    </section>
  )
}

function Missed({ asked }: { asked: TargetsAsked }) {
  const t = useTargetText()
  const sees = may(useViewer(), 'tickets:showAll')
  const list = useInfiniteQuery(missedFor(asked))
  return (
    <section>
      <h2>{t('missed')}</h2>
      <Table
        label={t('missed')}
        rows={list.data?.pages.flatMap(({ missed }) => missed) ?? []}
        keyOf={({ id }) => id}
        paging={list}
        empty={t('empty')}
        columns={[
          {
            key: 'contact',
            head: t('contact'),
            kind: 'name',
            cell: ({ ticketId, contact }) =>
              sees ? <Link to={`/tickets/${ticketId}`}>{contact}</Link> : contact,
          },
          { key: 'what', head: t('what'), cell: ({ kind }) => t(LABELS[kind]) },
          { key: 'queue', head: t('queue'), cell: ({ queue }) => queue },
          { key: 'user', head: t('user'), cell: ({ user }) => user },
          {
            key: 'dueAt',
            head: t('dueAt'),
            cell: ({ dueAt }) => (dueAt ? clock(dueAt).format('L HH:mm') : ''),
          },
        ]}
      />
    </section>
  )
}
