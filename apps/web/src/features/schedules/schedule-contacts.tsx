import { MAX_TOGETHER } from '@balcao/contract/schedules.ts'
import { MultiSelect, Pill, Stack, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { phoneText } from '../../platform/phone.ts'
import { PICKER_MIN } from '../../platform/typing.ts'
import { RowPicker } from '../../ui/row-picker.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { contactList } from '../contacts/contacts.api.ts'
import { tagChoices } from '../tags/tags.api.ts'
import type { FormValues } from './schedule-values.ts'
import classes from './schedules.module.css'
import { useScheduleText } from './schedules.text.ts'

interface Props {
  form: UseFormReturnType<FormValues>
  isNew: boolean
  hasFocus: boolean
}

/** Whom it is for: a contact, or several, each with a schedule of its own. */
export function ScheduleContacts({ form, isNew, hasFocus }: Props) {
  const t = useScheduleText()
  const { contact, contacts, isSeveral } = form.getValues()
  const picked = (some: Partial<FormValues>) => {
    form.setValues(some)
    form.clearFieldError('contactId')
  }
  return (
    <Stack gap={8}>
      {isNew && (
        <Switch
          label={t('several')}
          checked={isSeveral}
          onChange={event => picked({ isSeveral: event.currentTarget.checked })}
        />
      )}
      <RowPicker
        key={isSeveral ? contacts.length : 'one'}
        data-autofocus={hasFocus && !isSeveral}
        label={t('contact')}
        list={words => contactList(words)}
        minimum={PICKER_MIN}
        failed={t('contactsFailed')}
        hint={one => phoneText(one.number)}
        error={form.errors.contactId}
        value={isSeveral ? null : contact}
        onPick={chosen => {
          if (!isSeveral) return picked({ contact: chosen })
          if (chosen && !contacts.some(({ id }) => id === chosen.id))
            picked({ contacts: [...contacts, { id: chosen.id, name: chosen.name }] })
        }}
      />
      {isSeveral && <Several form={form} picked={picked} />}
    </Stack>
  )
}

function Several({
  form,
  picked,
}: {
  form: UseFormReturnType<FormValues>
  picked(some: Partial<FormValues>): void
}) {
  const t = useScheduleText()
  const { contacts, categoryIds, tagIds } = form.getValues()
  const { data: tags = [] } = useQuery(tagChoices)
  return (
    <>
      {contacts.length > 0 && (
        <ul className={classes.contacts} aria-label={t('chosenContacts')}>
          {contacts.map(one => (
            <li key={one.id}>
              <Pill
                withRemoveButton
                onRemove={() => picked({ contacts: contacts.filter(({ id }) => id !== one.id) })}
                removeButtonProps={{ 'aria-label': t('takeOff', { name: one.name }) }}
              >
                {one.name}
              </Pill>
            </li>
          ))}
        </ul>
      )}
      <CategoryPicker
        label={t('categories')}
        value={categoryIds}
        onChange={ids => picked({ categoryIds: ids })}
      />
      <MultiSelect
        label={t('tags')}
        searchable
        clearable
        data={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={tagIds.map(String)}
        onChange={ids => picked({ tagIds: ids.map(Number) })}
      />
      <Text size="xs" c="dimmed">
        {t('severalHint', { count: MAX_TOGETHER })}
      </Text>
    </>
  )
}
