import { type ClosingReason, MAX_CLOSING_NOTE } from '@balcao/contract/closingReasons.ts'
import { Radio, Stack, Textarea } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { closingChoices } from '../closingReasons/closingReasons.api.ts'
import { useClosingText } from './tickets.closing.text.ts'

export interface Closing {
  closingReasonId?: number
  closingNote?: string
}

export interface ClosingChoices {
  reasons: ClosingReason[]
  isRequired: boolean
}

/**
 * The reasons that may be given for tickets of all these queues, and whether one of them requires one; undefined until they are
 * here. What could not be asked is left to the server to judge.
 */
export function useClosingChoices(queueIds: (number | null)[]): ClosingChoices | undefined {
  const answers = useQueries({ queries: queueIds.map(closingChoices) })
  if (answers.some(({ isPending }) => isPending)) return undefined
  const [first, ...others] = answers.flatMap(({ data }) => data ?? [])
  const isInAll = ({ id }: ClosingReason) =>
    others.every(one => one.closingReasons.some(own => own.id === id))
  return {
    reasons: first?.closingReasons.filter(isInAll) ?? [],
    isRequired: [first, ...others].some(one => one?.reasonRequired),
  }
}

interface Props {
  choices: ClosingChoices
  value: Closing
  onChange(to: Closing): void
}

/** Why tickets are closed. */
export function ClosingFields({ choices: { reasons, isRequired }, value, onChange }: Props) {
  const t = useClosingText()
  return (
    <Stack gap={12}>
      {reasons.length === 0 && <p role="alert">{t('none')}</p>}
      <Radio.Group
        label={t('reason')}
        description={isRequired ? undefined : t('optional')}
        value={String(value.closingReasonId ?? '')}
        onChange={chosen => onChange({ ...value, closingReasonId: Number(chosen) })}
      >
        <Stack gap={8} mt={8}>
          {reasons.map(({ id, name }, at) => (
            <Radio key={id} value={String(id)} label={name} {...(at === 0 && { 'data-autofocus': true })} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label={t('note')}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={MAX_CLOSING_NOTE}
        value={value.closingNote ?? ''}
        onChange={event => onChange({ ...value, closingNote: event.currentTarget.value })}
      />
    </Stack>
  )
}

/** As it is sent: without an empty note. */
export const closingOf = ({ closingReasonId, closingNote = '' }: Closing): Closing => ({
  ...(closingReasonId && { closingReasonId }),
  ...(closingNote.trim() && { closingNote: closingNote.trim() }),
})
