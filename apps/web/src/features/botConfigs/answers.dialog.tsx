import type { ModelAnswer } from '@balcao/contract/botConfigs.ts'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { clock } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { ModelFailureWords } from '../integrations/model-failure.tsx'
import { answerList } from './botConfigs.api.ts'
import { useTrialText } from './botConfigs.trial.text.ts'

interface Props {
  botConfigId: number
  title: string
  onClose(): void
}

/** Requests to the model: when, tokens, duration, failure. */
export function AnswersDialog({ botConfigId, title, onClose }: Props) {
  const t = useTrialText()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(answerList(botConfigId))
  const rows = data?.pages.flatMap(({ answers }) => answers) ?? []
  const columns: Column<ModelAnswer>[] = [
    { key: 'at', head: t('at'), cell: one => clock(one.at).format('L LTS') },
    {
      key: 'outcome',
      head: t('outcome'),
      kind: 'long',
      cell: one => (
        <>
          {t(one.outcome === 'ended' ? 'endedIt' : one.outcome)}
          {one.failure && (
            <div>
              <ModelFailureWords failure={one.failure} detail={one.detail} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'tokens',
      head: t('tokens'),
      kind: 'number',
      cell: one => one.promptTokens + one.completionTokens,
    },
    { key: 'duration', head: t('duration'), kind: 'number', cell: one => `${one.ms} ms` },
  ]
  return (
    <Dialog title={title} size={720} onClose={onClose}>
      <Table
        label={title}
        columns={columns}
        rows={rows}
        keyOf={one => one.id}
        empty={<p>{data ? t('noAnswers') : null}</p>}
      />
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Dialog>
  )
}
