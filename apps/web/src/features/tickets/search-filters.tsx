import { NO_QUEUE } from '@balcao/contract/tickets.rules.ts'
import { users } from '@balcao/contract/users.ts'
import { MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pagedList } from '../../platform/lists.ts'
import { useUser, useViewer } from '../../platform/session.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { RowPicker } from '../../ui/row-picker.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { contactList } from '../contacts/contacts.api.ts'
import { tagChoices } from '../tags/tags.api.ts'
import type { Asked } from './asked.ts'
import { useFilterText } from './tickets.filters.text.ts'

const attendantList = pagedList(users.list, 'users')
/** Fewer letters find too many people (TICKET-018). */
const MINIMUM = 3

interface Props {
  asked: Asked
  onChange(change: Partial<Asked>): void
}

/** Filters of a search besides its text; sent together with it. */
export default function SearchFilters({ asked, onChange }: Props) {
  const t = useFilterText()
  const { data: tags = [] } = useQuery(tagChoices)
  const queues = useQueueOptions()
  return (
    <Stack gap={8}>
      <RowPicker
        label={t('contact')}
        list={contactList}
        minimum={MINIMUM}
        failed={t('contactsFailed')}
        hint={({ number }) => number}
        value={asked.contact ?? null}
        onPick={contact => onChange({ contact })}
      />
      <RowPicker
        label={t('attendant')}
        list={attendantList}
        minimum={MINIMUM}
        failed={t('usersFailed')}
        hint={({ email }) => email}
        value={asked.user ?? null}
        onPick={user => onChange({ user })}
      />
      <MultiSelect
        label={t('queues')}
        data={queues}
        value={(asked.queueIds ?? []).map(String)}
        onChange={chosen => onChange({ queueIds: chosen.map(Number) })}
        searchable
        clearable
        nothingFoundMessage={t('nothing')}
      />
      <MultiSelect
        label={t('tags')}
        data={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={(asked.tagIds ?? []).filter(id => tags.some(tag => tag.id === id)).map(String)}
        onChange={chosen => onChange({ tagIds: chosen.map(Number) })}
        searchable
        clearable
        nothingFoundMessage={t('nothing')}
      />
      <CategoryPicker
        label={t('categories')}
        value={asked.categoryIds ?? []}
        onChange={categoryIds => onChange({ categoryIds })}
      />
      <DateTimeField
        label={t('from')}
        placeholder={t('fromStart')}
        value={asked.from ?? null}
        onChange={from => onChange({ from })}
      />
      <DateTimeField
        label={t('until')}
        placeholder={t('untilNow')}
        value={asked.until ?? null}
        onChange={until => onChange({ until })}
      />
    </Stack>
  )
}

/** The viewer's own queues, and "none" for users who see such tickets. */
function useQueueOptions() {
  const t = useFilterText()
  const { queues } = useUser()
  const { allowNoQueue } = useViewer().authorization
  const none = allowNoQueue === 1 ? [{ value: String(NO_QUEUE), label: t('noQueue') }] : []
  return [...queues.map(({ id, name }) => ({ value: String(id), label: name })), ...none]
}
