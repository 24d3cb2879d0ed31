import { type AnswerOwner, answersForQueue, mayTakeAway } from '@balcao/contract/quickAnswers.rules.ts'
import { NativeSelect } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useViewer } from '../../platform/session.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { useOwnerText } from './quickAnswers.owners.text.ts'

interface Props {
  form: { values: AnswerOwner; errors: FormErrors; setValues(owner: AnswerOwner): void }
  /** Whose it is; null for a new one. */
  before: AnswerOwner | null
}

/** Whose a quick answer is: the company's, a queue's or the viewer's own. */
export function OwnerField({ form, before }: Props) {
  const t = useOwnerText()
  const viewer = useViewer()
  const queues = useQuery(queueChoices)
  const { queueId, userId } = form.values
  const isKept = before !== null && !mayTakeAway(viewer, before)
  const offered = (queues.data ?? []).filter(({ id }) => id === queueId || answersForQueue(viewer, id))
  return (
    <NativeSelect
      label={t('owner')}
      description={isKept ? t('keptByRight') : undefined}
      disabled={isKept}
      data={[
        { value: '', label: t('company') },
        { value: OWN, label: t('own') },
        ...offered.map(({ id, name }) => ({ value: String(id), label: t('queue', { name }) })),
      ]}
      value={userId === null ? String(queueId ?? '') : OWN}
      onChange={({ currentTarget: { value } }) =>
        form.setValues({
          queueId: value === OWN || value === '' ? null : Number(value),
          userId: value === OWN ? viewer.id : null,
        })
      }
      error={queues.isError ? t('queuesFailed') : (form.errors.queueId ?? form.errors.userId)}
    />
  )
}

const OWN = 'own'
