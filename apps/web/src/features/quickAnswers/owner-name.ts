import type { AnswerOwner } from '@balcao/contract/quickAnswers.rules.ts'
import { useQuery } from '@tanstack/react-query'
import { queueChoices } from '../queues/queues.choices.ts'
import { useOwnerText } from './quickAnswers.owners.text.ts'

/** Says whose a quick answer is. */
export function useOwnerName() {
  const t = useOwnerText()
  const { data: queues = [] } = useQuery(queueChoices)
  return ({ queueId, userId }: AnswerOwner): string => {
    if (userId !== null) return t('own')
    if (queueId === null) return t('company')
    return queues.find(({ id }) => id === queueId)?.name ?? ''
  }
}
