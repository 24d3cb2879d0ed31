import { MultiSelect, Stack, Switch, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whole } from '../../platform/numbers.ts'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { tagChoices } from '../tags/tags.api.ts'
import { campaignList, peopleCount } from './campaigns.api.ts'
import { usePeopleText } from './campaigns.people.text.ts'
import { excludes, hasPeople, type People, recipientsOf, type Without } from './creator-values.ts'

interface Props {
  people: People
  onChange(without: Without): void
}

/** Who stays out though a source names them, and how many these are. */
export function ExcludedPeople({ people, onChange }: Props) {
  const t = usePeopleText()
  const { without } = people
  const [isOpen, setOpen] = useState(excludes(without))
  const change = (some: Partial<Without>) => onChange({ ...without, ...some })
  return (
    <Stack gap={8}>
      <Switch
        label={t('exclude')}
        checked={isOpen}
        onChange={event => {
          setOpen(event.currentTarget.checked)
          if (!event.currentTarget.checked)
            onChange({ campaignIds: [], answeredIds: [], categoryIds: [], tagIds: [] })
        }}
      />
      {isOpen && (
        <>
          <CampaignChoice
            label={t('notInCampaign')}
            value={without.campaignIds}
            onChange={campaignIds => change({ campaignIds })}
          />
          <CampaignChoice
            label={t('notAnswered')}
            value={without.answeredIds}
            onChange={answeredIds => change({ answeredIds })}
          />
          <CategoryPicker
            label={t('notCategories')}
            value={without.categoryIds}
            onChange={categoryIds => change({ categoryIds })}
          />
          <TagChoice value={without.tagIds} onChange={tagIds => change({ tagIds })} />
          {excludes(without) && hasPeople(people) && <Excluded people={people} />}
        </>
      )}
    </Stack>
  )
}

interface ChoiceProps {
  value: number[]
  onChange(ids: number[]): void
}

/** The newest campaigns, or those that a search finds. */
function CampaignChoice({ label, value, onChange }: ChoiceProps & { label: string }) {
  const t = usePeopleText()
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<{ value: string; label: string }[]>([])
  const { data } = useInfiniteQuery(campaignList(words))
  const found = (data?.pages.flatMap(({ rows }) => rows) ?? []).map(({ id, name }) => ({
    value: String(id),
    label: name,
  }))
  const all = [...chosen, ...found.filter(one => !chosen.some(other => other.value === one.value))]
  return (
    <MultiSelect
      label={label}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      nothingFoundMessage={t('noCampaign')}
      data={all}
      value={value.map(String)}
      searchValue={words}
      onSearchChange={setWords}
      onChange={ids => {
        setChosen(all.filter(one => ids.includes(one.value)))
        onChange(ids.map(Number))
      }}
    />
  )
}

function TagChoice({ value, onChange }: ChoiceProps) {
  const t = usePeopleText()
  const { data: tags = [] } = useQuery(tagChoices)
  return (
    <MultiSelect
      label={t('notTags')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      data={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value.map(String)}
      onChange={ids => onChange(ids.map(Number))}
    />
  )
}

function Excluded({ people }: { people: People }) {
  const t = usePeopleText()
  const { data: counted } = useQuery(peopleCount(recipientsOf(people)))
  if (!counted) return null
  return (
    <Text size="sm" role="status">
      {t('excluded', { excluded: whole(counted.excluded), added: whole(counted.added) })}
    </Text>
  )
}
