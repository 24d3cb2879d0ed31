import type { SurveyAnswer, SurveyPart } from '@balcao/contract/surveys.ts'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { whyNot } from '../../platform/errors.text.ts'
import { rounded, whole } from '../../platform/numbers.ts'
import { clock } from '../../platform/time.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { SurveyFilters } from './survey-filters.tsx'
import { type SurveyWanted, surveyAnswers } from './surveys.api.ts'
import { useSurveyText } from './surveys.text.ts'

/** The scores of a range: their average, how they are distributed, by attendant and queue, and each with its conversation. */
export function AnswersGiven() {
  const t = useSurveyText()
  const [wanted, setWanted] = useState<SurveyWanted>({})
  const answers = useInfiniteQuery(surveyAnswers(wanted))
  const [first] = answers.data?.pages ?? []
  if (answers.isError && !first) return <p role="alert">{whyNot(answers.error, t('failed'))}</p>
  const rows = answers.data?.pages.flatMap(page => page.answers) ?? []
  return (
    <Stack gap={20}>
      <SurveyFilters wanted={wanted} onChange={change => setWanted(now => ({ ...now, ...change }))} />
      {first && (
        <>
          <Stack gap={4} component="section" aria-label={t('average')}>
            <Text size="xl" fw={600}>
              {first.average === null ? '–' : rounded(first.average)} / 5
            </Text>
            <Text>
              {t('answered', { count: first.count, shown: whole(first.count), asked: whole(first.asked) })}
            </Text>
          </Stack>
          {first.count > 0 && <Distribution counts={first.distribution} all={first.count} />}
          <Parts
            title={t('byAttendant')}
            parts={first.byUser}
            onChoose={userId => setWanted(now => ({ ...now, userId }))}
          />
          <Parts
            title={t('byQueue')}
            parts={first.byQueue}
            onChoose={queueId => setWanted(now => ({ ...now, queueId }))}
          />
          <Rows rows={rows} />
          {answers.hasNextPage && (
            <Button
              variant="default"
              loading={answers.isFetchingNextPage}
              onClick={() => void answers.fetchNextPage()}
            >
              {t('more')}
            </Button>
          )}
        </>
      )}
    </Stack>
  )
}

function Distribution({ counts, all }: { counts: number[]; all: number }) {
  const t = useSurveyText()
  const scores = counts.map((count, at) => ({ score: at + 1, count })).reverse()
  return (
    <Stack gap={6} component="section" aria-label={t('distribution')}>
      {scores.map(({ score, count }) => (
        <Group key={score} gap={10} wrap="nowrap">
          <Text w={90}>{t('scored', { score, count })}</Text>
          <Progress
            value={all > 0 ? (100 * count) / all : 0}
            flex={1}
            maw={420}
            aria-label={t('scored', { score, count })}
          />
        </Group>
      ))}
    </Stack>
  )
}

interface PartsProps {
  title: string
  parts: SurveyPart[]
  onChoose(id: number): void
}

/** Each name narrows the answers to its own. */
function Parts({ title, parts, onChoose }: PartsProps) {
  const t = useSurveyText()
  if (parts.length === 0) return null
  return (
    <Table
      label={title}
      rows={parts}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'name',
          head: title,
          cell: ({ id, name }) => (
            <Button variant="subtle" size="compact-sm" ml={-8} onClick={() => onChoose(id)}>
              {name || t(id === 0 ? 'without' : 'gone')}
            </Button>
          ),
          by: ({ name }) => name,
        },
        {
          key: 'average',
          head: t('average'),
          kind: 'number',
          cell: one => rounded(one.average),
          by: one => one.average,
        },
        {
          key: 'count',
          head: t('count'),
          kind: 'number',
          cell: one => whole(one.count),
          by: one => one.count,
        },
      ]}
    />
  )
}

function Rows({ rows }: { rows: SurveyAnswer[] }) {
  const t = useSurveyText()
  const columns: Column<SurveyAnswer>[] = [
    { key: 'at', head: t('at'), cell: one => clock(one.answeredAt).format('L LT') },
    { key: 'score', head: t('score'), kind: 'number', cell: one => one.score },
    {
      key: 'contact',
      head: t('contact'),
      cell: one =>
        one.readable ? <Link to={`/tickets/${one.ticketId}`}>{one.contact?.name}</Link> : t('hidden'),
    },
    { key: 'comment', head: t('comment'), kind: 'long', cell: one => one.comment },
    { key: 'user', head: t('attendant'), cell: one => one.user?.name ?? '' },
    { key: 'queue', head: t('queue'), cell: one => one.queue?.name ?? '' },
  ]
  return <Table label={t('answers')} rows={rows} keyOf={({ id }) => id} empty={t('none')} columns={columns} />
}
