import type { KeptSides, MergePreview } from '@balcao/contract/contactMerges.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { Stack, Text } from '@mantine/core'
import { Segmented } from '../../ui/segmented.tsx'
import { readable } from '../contacts/phone.ts'
import classes from './contactMerges.module.css'
import { useMergeText } from './contactMerges.text.ts'

type Field = keyof KeptSides

/** What a contact says in a field, in words; empty where it says nothing. */
const saying: Record<Field, (contact: Contact) => string> = {
  name: ({ name }) => name,
  number: ({ number, lid }) => (number ? readable(number) : lid),
  email: ({ email }) => email,
  extraInfo: ({ extraInfo }) => extraInfo.map(({ name, value }) => `${name}: ${value}`).join(', '),
  categories: ({ categoryContacts }) => categoryContacts.map(({ name }) => name).join(', '),
}
const fields: Field[] = ['name', 'number', 'email', 'extraInfo', 'categories']

interface Props {
  preview: MergePreview
  keep: KeptSides
  onChange(keep: KeptSides): void
}

/** Whose value stays, where both say something and not the same. */
export function SideChoice({ preview: { into, from }, keep, onChange }: Props) {
  const t = useMergeText()
  const asked = fields.filter(field => {
    const [one, other] = [saying[field](into), saying[field](from)]
    return one !== '' && other !== '' && one !== other
  })
  if (asked.length === 0) return null
  return (
    <Stack gap={8}>
      <Text fw={600}>{t('which')}</Text>
      {asked.map(field => (
        <div key={field} className={classes.field}>
          <span>{t(field)}</span>
          <Segmented<KeptSides['extraInfo']>
            label={t(field)}
            value={keep[field]}
            options={[
              { value: 'into', label: saying[field](into) },
              { value: 'from', label: saying[field](from) },
              ...(field === 'extraInfo' || field === 'categories'
                ? [{ value: 'both' as const, label: t('both') }]
                : []),
            ]}
            onChange={side => onChange({ ...keep, [field]: side })}
          />
        </div>
      ))}
      {asked.includes('number') && (
        <Text size="sm" c="dimmed">
          {t('numberHint')}
        </Text>
      )}
    </Stack>
  )
}
