import type { BotLogic, Condition } from '@balcao/contract/bots.logic.ts'
import { Button, Group, MultiSelect, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { clockOf, minutesOf, useWeekdays } from '../businessHours/clock-time.ts'
import { categoryChoices } from '../categories/categories.api.ts'
import { tagChoices } from '../tags/tags.api.ts'
import { useLogicText } from './bots.logic.text.ts'
import { CommandChoice } from './command-choice.tsx'
import type { FieldsProps } from './command-fields.tsx'

const kinds = ['hours', 'time', 'tag', 'category', 'variable', 'answer'] as const

/** A new condition of a kind; its id is chosen later. */
function newCondition(kind: Condition['kind']): Condition {
  switch (kind) {
    case 'hours':
      return { kind, open: true }
    case 'time':
      return { kind, weekdays: [1, 2, 3, 4, 5], from: 8 * 60, to: 18 * 60 }
    case 'variable':
      return { kind, name: '', how: 'equals', value: '' }
    case 'answer':
      return { kind, how: 'contains', value: '' }
    default:
      return { kind, id: 0, has: true }
  }
}

/** What has to hold, and where each outcome leads. */
export function ConditionFields({ form, bot, command }: FieldsProps) {
  const t = useLogicText()
  const { logic } = form.values
  const change = (some: Partial<BotLogic>) => form.setFieldValue('logic', { ...logic, ...some })
  const put = (at: number, next: Condition | null) =>
    change({ conditions: logic.conditions.flatMap((one, place) => (place === at ? (next ?? []) : one)) })
  return (
    <FieldGroup legend={t('conditions')}>
      {logic.conditions.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no identity but its place
        <Group key={at} role="group" aria-label={t('condition', { at: at + 1 })} align="flex-end" gap={8}>
          <NativeSelect
            aria-label={t('condition', { at: at + 1 })}
            flex="1 1 180px"
            data={kinds.map(kind => ({ value: kind, label: t(kind) }))}
            value={one.kind}
            onChange={event => put(at, newCondition(event.currentTarget.value as Condition['kind']))}
          />
          <Details one={one} wrong={wrongAt(form.errors, at)} onChange={next => put(at, next)} />
          <IconButton label={t('removeCondition', { at: at + 1 })} onClick={() => put(at, null)}>
            <IconTrash size={18} aria-hidden />
          </IconButton>
        </Group>
      ))}
      <Group justify="space-between" align="flex-end">
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={logic.conditions.length >= 10}
          onClick={() => change({ conditions: [...logic.conditions, newCondition('hours')] })}
        >
          {t('addCondition')}
        </Button>
        {logic.conditions.length > 1 && (
          <NativeSelect
            label={t('match')}
            data={(['all', 'any'] as const).map(match => ({ value: match, label: t(match) }))}
            {...form.getInputProps('logic.match')}
          />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <CommandChoice
          {...{ bot, command }}
          label={t('holds')}
          none={t('firstBelow')}
          value={form.values.forceNextFlow}
          onChange={number => form.setFieldValue('forceNextFlow', number)}
        />
        <CommandChoice
          {...{ bot, command }}
          label={t('holdsNot')}
          none={t('secondBelow')}
          value={logic.otherwise}
          onChange={otherwise => change({ otherwise })}
        />
      </SimpleGrid>
    </FieldGroup>
  )
}

const wrongAt = (errors: Record<string, React.ReactNode>, at: number) =>
  Object.entries(errors).find(([path]) => path.startsWith(`logic.conditions.${at}`))?.[1]

interface DetailsProps<Kind extends Condition = Condition> {
  one: Kind
  wrong: React.ReactNode
  onChange(next: Condition): void
}

function Details({ one, wrong, onChange }: DetailsProps) {
  const t = useLogicText()
  switch (one.kind) {
    case 'hours':
      return (
        <NativeSelect
          aria-label={t('is')}
          flex="1 1 180px"
          data={[
            { value: '1', label: t('within') },
            { value: '', label: t('outside') },
          ]}
          value={one.open ? '1' : ''}
          onChange={event => onChange({ ...one, open: event.currentTarget.value === '1' })}
        />
      )
    case 'time':
      return <Time {...{ one, wrong, onChange }} />
    case 'tag':
    case 'category':
      return <Label {...{ one, wrong, onChange }} />
    default:
      return <Compared {...{ one, wrong, onChange }} />
  }
}

function Time({ one, wrong, onChange }: DetailsProps<Condition & { kind: 'time' }>) {
  const t = useLogicText()
  const days = useWeekdays()
  return (
    <>
      <MultiSelect
        label={t('weekdays')}
        flex="1 1 260px"
        data={days}
        error={wrong}
        value={one.weekdays.map(String)}
        onChange={weekdays => onChange({ ...one, weekdays: weekdays.map(Number).sort() })}
      />
      <Group gap={8} wrap="nowrap" flex="1 1 240px">
        {(['from', 'to'] as const).map(end => (
          <TextInput
            key={end}
            flex={1}
            type="time"
            label={t(end)}
            value={clockOf(one[end])}
            onChange={event => onChange({ ...one, [end]: minutesOf(event.currentTarget.value) })}
          />
        ))}
      </Group>
    </>
  )
}

function Label({ one, wrong, onChange }: DetailsProps<Condition & { kind: 'tag' | 'category' }>) {
  const t = useLogicText()
  const { data: tags = [] } = useQuery(tagChoices)
  const { data: categories = [] } = useQuery(categoryChoices)
  const rows = one.kind === 'tag' ? tags : categories
  return (
    <>
      <NativeSelect
        aria-label={t('is')}
        flex="1 1 100px"
        data={[
          { value: '1', label: t('has') },
          { value: '', label: t('hasNot') },
        ]}
        value={one.has ? '1' : ''}
        onChange={event => onChange({ ...one, has: event.currentTarget.value === '1' })}
      />
      <NativeSelect
        aria-label={t('which')}
        flex="1 1 180px"
        error={wrong}
        data={[
          { value: '0', label: t('notChosen') },
          ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={String(one.id)}
        onChange={event => onChange({ ...one, id: Number(event.currentTarget.value) })}
      />
    </>
  )
}

const comparisons = ['equals', 'differs', 'contains', 'empty', 'filled'] as const

function Compared({ one, wrong, onChange }: DetailsProps<Condition & { kind: 'variable' | 'answer' }>) {
  const t = useLogicText()
  return (
    <>
      {one.kind === 'variable' && (
        <TextInput
          aria-label={t('variableName')}
          placeholder={t('variableName')}
          flex="1 1 140px"
          maxLength={30}
          error={wrong}
          value={one.name}
          onChange={event => onChange({ ...one, name: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        aria-label={t('how')}
        flex="1 1 140px"
        data={comparisons.map(how => ({ value: how, label: t(how) }))}
        value={one.how}
        onChange={event => onChange({ ...one, how: event.currentTarget.value as typeof one.how })}
      />
      {one.how !== 'empty' && one.how !== 'filled' && (
        <TextInput
          aria-label={t('value')}
          placeholder={t('value')}
          flex="1 1 140px"
          maxLength={500}
          value={one.value}
          onChange={event => onChange({ ...one, value: event.currentTarget.value })}
        />
      )}
    </>
  )
}
